import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

/** An organization in which Bob may create, and a repository there that was called `old`. */
async function startRenamed(t: TestContext, changes: ConfigChanges = {}) {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  await app.post(ann, '/orgs', { username: 'acme' })
  const team = {
    name: 'makers',
    permission: 'read',
    can_create_org_repo: true,
    units: ['repo.code'],
  }
  const { id } = (await app.post(ann, '/orgs/acme/teams', team)).body
  await app.put(ann, `/teams/${id}/members/bob`)
  await app.post(ann, '/orgs/acme/repos', { name: 'old' })
  assertStatus(await app.patch(ann, '/repos/acme/old', { name: 'new' }), 200)
  return { app, ann, bob }
}

suite('the old name of a repository', () => {
  test('is free only to those who administer the new one', async (t) => {
    const { app, ann, bob } = await startRenamed(t)
    await app.post(bob, '/orgs/acme/repos', { name: 'other' })

    assertError(await app.post(bob, '/orgs/acme/repos', { name: 'OLD' }), 409)
    assertError(
      await app.patch(bob, '/repos/acme/other', { name: 'Old', description: 'no' }),
      422,
      'repository already exists [uname: acme, name: old]',
    )
    assert.equal((await app.get(bob, '/repos/acme/other')).body.description, '')
    assertStatus(await app.get(ann, '/repos/acme/old'), 301)

    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'old' }), 201)
    assertStatus(await app.get(bob, '/repos/acme/old'), 200)
    assertStatus(await app.delete(ann, '/repos/acme/old'), 204)
    assertStatus(await app.post(bob, '/orgs/acme/repos', { name: 'old' }), 201)
  })

  test('is free to those whose name it is, whoever has the repository now', async (t) => {
    const { app, ann } = await startRenamed(t)
    const dora = await app.addCaller('dora')
    await app.post(ann, '/user/repos', { name: 'mine' })
    for (const path of ['/repos/ann/mine', '/repos/acme/new']) {
      assertStatus(await app.post(ann, `${path}/transfer`, { new_owner: 'dora' }), 201)
      assertStatus(await app.post(dora, `${path}/transfer/accept`), 202)
    }

    assertStatus(await app.post(ann, '/user/repos', { name: 'mine' }), 201)
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'new' }), 201)
    assertStatus(await app.patch(ann, '/repos/acme/new', { name: 'old' }), 200)

    for (const name of ['ann/mine', 'acme/old'])
      assert.equal((await app.get(undefined, `/repos/${name}`)).body.full_name, name)
  })

  test('is free to everybody who may create there, where the settings say so', async (t) => {
    const { app, bob } = await startRenamed(t, { repositories: { strict_redirects: false } })

    const made = await app.post(bob, '/orgs/acme/repos', { name: 'old' })

    assertStatus(made, 201)
    assert.equal((await app.get(bob, '/repos/acme/old')).body.id, made.body.id)
  })

  test('leads on with every method and below it, before anything else is looked at', async (t) => {
    const { app, ann } = await startRenamed(t)
    const old = '/repos/ACME/Old'
    const target = '/api/v1/repos/acme/new'
    const calls: [string, string, string][] = [
      ['GET', '', ''],
      ['HEAD', '', ''],
      ['DELETE', '', ''],
      ['PATCH', '', ''],
      ['POST', '/issues', '/issues'],
      ['GET', '/contents/%C3%BC%20x?ref=a%2Fb&c', '/contents/%C3%BC%20x?ref=a%2Fb&c'],
    ]

    for (const [method, below, kept] of calls) {
      const answer = await app.send(undefined, method, `${old}${below}`)
      assert.equal(answer.status, 301, method)
      assert.equal(answer.headers['location'], `${target}${kept}`)
    }
    const unread = await app.patch(ann, old, { description: 'lost', private: 'x' })
    assert.equal(unread.status, 301)
    const scoped = await app.withToken(ann.account, ['read:issue'])
    assertError(await app.get(scoped, old), 403, /required=\[read:repository\]/)
    assert.equal((await app.get(ann, '/repos/acme/new')).body.description, '')
  })

  test('leads nowhere any more when its place is taken or the repository is gone', async (t) => {
    const { app, ann } = await startRenamed(t)
    await app.post(ann, '/user/repos', { name: 'old' })

    assertStatus(await app.post(ann, '/repos/ann/old/transfer', { new_owner: 'acme' }), 202)

    const moved = (await app.get(ann, '/repos/acme/old')).body
    assert.equal(moved.full_name, 'acme/old')
    assert.equal(
      (await app.get(ann, '/repos/ann/old')).headers['location'],
      '/api/v1/repos/acme/old',
    )
    await app.patch(ann, '/repos/acme/old', { name: 'older' })
    for (const path of ['/repos/ann/OLD', '/repos/acme/old'])
      assert.equal((await app.get(ann, path)).headers['location'], '/api/v1/repos/acme/older')
    await app.patch(ann, '/repos/acme/new', { name: 'old' })
    assert.equal((await app.get(ann, '/repos/acme/old')).body.name, 'old')
    await app.delete(ann, '/repos/acme/older')
    assertError(await app.get(ann, '/repos/ann/old'), 404, 'not found')
    assertStatus(await app.patch(ann, '/repos/acme/old', { name: 'OLD' }), 200)
    assertStatus(await app.get(ann, '/repos/acme/old'), 200)
  })

  test('leads on from all names of many renames at once', async (t) => {
    const { app, ann } = await startRenamed(t)
    const names = ['a', 'b', 'c', 'd', 'NEW', 'e', 'f', 'g']

    const answers = await Promise.all(
      names.map((name) => app.patch(ann, '/repos/acme/new', { name })),
    )

    const { id } = (await app.get(ann, '/orgs/acme/repos')).body[0]
    const given = names.filter((_, index) => answers[index]?.status === 200)
    assert.notEqual(given.length, 0)
    for (const name of ['old', 'new', ...given]) {
      const answer = await app.get(ann, `/repos/acme/${name}`)
      const path = answer.headers['location']?.replace('/api/v1', '') ?? `/repos/acme/${name}`
      assert.equal((await app.get(ann, path)).body.id, id, name)
    }
  })

  test('keeps the path below which the server is published', async (t) => {
    const { app } = await startRenamed(t, { server: { url: 'https://codestead.test/git' } })

    const answer = await app.get(undefined, '/repos/acme/old?a=b')

    assert.equal(answer.headers['location'], '/git/api/v1/repos/acme/new?a=b')
  })
})

suite('the old name of an owner', () => {
  test('leads on, whatever stands below it, for those who may see the new one', async (t) => {
    const { app, ann } = await startRenamed(t)
    const root = await app.addAdmin()
    const stranger = await app.addCaller('stranger')
    await app.post(ann, '/user/repos', { name: 'open' })
    await app.post(root, '/admin/users/ann/rename', { new_username: 'carol' })
    const locations = async (path: string) =>
      Promise.all(
        [undefined, stranger, ann, root].map(async (who) => {
          const { status, headers } = await app.get(who, path)
          return headers['location'] ?? status
        }),
      )
    const led = Array.from({ length: 4 }, () => '/api/v1/repos/carol/none/issues?state=all')

    assert.deepEqual(await locations('/repos/ANN/none/issues?state=all'), led)
    assert.equal((await app.delete(undefined, '/repos/ann/open')).status, 307)
    const [target] = led
    await app.patch(root, '/admin/users/carol', { visibility: 'limited' })
    assert.deepEqual(await locations('/repos/ann/none/issues?state=all'), [
      404,
      target,
      target,
      target,
    ])
    await app.patch(root, '/admin/users/carol', { visibility: 'private' })
    assert.deepEqual(await locations('/repos/ann/none/issues?state=all'), [
      404,
      404,
      target,
      target,
    ])
  })
})
