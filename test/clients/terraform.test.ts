import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { ed25519Key } from '../identity/keys/support.ts'
import { PASSWORD, startApp, type TestApp, type TestCaller } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'

interface Setup {
  readonly app: TestApp
  /** Administers the server, as the token of a provider usually does. */
  readonly root: TestCaller
}

type Fields = Readonly<Record<string, unknown>>

async function start(t: TestContext): Promise<Setup> {
  const app = await startApp(t)
  const root = await app.addAdmin()
  assertStatus(await app.post(root, '/orgs', { username: 'acme' }), 201)
  const body = { name: 'one', auto_init: true, private: true, trust_model: 'default' }
  assertStatus(await app.post(root, '/orgs/acme/repos', body), 201)
  return { app, root }
}

/**
 * Each of the edits is what is read at `where` afterwards, so that a second plan has nothing to do.
 */
async function assertKept(
  { app, root }: Setup,
  path: string,
  edits: readonly Fields[],
  where: string = path,
): Promise<void> {
  for (const edit of edits) {
    assertStatus(await app.patch(root, path, edit), 200)
    const { body } = await app.get(root, where)
    assert.partialDeepStrictEqual(body, edit)
  }
}

suite('Terraform reads what it wrote', () => {
  test('of organizations and people, also when it empties them', async (t) => {
    const setup = await start(t)
    const { app, root } = setup
    const texts = { full_name: 'Acme, Inc.', description: 'a\nb', location: 'Bern' }
    const website = 'https://example.org/x'
    const empty = { full_name: '', description: '', location: '' }
    await assertKept(setup, '/orgs/acme', [
      { ...texts, website, visibility: 'limited' },
      { ...texts, website, visibility: 'private' },
      { ...empty, website: '', visibility: 'public' },
    ])

    const email = 'Dan.D@example.org'
    const body = { username: 'dan', login_name: 'dan', email, password: PASSWORD, source_id: 0 }
    const { id } = (await app.post(root, '/admin/users', body)).body
    const flags = { active: true, restricted: false, prohibit_login: false }
    const person = { login_name: 'dan', email, visibility: 'public', ...flags }
    const source = { source_id: 0, allow_git_hook: true, allow_import_local: true }
    const limits = { max_repo_creation: -1, allow_create_organization: true }
    const edits = [
      { ...person, ...empty },
      { ...person, ...texts, visibility: 'limited', restricted: true },
      { ...person, ...texts, active: false, prohibit_login: true },
      { ...person, ...empty, login_name: 'daniel', email: 'other@example.org' },
    ]
    for (const edit of edits) {
      const sent = { ...edit, ...source, ...limits, admin: true, must_change_password: true }
      assertStatus(await app.patch(root, '/admin/users/dan', sent), 200)
      const [found] = (await app.get(root, `/users/search?uid=${id}`)).body.data
      assert.partialDeepStrictEqual(found, { ...edit, id, is_admin: true })
    }
  })

  test('of repositories, by their number and under a new name', async (t) => {
    const setup = await start(t)
    const { app, root } = setup
    const { id } = (await app.get(root, '/repos/acme/one')).body
    const units = { has_issues: true, has_wiki: true, has_pull_requests: true, has_projects: true }
    const merges = {
      allow_merge_commits: true,
      allow_rebase: true,
      allow_rebase_explicit: true,
      allow_squash_merge: true,
      allow_manual_merge: true,
      autodetect_manual_merge: true,
    }
    const plain = { description: '', website: '', private: true, template: false, archived: false }
    const all = { name: 'one', default_branch: 'main', ...plain, ...units, ...merges }
    const edits: Fields[] = [
      { ...all, ignore_whitespace_conflicts: true },
      { ...all, description: ' two\nlines ', website: 'https://example.org', private: false },
      { ...all, has_issues: false, has_wiki: false, has_projects: false, template: true },
      { ...all, allow_merge_commits: false, allow_rebase: false, allow_manual_merge: false },
      { ...all, archived: true },
      { ...all, archived: true, description: 'while archived', has_wiki: false },
      { ...all, default_merge_style: 'squash' },
    ]
    await assertKept(setup, '/repos/acme/one', edits, `/repositories/${id}`)

    assertStatus(await app.patch(root, '/repos/acme/one', { ...all, name: 'two' }), 200)
    const { body } = await app.get(root, `/repositories/${id}`)
    assert.deepEqual([body.full_name, body.mirror_interval], ['acme/two', ''])
  })

  test('of webhooks and protected branches', async (t) => {
    const setup = await start(t)
    const { app, root } = setup
    const repo = '/repos/acme/one'
    const config = { url: 'https://example.org/hook', content_type: 'json' }
    const hook = { config, events: ['push', 'release'], branch_filter: '*', active: true }
    const { id } = (await app.post(root, `${repo}/hooks`, { ...hook, type: 'gitea' })).body
    await assertKept(setup, `${repo}/hooks/${id}`, [
      { ...hook, active: false, branch_filter: '{main,feature/*}' },
      { ...hook, config: { url: 'https://example.org/2', content_type: 'form' } },
      { ...hook, events: ['create'] },
    ])

    const nobody = { push_whitelist_usernames: [], push_whitelist_teams: [] }
    const rule = {
      enable_push: false,
      enable_push_whitelist: false,
      ...nobody,
      enable_status_check: false,
      status_check_contexts: [],
      required_approvals: 0,
      protected_file_patterns: '',
      unprotected_file_patterns: '',
    }
    const made = { ...rule, branch_name: 'release/*', rule_name: 'release/*' }
    assertStatus(await app.post(root, `${repo}/branch_protections`, made), 201)
    const pushers = { enable_push: true, enable_push_whitelist: true }
    const checks = { enable_status_check: true, status_check_contexts: ['ci/*', 'build'] }
    await assertKept(setup, `${repo}/branch_protections/release%2F*`, [
      { ...rule, ...pushers, push_whitelist_usernames: ['root'] },
      { ...rule, ...checks, required_approvals: 2, protected_file_patterns: '*.lock;/x/**' },
      { ...rule, block_on_rejected_reviews: true, dismiss_stale_approvals: true },
      rule,
    ])
  })

  test('of keys, secrets and variables, and of what is gone it hears 404', async (t) => {
    const { app, root } = await start(t)
    const repo = '/repos/acme/one'
    await app.addPerson('dan')
    const key = { title: 'laptop', key: ed25519Key('dan@example.org'), read_only: true }
    const deploys = { ...key, key: ed25519Key('ci@example.org') }
    const own = (await app.post(root, '/admin/users/dan/keys', key)).body
    const deploy = (await app.post(root, `${repo}/keys`, deploys)).body
    const read = await app.get(root, `/user/keys/${own.id}`)
    assert.partialDeepStrictEqual(read.body, { title: key.title, key: key.key, read_only: true })
    assert.equal(read.body.user.login, 'dan')
    assert.partialDeepStrictEqual((await app.get(root, `${repo}/keys/${deploy.id}`)).body, deploys)

    const secret = `${repo}/actions/secrets/TOKEN`
    const variable = `${repo}/actions/variables/PLACE`
    assertStatus(await app.put(root, secret, { data: 'a' }), 201)
    const [before] = (await app.get(root, `${repo}/actions/secrets`)).body
    app.passTime(3600)
    assertStatus(await app.put(root, secret, { data: 'b' }), 204)
    assert.deepEqual((await app.get(root, `${repo}/actions/secrets`)).body, [before])
    assertStatus(await app.post(root, variable, { value: 'a' }), 201)
    assertStatus(await app.put(root, variable, { value: 'b\n' }), 204)
    assert.equal((await app.get(root, variable)).body.data, 'b\n')

    assertStatus(await app.delete(root, `/admin/users/dan/keys/${own.id}`), 204)
    for (const path of [`${repo}/keys/${deploy.id}`, variable.toLowerCase()]) {
      assertStatus(await app.delete(root, path), 204)
    }
    const gone = [`/user/keys/${own.id}`, `${repo}/keys/${deploy.id}`, variable]
    for (const path of gone) assertStatus(await app.get(root, path), 404)
  })
})
