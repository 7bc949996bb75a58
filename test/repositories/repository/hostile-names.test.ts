import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { suite, test } from 'node:test'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

const names = [
  '..',
  '.',
  '-',
  'a/../b',
  '../b',
  '/abs',
  'a\\b',
  '..\\b',
  'a..b',
  '%2e%2e',
  'a%00b',
  'a%2fb',
  'one.git',
  'one.wiki',
  'one.RSS',
  'one.atom',
  'a b',
  ' a',
  'a ',
  'a\n',
  'a\tb',
  '\u212aernel',
  '\u0130x',
  '\u0131x',
  '\uff0e\uff0e',
  '\u2024\u2024',
  'a\u202eb',
  'a:b',
  'a;b',
  'a\u0000b',
]

const filesOf = ({ ctx }: TestApp) => readdirSync(ctx.config.data, { recursive: true }).length

suite('a name that could be a path, or look like another', () => {
  test('is given to nothing, whichever way it is asked for', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
    const template = { name: 'one', auto_init: true, template: true }
    assertStatus(await app.post(ann, '/user/repos', template), 201)
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'base', auto_init: true }), 201)
    const clone_addr = 'https://example.org/x.git'
    const person = { email: 'x@example.org', password: 'password1' }
    const forRepositories: Record<string, (name: string) => ReturnType<TestApp['post']>> = {
      create: (name) => app.post(ann, '/user/repos', { name }),
      'create there': (name) => app.post(ann, '/orgs/acme/repos', { name }),
      generate: (name) =>
        app.post(ann, '/repos/ann/one/generate', { owner: 'ann', name, git_content: true }),
      fork: (name) => app.post(ann, '/repos/acme/base/forks', { name }),
      rename: (name) => app.patch(ann, '/repos/ann/one', { name }),
      migrate: (name) => app.post(ann, '/repos/migrate', { clone_addr, repo_name: name }),
    }
    const forOwners: typeof forRepositories = {
      transfer: (name) => app.post(ann, '/repos/ann/one/transfer', { new_owner: name }),
      organization: (name) => app.post(ann, '/orgs', { username: name }),
      person: (name) => app.post(root, '/admin/users', { ...person, username: name }),
      'rename a person': (name) =>
        app.post(root, '/admin/users/ann/rename', { new_username: name }),
      'rename an organization': (name) => app.post(ann, '/orgs/acme/rename', { new_name: name }),
    }
    const before = filesOf(app)

    for (const name of names) {
      const isOfRepository = /\.(git|wiki)$/.test(name)
      const asking = isOfRepository ? forRepositories : { ...forRepositories, ...forOwners }
      for (const [way, ask] of Object.entries(asking)) {
        const { status } = await ask(name)
        assert.ok(status === 422 || status === 404, `${way} ${JSON.stringify(name)}: ${status}`)
      }
    }

    assert.equal(filesOf(app), before)
    const repositories = await app.ctx.db.selectFrom('repository').select('name').execute()
    assert.deepEqual(repositories.map(({ name }) => name).sort(), ['base', 'one'])
    assert.equal((await app.get(root, '/admin/orgs')).headers['x-total-count'], '1')
    assert.equal((await app.get(root, '/admin/users')).headers['x-total-count'], '2')
  })

  test('leads nowhere in an address', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
    const around = ['..%2fann', 'ann%2f..%2fann', 'ann%5c', 'ann%00', '%61nn%20', 'ann%0a']
    // The first two never arrive: whoever sends them follows them. Two others are the repository's
    // own addresses.
    const own = ['..', '.', 'one.git', 'one.wiki']
    const parts = names.filter((name) => !own.includes(name)).map(encodeURIComponent)

    for (const part of [...around, ...parts]) {
      for (const path of [
        `/users/${part}`,
        `/repos/${part}/one`,
        `/repos/ann/${part}`,
        `/repos/ann/one%2f..%2f${part}`,
        `^/${part}/one/info/refs?service=git-upload-pack`,
        `^/ann/${part}/info/refs?service=git-upload-pack`,
        `^/ann/${part}/raw/branch/main/README.md`,
        `^/ann/${part}/archive/main.zip`,
        `^/attachments/${part}`,
        `^/avatars/${part}`,
      ]) {
        const { status } = await app.get(ann, path)
        assert.ok(status === 404 || status === 400, `${path}: ${status}`)
      }
    }
  })
})
