import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { updateTotpSecret } from '../../../src/identity/auth/queries.ts'
import { enableSecondFactor } from '../../../src/identity/auth/second-factor.ts'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const names = ({ body }: TestAnswer) => body.map(({ name }: { name: string }) => name) as string[]

async function withRepositories(t: TestContext) {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  for (const [name, isPrivate] of [
    ['open', false],
    ['shut', true],
  ] as const) {
    assertStatus(await app.post(ann, '/user/repos', { name, private: isPrivate }), 201)
  }
  return { app, ann, bob }
}

const share = (app: TestApp, owner: TestCaller, path: string, permission: string) =>
  app.put(owner, `/repos/${path}`, { permission })

suite('GET /repos/{owner}/{repo}', () => {
  test('shows a public repository to everybody, a private one to nobody else', async (t) => {
    const { app, ann, bob } = await withRepositories(t)

    for (const who of [undefined, bob]) {
      const open = await app.get(who, '/repos/ANN/OPEN')
      assert.equal(open.body.full_name, 'ann/open')
      assert.deepEqual(open.body.permissions, { admin: false, push: false, pull: true })
      assertError(await app.get(who, '/repos/ann/shut'), 404, 'not found')
    }
    assert.deepEqual((await app.get(ann, '/repos/ann/shut')).body.permissions, {
      admin: true,
      push: true,
      pull: true,
    })
    const scoped = await app.withToken(ann.account, ['write:issue'])
    for (const path of ['/repos/ann/nothing', '/repos/nobody/open']) {
      assertError(await app.get(ann, path), 404, 'not found')
      assertError(await app.get(scoped, path), 403, /required=\[read:repository\]/)
    }
    const head = await app.head(bob, '/repos/ann/open')
    assert.deepEqual([head.status, head.text], [200, ''])
    assert.equal(head.headers['content-type'], 'application/json;charset=utf-8')
  })

  test('shows the address of its owner to those who may read, unless that is hidden', async (t) => {
    const { app, ann, bob } = await withRepositories(t)
    const email = async (who: TestCaller | undefined, path: string) =>
      (await app.get(who, path)).body.owner.email

    for (const who of [undefined, bob, ann])
      assert.equal(await email(who, '/repos/ann/open'), 'ann@example.org')
    await app.patch(ann, '/user/settings', { hide_email: true })
    for (const who of [undefined, bob, ann])
      assert.equal(await email(who, '/repos/ann/open'), `${ann.id}+ann@noreply.codestead.test`)
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'open' })
    assert.equal(await email(undefined, '/repos/acme/open'), '')
    await app.patch(ann, '/orgs/acme', { email: 'all@acme.example' })
    assert.equal(await email(undefined, '/repos/acme/open'), 'all@acme.example')
  })

  test('answers for an absent and a hidden repository equally late', async (t) => {
    const { app, ann, bob } = await withRepositories(t)
    const shut = (await app.get(ann, '/repos/ann/shut')).body.id
    const paths = ['/repos/ann/shut', '/repos/ann/absent', `/repositories/${shut}`]

    for (const path of [...paths, '/repositories/999999']) {
      const began = performance.now()
      assertError(await app.get(bob, path), 404)
      // Timers go by whole milliseconds, and may be one early.
      assert.ok(performance.now() - began > 3, path)
    }
  })

  test('answers for an absent and a hidden repository byte for byte alike', async (t) => {
    const { app, bob } = await withRepositories(t)

    const hidden = await app.get(bob, '/repos/ann/shut')
    const absent = await app.get(bob, '/repos/ann/none')

    assert.equal(hidden.text, absent.text)
    const comparable = ({ headers }: TestAnswer) => ({ ...headers, 'x-request-id': '', date: '' })
    assert.deepEqual(comparable(hidden), comparable(absent))
  })

  test('shows the permissions of collaborators', async (t) => {
    const { app, ann, bob } = await withRepositories(t)
    const cases: [string, object][] = [
      ['read', { admin: false, push: false, pull: true }],
      ['write', { admin: false, push: true, pull: true }],
      ['admin', { admin: true, push: true, pull: true }],
    ]

    for (const [permission, expected] of cases) {
      assertStatus(await share(app, ann, 'ann/shut/collaborators/bob', permission), 204)
      assert.deepEqual((await app.get(bob, '/repos/ann/shut')).body.permissions, expected)
    }
    await app.patch(ann, '/repos/ann/shut', { has_code: false })
    assert.deepEqual((await app.get(bob, '/repos/ann/shut')).body.permissions, {
      admin: true,
      push: false,
      pull: false,
    })
  })

  test('is narrowed by public-only tokens to public repositories of public owners', async (t) => {
    const { app, ann } = await withRepositories(t)
    const limited = await app.addCaller('limited', { visibility: 'limited' })
    await app.post(limited, '/user/repos', { name: 'open', auto_init: true })
    assertStatus(await app.post(ann, '/repos/limited/open/forks', { name: 'fork' }), 202)
    const outside = await app.withToken(ann.account, ['public-only', 'all'])

    assertStatus(await app.get(outside, '/repos/ann/open'), 200)
    assertError(await app.get(outside, '/repos/ann/shut'), 404, 'not found')
    assertError(await app.get(outside, '/repos/limited/open'), 404, 'not found')
    assertStatus(await app.get(ann, '/repos/limited/open'), 200)
    const fork = (await app.get(ann, '/repos/ann/fork')).body
    assert.deepEqual(fork.parent.permissions, { admin: false, push: false, pull: true })
    assert.deepEqual(fork.permissions, { admin: true, push: true, pull: true })
    for (const who of [outside, undefined]) {
      const seen = (await app.get(who, '/repos/ann/fork')).body
      assert.deepEqual([seen.fork, seen.parent], [true, undefined])
    }
  })

  test('hides everything from callers without the second factor that is required', async (t) => {
    const app = await startApp(t, { security: { require_two_factor: true } })
    const ann = await app.addCaller('ann')
    await enableSecondFactor(app.ctx, ann.account)
    await app.post(ann, '/user/repos', { name: 'open' })
    await updateTotpSecret(app.ctx.db, ann.id, '')

    assertError(await app.get(ann, '/repos/ann/open'), 404)
    assertStatus(await app.get(undefined, '/repos/ann/open'), 200)
    await enableSecondFactor(app.ctx, ann.account)
    assertStatus(await app.get(ann, '/repos/ann/open'), 200)
  })

  test('leads on from old names, whoever owned them', async (t) => {
    const { app, ann, bob } = await withRepositories(t)
    const root = await app.addAdmin()
    await app.patch(ann, '/repos/ann/open', { name: 'second' })
    await app.patch(ann, '/repos/ann/second', { name: 'third' })

    const moved = await app.get(undefined, '/repos/Ann/OPEN?a=b')
    assert.equal(moved.status, 301)
    assert.equal(moved.headers['location'], '/api/v1/repos/ann/third?a=b')
    assert.equal(
      (await app.delete(bob, '/repos/ann/second')).headers['location'],
      '/api/v1/repos/ann/third',
    )
    await app.post(root, '/admin/users/ann/rename', { new_username: 'carol' })
    const owner = await app.get(undefined, '/repos/ann/anything')
    assert.equal(owner.status, 307)
    assert.equal(owner.headers['location'], '/api/v1/repos/carol/anything')
    assert.equal(
      (await app.get(undefined, '/repos/carol/open')).headers['location'],
      '/api/v1/repos/carol/third',
    )
  })

  test('does not lead to what the caller may not see', async (t) => {
    const { app, ann, bob } = await withRepositories(t)
    await app.patch(ann, '/repos/ann/shut', { name: 'secret-project' })

    for (const who of [undefined, bob])
      assertError(await app.get(who, '/repos/ann/shut'), 404, 'not found')
    assertStatus(await app.get(ann, '/repos/ann/shut'), 301)
  })

  test('takes the account of a name like a path word for what it is', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const repos = await app.addCaller('repos')
    await app.post(repos, '/user/repos', { name: 'x' })
    await app.post(root, '/admin/users/repos/rename', { new_username: 'other' })

    assert.equal(
      (await app.get(undefined, '/repos/repos/x')).headers['location'],
      '/api/v1/repos/other/x',
    )
  })
})

suite('GET /repositories/{id}', () => {
  test('is the same record by id, for signed-in callers who may see it', async (t) => {
    const { app, ann, bob } = await withRepositories(t)
    const { id } = (await app.get(ann, '/repos/ann/open')).body
    const shut = (await app.get(ann, '/repos/ann/shut')).body.id

    await app.ctx.db.updateTable('repository').set({ language: 'Go' }).execute()
    assert.equal((await app.get(bob, `/repositories/${id}`)).body.full_name, 'ann/open')
    assert.equal((await app.get(bob, '/repos/ann/open')).body.language, 'Go')
    assert.equal((await app.get(bob, `/repositories/${id}`)).body.language, '')
    assert.equal((await app.patch(ann, '/repos/ann/open', {})).body.language, '')
    assert.equal((await app.get(bob, '/repos/search?q=open')).body.data[0].language, 'Go')
    assertError(await app.get(undefined, `/repositories/${id}`), 401, 'token is required')
    for (const unknown of [id, 999_999]) {
      const scoped = await app.withToken(bob.account, ['read:issue'])
      const missing = /required=\[read:repository\], token scope=read:issue$/
      assertError(await app.get(scoped, `/repositories/${unknown}`), 403, missing)
    }
    const outside = await app.withToken(ann.account, ['public-only', 'all'])
    assertStatus(await app.get(outside, `/repositories/${id}`), 200)
    assertError(await app.get(outside, `/repositories/${shut}`), 404, 'not found')
    for (const wrong of [shut, 999999, 0, -1, 'abc', '99999999999999999999']) {
      assertError(await app.get(bob, `/repositories/${wrong}`), 404, 'not found')
    }
  })
})

suite('lists of repositories', () => {
  test('of the caller: owned, shared, of organizations, by name', async (t) => {
    const { app, ann, bob } = await withRepositories(t)
    await app.post(bob, '/user/repos', { name: 'hers', private: true })
    await share(app, bob, 'bob/hers/collaborators/ann', 'read')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'team', private: true })
    await app.post(bob, '/user/repos', { name: 'unrelated' })

    const own = await app.get(ann, '/user/repos')

    assert.deepEqual(names(own), ['hers', 'open', 'shut', 'team'])
    assert.equal(own.headers['x-total-count'], '4')
    assert.deepEqual(names(await app.get(ann, '/user/repos?limit=1&page=2')), ['open'])
    const outside = await app.withToken(ann.account, ['public-only', 'all'])
    assert.deepEqual(names(await app.get(outside, '/user/repos')), ['open'])
    assertError(await app.get(undefined, '/user/repos'), 401)
  })

  test('of an account: what the caller may see, by id, with exact totals', async (t) => {
    const { app, ann, bob } = await withRepositories(t)
    const root = await app.addAdmin()
    const seen = async (who: TestCaller | undefined) => {
      const answer = await app.get(who, '/users/ann/repos')
      assert.equal(answer.headers['x-total-count'], String(answer.body.length))
      return names(answer)
    }

    assert.deepEqual(await seen(ann), ['open', 'shut'])
    assert.deepEqual(await seen(root), ['open', 'shut'])
    assert.deepEqual(await seen(bob), ['open'])
    assert.deepEqual(await seen(undefined), ['open'])
    assertError(await app.get(ann, '/users/nobody/repos'), 404)
  })

  test('of an organization and of its teams', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/orgs', { username: 'acme' })
    for (const name of ['zebra', 'apple', 'shut']) {
      await app.post(ann, '/orgs/acme/repos', { name, private: name === 'shut' })
    }
    const made = await app.post(ann, '/orgs/acme/teams', {
      name: 'devs',
      permission: 'write',
      units: ['repo.code'],
    })
    await app.put(ann, `/teams/${made.body.id}/members/bob`)

    assert.deepEqual(names(await app.get(ann, '/orgs/acme/repos')), ['zebra', 'apple', 'shut'])
    assert.deepEqual(names(await app.get(bob, '/orgs/acme/repos')), ['zebra', 'apple'])
    assert.deepEqual(names(await app.get(bob, `/teams/${made.body.id}/repos`)), [])
    assertStatus(await app.put(ann, `/teams/${made.body.id}/repos/acme/shut`), 204)
    assert.deepEqual(names(await app.get(bob, `/teams/${made.body.id}/repos`)), ['shut'])
    assert.deepEqual(names(await app.get(bob, '/orgs/acme/repos')), ['zebra', 'apple', 'shut'])
    assert.deepEqual((await app.get(bob, '/repos/acme/shut')).body.permissions, {
      admin: false,
      push: true,
      pull: true,
    })
    assert.match((await app.get(bob, '/repos/acme/shut')).body.owner.email, /@noreply/)
  })
})
