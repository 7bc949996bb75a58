import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const names = ({ body }: TestAnswer) => body.map(({ name }: { name: string }) => name) as string[]

async function withTeam(t: TestContext, org: object = {}, changes: ConfigChanges = {}) {
  const app = await startApp(t, changes)
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

  test('lists the repositories of a team by their names', async (t) => {
    const { app, ann, bob, id } = await withTeam(t)
    for (const name of ['Zoo', 'apple', 'Bread']) {
      await app.post(ann, '/orgs/acme/repos', { name })
      assertStatus(await app.put(ann, `/teams/${id}/repos/acme/${name}`), 204)
    }

    assert.deepEqual(names(await app.get(bob, `/teams/${id}/repos`)), ['apple', 'Bread', 'Zoo'])
  })

  test('gives a repository to many teams at once, and counts who watches it then', async (t) => {
    const { app, ann } = await withTeam(t)
    const before = (await app.get(ann, '/repos/acme/box')).body.watchers_count as number
    const links: string[] = []
    for (const number of Array(8).keys()) {
      const rights = { permission: 'read', units: ['repo.code'] }
      const team = await app.post(ann, '/orgs/acme/teams', { name: `team${number}`, ...rights })
      await app.put(ann, `/teams/${team.body.id}/members/${number % 2 ? 'bob' : 'cat'}`)
      links.push(`/teams/${team.body.id}/repos/acme/box`)
    }

    const answers = await Promise.all(links.map((link) => app.put(ann, link)))

    assert.deepEqual(
      answers.map(({ status }) => status),
      links.map(() => 204),
    )
    assert.equal((await app.get(ann, '/repos/acme/box')).body.watchers_count, before + 2)
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

suite('a team that is shown to others', () => {
  test('is given repositories by those in it and by owners alone', async (t) => {
    const { app, ann, bob, cat, link } = await withTeam(t, { repo_admin_change_team_access: true })
    const eve = await app.addCaller('eve')
    const others = await app.post(ann, '/orgs/acme/teams', { name: 'others', permission: 'read' })
    await app.put(ann, `/teams/${others.body.id}/members/cat`)
    for (const name of ['bob', 'cat', 'eve']) {
      await app.put(ann, `/repos/acme/box/collaborators/${name}`, { permission: 'admin' })
    }

    for (const visibility of ['limited', 'public']) {
      await app.patch(ann, link.replace('/repos/acme/box', ''), { visibility })
      assertStatus(await app.put(bob, link), 204)
      assertStatus(await app.get(cat, link), 200)
      for (const method of ['PUT', 'DELETE']) {
        assertError(await app.send(cat, method, link), 403, 'Must be a team member')
        assertError(await app.send(eve, method, link), 404, 'not found')
      }
      assertStatus(await app.get(ann, link), 200)
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

suite('watching through teams', () => {
  async function startWatching(t: TestContext, org: object = {}, changes: ConfigChanges = {}) {
    const { app, ann, bob, cat, id, link } = await withTeam(t, org, changes)
    await app.post(ann, '/orgs/acme/repos', { name: 'open' })
    /** How many watch, and how many say they do: the same. */
    const watchers = async (name: string) => {
      const { id: repositoryId, watchers_count: count } = (
        await app.get(ann, `/repos/acme/${name}`)
      ).body
      const rows = await app.ctx.db
        .selectFrom('watch')
        .innerJoin('account', 'account.id', 'watch.account_id')
        .select('account.name')
        .where('repository_id', '=', repositoryId as number)
        .orderBy('account.name')
        .execute()
      assert.equal(count, rows.length)
      return rows.map((row) => row.name).join(' ')
    }
    return { app, ann, bob, cat, id, link, watchers }
  }

  test('begins when a team gets a repository, and when somebody joins', async (t) => {
    const { app, ann, bob, id, link, watchers } = await startWatching(t)
    assert.equal(await watchers('box'), 'ann')

    assertStatus(await app.put(ann, link), 204)
    assert.equal(await watchers('box'), 'ann bob')
    // Who does not want to is not asked again.
    assertStatus(await app.delete(bob, '/repos/acme/box/subscription'), 204)
    assertStatus(await app.put(ann, link), 204)
    assertStatus(await app.put(ann, `/teams/${id}/members/bob`), 204)
    assert.equal(await watchers('box'), 'ann')
    assertStatus(await app.put(ann, `/teams/${id}/members/cat`), 204)
    assert.deepEqual([await watchers('box'), await watchers('open')], ['ann cat', 'ann'])
    assertStatus(await app.put(ann, '/repos/acme/open/teams/devs'), 204)
    assert.equal(await watchers('open'), 'ann bob cat')
    await app.post(ann, '/orgs/acme/repos', { name: 'third' })
    const edit = { name: 'devs', includes_all_repositories: true }
    assertStatus(await app.patch(ann, `/teams/${id}`, edit), 200)
    assert.equal(await watchers('third'), 'ann bob cat')
  })

  test('ends with the access to a private repository, however that goes', async (t) => {
    const { app, ann, id, link, watchers } = await startWatching(t)
    const join = (name: string) => app.put(ann, `/teams/${id}/members/${name}`)
    await app.put(ann, '/repos/acme/open/teams/devs')
    await app.put(ann, link)
    await join('cat')
    await app.put(ann, '/repos/acme/box/collaborators/cat')

    assert.equal(await watchers('box'), 'ann bob cat')
    assertStatus(await app.delete(ann, `/teams/${id}/members/bob`), 204)
    assert.deepEqual([await watchers('box'), await watchers('open')], ['ann cat', 'ann bob cat'])
    await join('bob')
    assertStatus(await app.delete(ann, link), 204)
    assert.equal(await watchers('box'), 'ann cat')
    assertStatus(await app.put(ann, '/repos/acme/box/teams/devs'), 204)
    assert.equal(await watchers('box'), 'ann bob cat')
    assertStatus(await app.delete(ann, '/orgs/acme/members/bob'), 204)
    assert.equal(await watchers('box'), 'ann cat')
    for (const all of [true, false]) {
      await app.delete(ann, '/repos/acme/box/teams/devs')
      await join('bob')
      const edit = { name: 'devs', includes_all_repositories: all }
      assertStatus(await app.patch(ann, `/teams/${id}`, edit), 200)
      assert.equal(await watchers('box'), all ? 'ann bob cat' : 'ann cat')
    }
    await app.put(ann, link)
    assertStatus(await app.delete(ann, `/teams/${id}`), 204)
    assert.deepEqual([await watchers('box'), await watchers('open')], ['ann cat', 'ann bob cat'])
  })

  test('of a public repository ends with the membership where the organization is private', async (t) => {
    const { app, ann, watchers } = await startWatching(t, { visibility: 'private' })
    await app.put(ann, '/repos/acme/open/teams/devs')
    assert.equal(await watchers('open'), 'ann bob')

    assertStatus(await app.delete(ann, '/orgs/acme/members/bob'), 204)
    assert.equal(await watchers('open'), 'ann')
  })

  test('is left to people where the server is told so', async (t) => {
    const { app, ann, id, watchers } = await startWatching(
      t,
      {},
      { repositories: { auto_watch: false } },
    )
    await app.put(ann, '/repos/acme/open/teams/devs')
    await app.put(ann, `/teams/${id}/members/cat`)

    assert.equal(await watchers('open'), '')
  })
})
