import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestAnswer } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'

const names = ({ body }: TestAnswer) => body.map(({ name }: { name: string }) => name) as string[]

async function withTeam(t: TestContext, org: object = {}) {
  const app = await startApp(t)
  const [ann, bob, cat] = [
    await app.addCaller('ann'),
    await app.addCaller('bob'),
    await app.addCaller('cat'),
  ]
  await app.post(ann, '/orgs', { username: 'acme', ...org })
  await app.post(ann, '/orgs/acme/repos', { name: 'box', private: true })
  const made = await app.post(ann, '/orgs/acme/teams', {
    name: 'devs',
    permission: 'write',
    units: ['repo.code'],
  })
  const id = made.body.id as number
  await app.put(ann, `/teams/${id}/members/bob`)
  return { app, ann, bob, cat, id, link: `/teams/${id}/repos/acme/box` }
}

suite('/teams/{id}/repos/{org}/{repo}', () => {
  test('gives a repository to a team and takes it back', async (t) => {
    const { app, ann, bob, link } = await withTeam(t)

    assertError(await app.get(ann, link), 404)
    for (const _ of [1, 2]) assertStatus(await app.put(ann, link), 204)
    assert.equal((await app.get(bob, link)).body.full_name, 'acme/box')
    assert.equal((await app.get(bob, '/repos/acme/box')).body.permissions.push, true)
    for (const _ of [1, 2]) assertStatus(await app.delete(ann, link), 204)
    assertError(await app.get(bob, '/repos/acme/box'), 404)
  })

  test('takes repositories of the same organization only', async (t) => {
    const { app, ann, id } = await withTeam(t)
    await app.post(ann, '/user/repos', { name: 'own' })

    assertError(await app.put(ann, `/teams/${id}/repos/ann/own`), 404)
    assertError(await app.put(ann, `/teams/${id}/repos/acme/nothing`), 404)
    assertError(await app.put(ann, '/teams/999999/repos/acme/box'), 404)
  })

  test('is changed by owners, or by administrators of the repository where the organization says so', async (t) => {
    for (const allowed of [false, true]) {
      const { app, ann, bob, cat, link } = await withTeam(t, {
        repo_admin_change_team_access: allowed,
      })
      await app.put(ann, link)
      assertError(await app.put(cat, link), 404)
      assertError(
        await app.delete(bob, link),
        403,
        'Must have admin-level access to the repository',
      )
      await app.put(ann, '/repos/acme/box/collaborators/bob', { permission: 'admin' })
      assertStatus(await app.delete(bob, link), allowed ? 204 : 403)
    }
  })
})

suite('/repos/{owner}/{repo}/teams', () => {
  test('lists, gives and takes by name', async (t) => {
    const { app, ann } = await withTeam(t)
    const teams = '/repos/acme/box/teams'

    assert.deepEqual(names(await app.get(ann, teams)), ['Owners'])
    assertError(await app.get(ann, `${teams}/devs`), 404)
    assertStatus(await app.put(ann, `${teams}/DEVS`), 204)
    assert.deepEqual(names(await app.get(ann, teams)), ['Owners', 'devs'])
    assert.equal((await app.get(ann, `${teams}/devs`)).body.name, 'devs')
    assertError(await app.put(ann, `${teams}/devs`), 422, "team 'devs' is already added to repo")
    assertStatus(await app.delete(ann, `${teams}/devs`), 204)
    assertError(await app.delete(ann, `${teams}/devs`), 422, "team 'devs' was not added to repo")
    assertError(await app.put(ann, `${teams}/nothing`), 404, /^team does not exist/)
  })

  test('exists for organizations only, and is changed by owners', async (t) => {
    const { app, ann, bob, link } = await withTeam(t)
    await app.post(ann, '/user/repos', { name: 'own' })
    await app.put(ann, link)

    assertError(await app.get(ann, '/repos/ann/own/teams'), 405)
    assertError(await app.put(bob, '/repos/acme/box/teams/Owners'), 403)
    assertError(await app.get(undefined, '/repos/acme/box/teams'), 404)
  })
})
