import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { addOrganization, addTeam } from '../../identity/organizations/setup.ts'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const logins = ({ body }: TestAnswer) =>
  body.map(({ login }: { login: string }) => login) as string[]

async function withRepository(t: TestContext, options: object = {}) {
  const app = await startApp(t)
  const [ann, bob, cat] = [
    await app.addCaller('ann'),
    await app.addCaller('bob'),
    await app.addCaller('cat'),
  ]
  await app.post(ann, '/user/repos', { name: 'r', ...options })
  const path = '/repos/ann/r/collaborators'
  return { app, ann, bob, cat, path }
}

suite('/repos/{owner}/{repo}/collaborators', () => {
  test('are added, changed and removed', async (t) => {
    const { app, ann, bob, path } = await withRepository(t, { private: true })

    assertError(await app.get(ann, `${path}/bob`), 404, 'not found')
    assertStatus(await app.put(ann, `${path}/BOB`, { permission: 'read' }), 204)
    assertStatus(await app.get(bob, `${path}/bob`), 204)
    assertStatus(await app.put(ann, `${path}/bob`, { permission: 'admin' }), 204)
    assert.deepEqual(logins(await app.get(ann, path)), ['bob'])
    assertStatus(await app.delete(bob, `${path}/bob`), 204)
    assertError(await app.get(bob, '/repos/ann/r'), 404)
    assertStatus(await app.delete(ann, `${path}/bob`), 204)
  })

  test('write unless a level is given', async (t) => {
    const { app, ann, path } = await withRepository(t)

    for (const body of [undefined, {}, { permission: null }, { permission: '' }]) {
      await app.put(ann, `${path}/bob`, { permission: 'read' })
      assertStatus(await app.put(ann, `${path}/bob`, body), 204)
      assert.equal((await app.get(ann, `${path}/bob/permission`)).body.permission, 'write')
    }
  })

  test('are managed by administrators of the repository, and known', async (t) => {
    const { app, ann, bob, path } = await withRepository(t)
    await app.put(ann, `${path}/bob`, { permission: 'write' })
    const unknown = 'user does not exist [uid: 0, name: nobody]'

    assertError(await app.put(bob, `${path}/cat`, { permission: 'read' }), 403)
    assertError(await app.delete(bob, `${path}/bob`), 403)
    assertError(await app.put(undefined, `${path}/cat`, {}), 401)
    assertError(await app.get(undefined, path), 401)
    assertError(await app.put(ann, `${path}/nobody`, {}), 422, unknown)
    assertError(await app.get(ann, `${path}/nobody`), 422, unknown)
    assertError(await app.delete(ann, `${path}/nobody`), 422, unknown)
    for (const permission of ['owner', 'none', 'nonsense']) {
      assertError(await app.put(ann, `${path}/cat`, { permission }), 422)
    }
  })

  test('are not added where one blocks the other', async (t) => {
    const { app, ann, bob, path } = await withRepository(t)
    await app.put(bob, '/user/blocks/ann')

    assertError(await app.put(ann, `${path}/bob`, {}), 403, 'user is blocked')
  })

  test('lose stars and watches with their access', async (t) => {
    const { app, ann, bob, path } = await withRepository(t, { private: true })
    await app.put(ann, `${path}/bob`, {})
    await app.put(bob, '/user/starred/ann/r')
    await app.put(bob, '/repos/ann/r/subscription')

    await app.delete(ann, `${path}/bob`)

    assert.partialDeepStrictEqual((await app.get(ann, '/repos/ann/r')).body, {
      stars_count: 0,
      watchers_count: 1,
    })
    assert.deepEqual((await app.get(bob, '/user/subscriptions')).body, [])
  })

  test('their level is told to themselves and to administrators', async (t) => {
    const { app, ann, bob, path } = await withRepository(t, { private: true })
    await app.put(ann, `${path}/bob`, { permission: 'read' })
    const root = await app.addAdmin()
    const level = async (who: typeof ann, name: string) =>
      (await app.get(who, `${path}/${name}/permission`)).body.permission

    assert.equal(await level(ann, 'cat'), 'none')
    assert.equal(await level(ann, 'ann'), 'owner')
    assert.equal(await level(bob, 'bob'), 'read')
    assert.equal(await level(root, 'bob'), 'read')
    assertError(await app.get(bob, `${path}/cat/permission`), 403, /^Only admins can query/)
    assertError(
      await app.get(ann, `${path}/nobody/permission`),
      404,
      'user does not exist [uid: 0, name: nobody]',
    )
    const shown = (await app.get(bob, `${path}/bob/permission`)).body
    assert.equal(shown.role_name, 'read')
    assert.equal(shown.user.login, 'bob')
  })

  test('the level of a team is theirs, unless it has one for each unit', async (t) => {
    const { app, ann, bob, cat } = await withRepository(t)
    await addOrganization(app, ann, 'acme')
    await app.post(ann, '/orgs/acme/repos', { name: 'box', private: true })
    const dan = await app.addCaller('dan')
    const all = { includes_all_repositories: true, units: undefined }
    await addTeam(app, ann, 'acme', { name: 'readers', permission: 'read', ...all }, [bob])
    await addTeam(app, ann, 'acme', { name: 'writers', permission: 'write', ...all }, [bob])
    const map = { 'repo.code': 'write' }
    await addTeam(app, ann, 'acme', { name: 'coders', units_map: map, ...all }, [cat])
    await addTeam(app, ann, 'acme', { name: 'admins', permission: 'admin', ...all }, [dan])
    const level = async (name: string) =>
      (await app.get(ann, `/repos/acme/box/collaborators/${name}/permission`)).body

    assert.partialDeepStrictEqual(await level('bob'), { permission: 'write', role_name: 'write' })
    assert.partialDeepStrictEqual(await level('cat'), { permission: 'none', role_name: 'none' })
    assert.partialDeepStrictEqual(await level('dan'), { permission: 'owner', role_name: 'owner' })
  })
})

suite('assignees and reviewers', () => {
  test('are those who write, and those who read, the owner last', async (t) => {
    const { app, ann, bob, cat, path } = await withRepository(t)
    await app.put(ann, `${path}/bob`, { permission: 'write' })
    assertError(
      await app.get(cat, '/repos/ann/r/reviewers'),
      403,
      'doer has no permission to get reviewers',
    )
    await app.put(ann, `${path}/cat`, { permission: 'read' })

    assert.deepEqual(logins(await app.get(cat, '/repos/ann/r/assignees')), ['bob', 'ann'])
    assert.deepEqual(logins(await app.get(cat, '/repos/ann/r/reviewers')), ['bob', 'cat', 'ann'])
    assertError(await app.get(undefined, '/repos/ann/r/assignees'), 401)
    assertError(await app.get(undefined, '/repos/ann/r/reviewers'), 401)
    assertStatus(await app.get(bob, '/repos/ann/r/reviewers'), 200)
  })

  test('in an organization come from its teams', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'r' })
    const team = await app.post(ann, '/orgs/acme/teams', {
      name: 'readers',
      units_map: { 'repo.issues': 'read' },
    })
    await app.put(ann, `/teams/${team.body.id}/members/bob`)

    assert.deepEqual(logins(await app.get(ann, '/repos/acme/r/assignees')), ['ann'])
    await app.put(ann, `/teams/${team.body.id}/repos/acme/r`)
    assert.deepEqual(logins(await app.get(bob, '/repos/acme/r/assignees')), ['ann', 'bob'])
    assert.deepEqual(logins(await app.get(ann, '/repos/acme/r/reviewers')), ['ann'])
  })
})
