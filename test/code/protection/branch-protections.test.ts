import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addOrganization, addTeam } from '../../identity/organizations/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { administratorsOnly, protectBranch, repo, start, type Setup } from './setup.ts'

const rules = `${repo}/branch_protections`

const fresh = {
  branch_name: 'main',
  rule_name: 'main',
  priority: 1,
  enable_push: false,
  enable_push_whitelist: false,
  push_whitelist_usernames: [],
  push_whitelist_teams: [],
  push_whitelist_deploy_keys: false,
  enable_force_push: false,
  enable_force_push_allowlist: false,
  force_push_allowlist_usernames: [],
  force_push_allowlist_teams: [],
  force_push_allowlist_deploy_keys: false,
  enable_merge_whitelist: false,
  merge_whitelist_usernames: [],
  merge_whitelist_teams: [],
  enable_bypass_allowlist: false,
  bypass_allowlist_usernames: [],
  bypass_allowlist_teams: [],
  enable_status_check: false,
  status_check_contexts: [],
  required_approvals: 0,
  enable_approvals_whitelist: false,
  approvals_whitelist_username: [],
  approvals_whitelist_teams: [],
  block_on_rejected_reviews: false,
  block_on_official_review_requests: false,
  block_on_codeowner_reviews: false,
  block_on_outdated_branch: false,
  dismiss_stale_approvals: false,
  ignore_stale_approvals: false,
  require_signed_commits: false,
  protected_file_patterns: '',
  unprotected_file_patterns: '',
  block_admin_merge_override: false,
}

/** Every setting other than it is at first. */
const full = {
  priority: 5,
  enable_push: true,
  enable_push_whitelist: true,
  push_whitelist_usernames: ['bob'],
  push_whitelist_teams: [],
  push_whitelist_deploy_keys: true,
  enable_force_push: true,
  enable_force_push_allowlist: true,
  force_push_allowlist_usernames: ['bob', 'ann'],
  force_push_allowlist_teams: [],
  force_push_allowlist_deploy_keys: true,
  enable_merge_whitelist: true,
  merge_whitelist_usernames: ['ann'],
  merge_whitelist_teams: [],
  enable_bypass_allowlist: true,
  bypass_allowlist_usernames: ['ann'],
  bypass_allowlist_teams: [],
  enable_status_check: true,
  status_check_contexts: ['ci/build', 'ci/test'],
  required_approvals: 2,
  enable_approvals_whitelist: true,
  approvals_whitelist_username: ['bob'],
  approvals_whitelist_teams: [],
  block_on_rejected_reviews: true,
  block_on_official_review_requests: true,
  block_on_codeowner_reviews: true,
  block_on_outdated_branch: true,
  dismiss_stale_approvals: true,
  ignore_stale_approvals: true,
  require_signed_commits: true,
  protected_file_patterns: '*.lock;docs/**',
  unprotected_file_patterns: '*.md',
  block_admin_merge_override: true,
}

async function ruleNames({ app, ann }: Setup): Promise<string[]> {
  const answer = await app.get(ann, rules)
  assertStatus(answer, 200)
  return (answer.body as { rule_name: string }[]).map(({ rule_name }) => rule_name)
}

suite('POST /repos/{owner}/{repo}/branch_protections', () => {
  test('protects a branch as strictly as it can unless told otherwise', async (t) => {
    const setup = await start(t)

    const { created_at, updated_at, ...body } = await protectBranch(setup, { rule_name: 'main' })

    assert.deepEqual(body, fresh)
    assert.deepEqual(Object.keys(body as object), Object.keys(fresh))
    assert.equal(created_at, updated_at)
  })

  test('keeps every setting', async (t) => {
    const setup = await start(t)

    const made = await protectBranch(setup, { ...full, rule_name: 'main' })

    assert.partialDeepStrictEqual(made, full)
    assert.deepEqual((await setup.app.get(setup.ann, `${rules}/main`)).body, made)
  })

  test('takes the older branch_name, and rule_name first', async (t) => {
    const setup = await start(t)

    const old = await protectBranch(setup, { branch_name: 'main' })
    const both = await protectBranch(setup, { branch_name: 'x', rule_name: 'release/**' })

    assert.partialDeepStrictEqual(old, { branch_name: 'main', rule_name: 'main' })
    assert.partialDeepStrictEqual(both, { branch_name: '', rule_name: 'release/**' })
  })

  test('puts each rule behind the others, unless it has a priority', async (t) => {
    const setup = await start(t)

    assert.equal((await protectBranch(setup, { rule_name: 'a' })).priority, 1)
    assert.equal((await protectBranch(setup, { rule_name: 'b', priority: 7 })).priority, 7)
    assert.equal((await protectBranch(setup, { rule_name: 'c' })).priority, 8)
    assert.equal((await protectBranch(setup, { rule_name: 'd', priority: 3 })).priority, 3)
    assert.deepEqual(await ruleNames(setup), ['a', 'd', 'b', 'c'])
    const largest = Number.MAX_SAFE_INTEGER
    await protectBranch(setup, { rule_name: 'e', priority: largest })
    assert.equal((await protectBranch(setup, { rule_name: 'f' })).priority, largest)
  })

  test('counts what depends on pushing only while pushing is allowed', async (t) => {
    const setup = await start(t)

    const shut = await protectBranch(setup, { ...full, rule_name: 'shut', enable_push: false })
    const gentle = await protectBranch(setup, {
      ...full,
      rule_name: 'gentle',
      enable_force_push: false,
    })

    assert.partialDeepStrictEqual(shut, {
      enable_push_whitelist: false,
      push_whitelist_deploy_keys: false,
      enable_force_push: false,
      enable_force_push_allowlist: false,
      force_push_allowlist_deploy_keys: false,
      enable_merge_whitelist: true,
    })
    assert.partialDeepStrictEqual(gentle, {
      enable_push_whitelist: true,
      push_whitelist_deploy_keys: true,
      enable_force_push_allowlist: false,
      force_push_allowlist_deploy_keys: false,
    })
  })

  test('leaves people without access out of the lists it shows, and shows them once they have it', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    const names = ['cleo', 'BOB', 'ann', 'bob']

    const made = await protectBranch(setup, {
      rule_name: 'main',
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: names,
    })

    assert.deepEqual(made.push_whitelist_usernames, ['bob', 'ann'])
    await app.put(ann, `${repo}/collaborators/cleo`, { permission: 'read' })
    await app.delete(ann, `${repo}/collaborators/bob`)
    const { body } = await app.get(ann, `${rules}/main`)
    assert.deepEqual(body.push_whitelist_usernames, ['cleo', 'ann'])
  })

  test('knows the teams of the organization, and shows those that have the repository', async (t) => {
    const { app, ann, cleo } = await start(t)
    await addOrganization(app, ann, 'acme')
    const coders = await addTeam(app, ann, 'acme', { name: 'Coders', permission: 'write' }, [cleo])
    await addTeam(app, ann, 'acme', { name: 'Others', permission: 'write' })
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'two', auto_init: true }), 201)
    assertStatus(await app.put(ann, `/teams/${coders.id}/repos/acme/two`), 204)
    const path = '/repos/acme/two/branch_protections'

    const made = await app.post(ann, path, {
      rule_name: 'main',
      enable_merge_whitelist: true,
      merge_whitelist_teams: ['coders', 'Others', 'owners'],
      merge_whitelist_usernames: ['cleo'],
    })

    assertStatus(made, 201)
    assert.deepEqual(made.body.merge_whitelist_teams, ['Coders', 'Owners'])
    assert.deepEqual(made.body.merge_whitelist_usernames, ['cleo'])
    assertError(
      await app.post(ann, path, { rule_name: 'x', merge_whitelist_teams: ['nobody'] }),
      422,
      /^team does not exist \[org_id \d+, team_id 0, name: nobody\]$/,
    )
  })

  test('refuses bad bodies', async (t) => {
    const { app, ann } = await start(t)
    const nobody = 'user does not exist [uid: 0, name: nobody]'

    assertError(await app.post(ann, rules, {}), 400, 'both rule_name and branch_name are empty')
    const cases: [object, string | RegExp][] = [
      [{ rule_name: 'x', push_whitelist_usernames: ['bob', 'nobody'] }, nobody],
      [{ rule_name: 'x', force_push_allowlist_usernames: ['nobody'] }, nobody],
      [{ rule_name: 'x', merge_whitelist_usernames: ['nobody'] }, nobody],
      [{ rule_name: 'x', bypass_allowlist_usernames: ['nobody'] }, nobody],
      [{ rule_name: 'x', approvals_whitelist_username: ['nobody'] }, nobody],
      [{ rule_name: 'x', push_whitelist_teams: ['owners'] }, /^team does not exist/],
      [{ rule_name: 'x'.repeat(256) }, '[RuleName]: MaxSize'],
      [{ rule_name: '[' }, '[ is not a valid glob'],
      [{ rule_name: 'x', protected_file_patterns: 'a;{' }, '{ is not a valid glob'],
      [{ rule_name: 'x', unprotected_file_patterns: ']' }, '] is not a valid glob'],
      [{ rule_name: 'x', enable_push: 'yes' }, /^\[\]: /],
      [{ rule_name: 'x', status_check_contexts: [1] }, /^\[\]: /],
    ]
    for (const [body, message] of cases) assertError(await app.post(ann, rules, body), 422, message)
    assert.deepEqual((await app.get(ann, rules)).body, [])
  })

  test('says that a rule is there before it looks at the rest', async (t) => {
    const { app, ann } = await start(t)
    assertStatus(await app.post(ann, rules, { rule_name: 'main' }), 201)

    for (const rest of [{ merge_whitelist_teams: ['nobody'] }, { protected_file_patterns: '{' }]) {
      const answer = await app.post(ann, rules, { rule_name: 'main', ...rest })
      assertError(answer, 403, 'Branch protection already exist')
    }
  })

  test('takes one of several rules of a name that come at once', async (t) => {
    const { app, ann } = await start(t)
    const wanted = Array.from({ length: 5 }, () => app.post(ann, rules, { rule_name: 'main' }))

    const answers = await Promise.all(wanted)

    const refused = answers.filter(({ status }) => status !== 201)
    assert.equal(refused.length, 4)
    for (const answer of refused) assertError(answer, 403, 'Branch protection already exist')
  })
})

suite('GET /repos/{owner}/{repo}/branch_protections', () => {
  test('lists every rule by priority, whatever the page', async (t) => {
    const setup = await start(t)
    for (const rule_name of ['b', 'a', '*']) await protectBranch(setup, { rule_name })

    const { headers } = await setup.app.get(setup.ann, `${rules}?limit=1&page=2`)

    assert.deepEqual(await ruleNames(setup), ['b', 'a', '*'])
    assert.equal(headers['x-total-count'], undefined)
  })
})

suite('GET /repos/{owner}/{repo}/branch_protections/{name}', () => {
  test('finds names with slashes and globs, encoded or not', async (t) => {
    const setup = await start(t)
    await protectBranch(setup, { rule_name: 'release/*/x' })

    for (const name of ['release/*/x', 'release%2F%2A%2Fx', 'release/%2A/x']) {
      const { status, body } = await setup.app.get(setup.ann, `${rules}/${name}`)
      assert.equal(status, 200)
      assert.equal(body.rule_name, 'release/*/x')
    }
    assertError(await setup.app.get(setup.ann, `${rules}/release/1/x`), 404, 'not found')
  })
})

suite('PATCH /repos/{owner}/{repo}/branch_protections/{name}', () => {
  test('changes what is given, and shows the same later', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    const made = await protectBranch(setup, { ...full, rule_name: 'a/b' })
    app.passTime(60)

    const edited = await app.patch(ann, `${rules}/a/b`, {
      required_approvals: 1,
      push_whitelist_usernames: [],
      enable_status_check: false,
      rule_name: 'ignored',
    })

    assertStatus(edited, 200)
    assert.deepEqual(edited.body, {
      ...made,
      required_approvals: 1,
      push_whitelist_usernames: [],
      enable_status_check: false,
      updated_at: edited.body.updated_at,
    })
    assert.notEqual(edited.body.updated_at, made.updated_at)
    assert.deepEqual((await app.get(ann, `${rules}/a/b`)).body, edited.body)
  })

  test('changes every setting', async (t) => {
    const setup = await start(t)
    await protectBranch(setup, { rule_name: 'main' })

    const edited = await setup.app.patch(setup.ann, `${rules}/main`, full)

    assertStatus(edited, 200)
    assert.partialDeepStrictEqual(edited.body, full)
  })

  test('does not open a branch to more people than before when pushing is allowed again', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    await protectBranch(setup, { ...full, rule_name: 'main' })

    await app.patch(ann, `${rules}/main`, { enable_push: false })
    const again = await app.patch(ann, `${rules}/main`, { enable_push: true })

    assert.partialDeepStrictEqual(again.body, {
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['bob'],
    })
  })

  test('loses nothing of edits that come at once', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    await protectBranch(setup, { rule_name: 'main' })
    const edits = [
      { required_approvals: 3 },
      { enable_status_check: true },
      { block_on_outdated_branch: true },
      { status_check_contexts: ['ci'] },
    ]

    await Promise.all(edits.map((edit) => app.patch(ann, `${rules}/main`, edit)))

    const { body } = await app.get(ann, `${rules}/main`)
    assert.partialDeepStrictEqual(body, Object.assign({}, ...edits) as object)
  })

  test('refuses bad bodies first, then rules that are not there', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    await protectBranch(setup, { rule_name: 'main' })
    const unknown = { merge_whitelist_usernames: ['nobody'] }

    assertError(await app.patch(ann, `${rules}/none`, { priority: 'x' }), 422, /^\[\]: /)
    assertError(await app.patch(ann, `${rules}/none`, unknown), 404, 'not found')
    assertError(await app.patch(ann, `${rules}/main`, unknown), 422, /^user does not exist/)
    assertError(await app.patch(ann, `${rules}/main`, { protected_file_patterns: '[' }), 422)
    assert.equal((await app.patch(ann, `${rules}/main`, { priority: -1 })).body.priority, 1)
    const approvals = { required_approvals: -1 }
    assert.equal((await app.patch(ann, `${rules}/main`, approvals)).body.required_approvals, 0)
  })
})

suite('DELETE /repos/{owner}/{repo}/branch_protections/{name}', () => {
  test('ends a rule once', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    await protectBranch(setup, { rule_name: 'a/**' })
    await protectBranch(setup, { rule_name: 'a/b' })

    assertStatus(await app.delete(ann, `${rules}/a/**`), 204)

    assertError(await app.delete(ann, `${rules}/a/**`), 404, 'not found')
    assert.deepEqual(await ruleNames(setup), ['a/b'])
  })
})

suite('branch protections', () => {
  test('are for administrators of the repository', async (t) => {
    const setup = await start(t)
    const { app, bob, cleo } = setup
    await protectBranch(setup, { rule_name: 'main' })

    for (const [method, path] of [
      ['GET', rules],
      ['POST', rules],
      ['GET', `${rules}/main`],
      ['PATCH', `${rules}/main`],
      ['DELETE', `${rules}/main`],
    ] as const) {
      assertError(await app.send(undefined, method, path), 401, 'token is required')
      for (const who of [bob, cleo]) {
        assertError(await app.send(who, method, path), 403, administratorsOnly)
      }
      assertError(await app.send(cleo, method, path.replace('/one/', '/none/')), 404)
    }
    assert.deepEqual(await ruleNames(setup), ['main'])
  })

  test('of an archive are not changed, but read and deleted', async (t) => {
    const setup = await start(t)
    const { app, ann, bob } = setup
    await protectBranch(setup, { rule_name: 'main' })
    assertStatus(await app.patch(ann, repo, { archived: true }), 200)

    for (const who of [ann, bob]) {
      assertError(await app.post(who, rules, {}), 423, 'repo is archived')
      assertError(await app.patch(who, `${rules}/none`, {}), 423, 'repo is archived')
    }
    assert.deepEqual(await ruleNames(setup), ['main'])
    assertStatus(await app.delete(ann, `${rules}/main`), 204)
  })
})
