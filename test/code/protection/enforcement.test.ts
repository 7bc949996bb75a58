import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestAnswer, TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { protectBranch, protectTag, repo, start, type Setup } from './setup.ts'

const forBob = {
  enable_push: true,
  enable_push_whitelist: true,
  push_whitelist_usernames: ['bob'],
}

let files = 0

async function write(
  { app }: Setup,
  who: TestCaller,
  options: object = {},
  path = `file${++files}.txt`,
): Promise<TestAnswer> {
  return app.post(who, `${repo}/contents/${path}`, { content: '', message: 'x', ...options })
}

async function addBranch({ app, ann }: Setup, name: string): Promise<void> {
  assertStatus(await app.post(ann, `${repo}/branches`, { new_branch_name: name }), 201)
}

async function branchOf({ app }: Setup, who: TestCaller | undefined, name = 'main') {
  const answer = await app.get(who, `${repo}/branches/${name}`)
  assertStatus(answer, 200)
  return answer.body
}

suite('the branch record', () => {
  test('says what the rule means for the caller, and names it to administrators', async (t) => {
    const setup = await start(t)
    const { app, ann, bob, cleo } = setup
    await protectBranch(setup, {
      rule_name: 'ma*',
      ...forBob,
      required_approvals: 2,
      enable_status_check: true,
      status_check_contexts: ['ci'],
      enable_merge_whitelist: true,
      merge_whitelist_usernames: ['ann', 'cleo'],
    })
    const common = {
      protected: true,
      required_approvals: 2,
      enable_status_check: true,
      status_check_contexts: ['ci'],
    }

    assert.partialDeepStrictEqual(await branchOf(setup, ann), {
      ...common,
      user_can_push: false,
      user_can_merge: true,
      effective_branch_protection_name: 'ma*',
    })
    assert.partialDeepStrictEqual(await branchOf(setup, bob), {
      ...common,
      user_can_push: true,
      user_can_merge: false,
      effective_branch_protection_name: '',
    })
    for (const who of [cleo, undefined]) {
      assert.partialDeepStrictEqual(await branchOf(setup, who), {
        ...common,
        user_can_push: false,
        user_can_merge: false,
      })
    }
    const [listed] = (await app.get(ann, `${repo}/branches`)).body
    assert.deepEqual(listed, await branchOf(setup, ann))
  })

  test('is of a branch without a rule, when no rule matches', async (t) => {
    const setup = await start(t)
    await protectBranch(setup, { rule_name: 'other' })

    assert.partialDeepStrictEqual(await branchOf(setup, setup.ann), {
      protected: false,
      user_can_push: true,
      user_can_merge: true,
      effective_branch_protection_name: '',
    })
  })
})

suite('commits through the API', () => {
  test('need the right to push, for owners and administrators too', async (t) => {
    const setup = await start(t)
    const root = await setup.app.addAdmin()
    await protectBranch(setup, { rule_name: 'main', ...forBob })

    for (const who of [setup.ann, root]) {
      const message = `user cannot commit to repo [user: ${who.name}]`
      assertError(await write(setup, who), 403, message)
    }
    assertStatus(await write(setup, setup.bob), 201)
    assertStatus(await write(setup, setup.ann, { new_branch: 'free' }), 201)
  })

  test('hold to the rule of the branch they go to', async (t) => {
    const setup = await start(t)
    await protectBranch(setup, { rule_name: 'release/*', ...forBob })

    assertError(await write(setup, setup.ann, { new_branch: 'release/1' }), 403)
    assertStatus(await write(setup, setup.bob, { new_branch: 'release/1' }), 201)
    assertStatus(await write(setup, setup.ann), 201)
  })

  test('leave protected files alone, and may change unprotected ones', async (t) => {
    const setup = await start(t)
    await protectBranch(setup, {
      rule_name: 'main',
      ...forBob,
      protected_file_patterns: 'locked/**',
      unprotected_file_patterns: '*.md',
    })

    assertError(await write(setup, setup.bob, {}, 'locked/a/b.txt'), 403)
    assertStatus(await write(setup, setup.bob, {}, 'open/a.txt'), 201)
    assertStatus(await write(setup, setup.ann, {}, 'notes.md'), 201)
    await protectBranch(setup, { rule_name: 'new', unprotected_file_patterns: '*.md' })
    assertError(await write(setup, setup.ann, { new_branch: 'new' }, 'more.md'), 403)
    assertError(await write(setup, setup.ann, {}, 'notes.txt'), 403)
    const both = ['one.md', 'two.txt'].map((path) => ({ operation: 'create', path, content: '' }))
    assertError(await setup.app.post(setup.ann, `${repo}/contents`, { files: both }), 403)
  })

  test('are not taken where only verified ones are', async (t) => {
    const setup = await start(t)
    await protectBranch(setup, {
      rule_name: 'main',
      enable_push: true,
      require_signed_commits: true,
    })

    assertError(await write(setup, setup.ann), 403)
  })
})

suite('branches through the API', () => {
  test('are not made under a name whose rule forbids it', async (t) => {
    const setup = await start(t)
    const { app, ann, bob } = setup
    await protectBranch(setup, { rule_name: 'release/**', ...forBob })
    const wanted = { new_branch_name: 'release/a/1' }

    assertError(await app.post(ann, `${repo}/branches`, wanted), 403)
    assertStatus(await app.post(bob, `${repo}/branches`, wanted), 201)
  })

  test('are not deleted while a rule is there, by anybody', async (t) => {
    const setup = await start(t)
    const { app, ann, bob } = setup
    await addBranch(setup, 'next')
    await protectBranch(setup, { rule_name: 'next', ...forBob, enable_force_push: true })

    for (const who of [ann, bob]) {
      const answer = await app.delete(who, `${repo}/branches/next`)
      assertError(answer, 403, 'branch next is protected from deletion')
    }
    assertStatus(await app.delete(ann, `${repo}/branch_protections/next`), 204)
    assertStatus(await app.delete(bob, `${repo}/branches/next`), 204)
  })

  test('are moved back only by those who may push with force', async (t) => {
    const setup = await start(t)
    const { app, ann, bob } = setup
    const { id: first } = (await branchOf(setup, ann)).commit
    assertStatus(await write(setup, ann), 201)
    const { id: second } = (await branchOf(setup, ann)).commit
    await protectBranch(setup, { rule_name: 'main', enable_push: true })
    const back = { new_commit_id: first, force: true }

    assertError(
      await app.put(bob, `${repo}/branches/main`, back),
      403,
      'branch main is protected from force push',
    )
    await app.patch(ann, `${repo}/branch_protections/main`, {
      enable_force_push: true,
      enable_force_push_allowlist: true,
      force_push_allowlist_usernames: ['bob'],
    })
    assertError(await app.put(ann, `${repo}/branches/main`, back), 403)
    assertStatus(await app.put(bob, `${repo}/branches/main`, back), 204)
    assertStatus(await app.put(ann, `${repo}/branches/main`, { new_commit_id: second }), 204)
  })

  test('take the rule of their name along when an administrator renames them', async (t) => {
    const setup = await start(t)
    const { app, ann, bob } = setup
    await addBranch(setup, 'next')
    await protectBranch(setup, { rule_name: 'next' })
    const rename = (who: TestCaller, from: string, name: string) =>
      app.patch(who, `${repo}/branches/${from}`, { name })

    assertError(await rename(bob, 'next', 'later'), 403)
    assertStatus(await rename(ann, 'next', 'later'), 204)

    assert.equal((await branchOf(setup, ann, 'later')).effective_branch_protection_name, 'later')
    assertError(await app.get(ann, `${repo}/branch_protections/next`), 404)
  })

  test('are not renamed out of or into what a glob protects', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    await addBranch(setup, 'release/1')
    await addBranch(setup, 'free')
    await protectBranch(setup, { rule_name: 'release/*' })

    for (const [from, name] of [
      ['release/1', 'x'],
      ['free', 'release/2'],
    ] as const) {
      const answer = await app.patch(ann, `${repo}/branches/${from}`, { name })
      assertError(answer, 403, 'Failed to rename branch due to branch protection rules.')
    }
  })
})

suite('tags through the API', () => {
  test('are made and deleted by those whom a rule lists', async (t) => {
    const setup = await start(t)
    const { app, ann, bob } = setup
    await protectTag(setup, { name_pattern: 'v*', whitelist_usernames: ['bob'] })
    const make = (who: TestCaller, tag_name: string) => app.post(who, `${repo}/tags`, { tag_name })

    assertError(await make(ann, 'v1'), 422, 'user not allowed to create protected tag')
    assertStatus(await make(bob, 'v1'), 201)
    assertStatus(await make(ann, 'w1'), 201)
    assertError(
      await app.delete(ann, `${repo}/tags/v1`),
      422,
      'user not allowed to delete protected tag',
    )
    assertStatus(await app.delete(bob, `${repo}/tags/v1`), 204)
  })
})
