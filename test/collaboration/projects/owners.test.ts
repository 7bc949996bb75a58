import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { column, withTracker } from '../issues/setup.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const team = (name: string, units_map: object) => ({ name, units_map, permission: 'read' })

/**
 * Ann's organization acme with a public and a private repository, and a board. Cat arranges boards,
 * dan reads them, eve is in a team without boards; bob is in none.
 */
async function withOrganization(t: TestContext) {
  const app = await startApp(t)
  const people: Record<string, TestCaller> = {}
  for (const name of ['ann', 'bob', 'cat', 'dan', 'eve']) people[name] = await app.addCaller(name)
  const { ann, bob, cat, dan, eve } = people as Record<
    'ann' | 'bob' | 'cat' | 'dan' | 'eve',
    TestCaller
  >
  assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
  for (const [name, isPrivate] of [
    ['open', false],
    ['secret', true],
  ]) {
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name, private: isPrivate }), 201)
  }
  const teams = {
    cat: team('planners', { 'repo.projects': 'write', 'repo.issues': 'read' }),
    dan: team('readers', { 'repo.projects': 'read', 'repo.issues': 'read' }),
    eve: team('coders', { 'repo.code': 'write' }),
  }
  for (const [name, body] of Object.entries(teams)) {
    const made = await app.post(ann, '/orgs/acme/teams', body)
    assertStatus(made, 201)
    assertStatus(await app.put(ann, `/teams/${made.body.id}/members/${name}`), 204)
  }
  const { body } = await app.post(ann, '/orgs/acme/projects', {
    title: 'Plan',
    template_type: 'basic_kanban',
  })
  const board = `/orgs/acme/projects/${body.id}`
  const columns = (await app.get(ann, `${board}/columns`)).body as { id: number }[]
  const issueIn = async (name: string, title: string) =>
    (await app.post(ann, `/repos/acme/${name}/issues`, { title })).body as {
      id: number
      number: number
    }
  return { app, ann, bob, cat, dan, eve, board, id: body.id as number, columns, issueIn }
}

async function makePrivate(app: TestApp, who: TestCaller): Promise<void> {
  assertStatus(await app.patch(who, '/orgs/acme', { visibility: 'private' }), 200)
}

suite('projects of an organization', () => {
  test('say whose they are, and hold issues of its repositories', async (t) => {
    const { app, ann, bob, cat, board, id, columns, issueIn } = await withOrganization(t)
    const org = (await app.get(ann, '/orgs/acme')).body
    assert.partialDeepStrictEqual((await app.get(bob, board)).body, {
      id,
      title: 'Plan',
      owner_id: org.id,
      repo_id: 0,
      type: 'organization',
      html_url: `http://codestead.test/acme/-/projects/${id}`,
    })
    const [first, second] = columns
    const one = await issueIn('open', 'one')
    const hidden = await issueIn('secret', 'hidden')
    const put = (issue: { id: number }) =>
      app.post(ann, `${board}/columns/${first?.id}/issues/${issue.id}`)
    assertStatus(await put(one), 201)
    assertStatus(await put(hidden), 201)

    const listed = await app.get(ann, `${board}/columns/${first?.id}/issues`)
    assert.deepEqual(column(listed, 'title'), ['one', 'hidden'])
    const seen = await app.get(bob, `${board}/columns/${first?.id}/issues`)
    assert.deepEqual(column(seen, 'title'), ['one'])
    assert.equal(seen.headers['x-total-count'], '1')
    assert.equal((await app.get(ann, board)).body.num_issues, 2)
    assert.equal((await app.get(bob, board)).body.num_issues, 1)
    const { projects } = (await app.get(bob, '/repos/acme/open/issues/1')).body
    assert.deepEqual([projects[0].id, projects[0].num_issues], [id, 1])

    const move = { column_id: second?.id }
    assertStatus(await app.post(cat, `${board}/issues/${one.id}/move`, move), 204)
    assertStatus(await app.delete(cat, `${board}/columns/${second?.id}/issues/${one.id}`), 204)
    assert.equal((await app.get(bob, '/repos/acme/open/issues/1')).body.projects, null)
    const events = await app.get(ann, '/repos/acme/open/issues/1/timeline')
    assert.deepEqual(
      [column(events, 'type'), column(events, 'project_id'), column(events, 'old_project_id')],
      [
        ['project', 'project_board', 'project'],
        [id, id, 0],
        [0, 0, id],
      ],
    )
  })

  test('are read by who sees it, but by members as their teams say, and changed by teams that write them', async (t) => {
    const { app, ann, bob, cat, dan, eve, board } = await withOrganization(t)
    const root = await app.addAdmin()
    for (const who of [undefined, ann, bob, cat, dan, root]) {
      assertStatus(await app.get(who, board), 200)
      assert.equal((await app.get(who, '/orgs/acme/projects')).headers['x-total-count'], '1')
    }
    assertError(await app.get(eve, board), 404)
    assertError(await app.get(eve, '/orgs/acme/projects'), 404)
    assertError(await app.post(undefined, '/orgs/acme/projects', { title: 'x' }), 401)
    for (const who of [bob, dan]) {
      assertError(await app.post(who, '/orgs/acme/projects', { title: 'x' }), 403)
      assertError(await app.patch(who, board, { title: 'x' }), 403)
      assertError(await app.delete(who, board), 403)
      assertError(await app.post(who, `${board}/columns`, { title: 'x' }), 403)
    }
    assertError(await app.patch(eve, board, { title: 'x' }), 404)
    assertStatus(await app.patch(cat, board, { title: 'cat' }), 200)
    assertStatus(await app.patch(root, board, { title: 'root' }), 200)
    assertStatus(await app.post(cat, `${board}/columns`, { title: 'more' }), 201)

    await makePrivate(app, ann)
    for (const who of [undefined, bob]) assertError(await app.get(who, board), 404)
    for (const who of [cat, dan]) assertStatus(await app.get(who, board), 200)
    assertStatus(await app.delete(cat, board), 204)
    assertError(await app.get(cat, board), 404)
  })

  test('take no issues of others, nor of repositories that keep to their own or are archived', async (t) => {
    const { app, ann, cat, board, columns, issueIn } = await withOrganization(t)
    const [first] = columns
    const put = (who: TestCaller, id: number) =>
      app.post(who, `${board}/columns/${first?.id}/issues/${id}`)
    assertStatus(await app.post(ann, '/user/repos', { name: 'own' }), 201)
    const foreign = (await app.post(ann, '/repos/ann/own/issues', { title: 'foreign' })).body
    assertError(await put(ann, foreign.id), 404)
    assertError(await put(ann, 999_999), 404)
    // Planners read no code, so a private repository of another team is none to them.
    const hidden = await issueIn('secret', 'hidden')
    assertError(await put(cat, hidden.id), 404)

    const one = await issueIn('open', 'one')
    const only = { has_projects: true, projects_mode: 'repo' }
    await app.patch(ann, '/repos/acme/open', only)
    assertError(await put(ann, one.id), 422)
    await app.patch(ann, '/repos/acme/open', { has_projects: false })
    assertError(await put(ann, one.id), 422)
    await app.patch(ann, '/repos/acme/open', { has_projects: true, projects_mode: 'owner' })
    assertStatus(await put(ann, one.id), 201)
    await app.patch(ann, '/repos/acme/open', { ...only, archived: true })
    assertError(await put(ann, one.id), 423)
    await app.patch(ann, '/repos/acme/open', { archived: false })
    assertStatus(await app.delete(ann, `${board}/columns/${first?.id}/issues/${one.id}`), 204)
  })

  test('are chosen with an issue, as far as its writer sees them', async (t) => {
    const { app, ann, eve, id } = await withOrganization(t)
    const open = '/repos/acme/open'
    const own = (await app.post(ann, `${open}/projects`, { title: 'own' })).body.id
    const made = await app.post(ann, `${open}/issues`, { title: 'x', projects: [id, own] })
    assertStatus(made, 201)
    assert.deepEqual(
      made.body.projects.map((one: { id: number }) => one.id),
      [id, own],
    )
    // Eve, who does not see the organization's, writes issues here.
    assertStatus(await app.put(ann, `${open}/collaborators/eve`, { permission: 'write' }), 204)
    assertError(await app.post(eve, `${open}/issues`, { title: 'y', projects: [id] }), 400)
    const path = `${open}/issues/${made.body.number}`
    const edited = await app.patch(eve, path, { projects: [] })
    assertStatus(edited, 201)
    assert.equal(edited.body.projects, null)
    assert.deepEqual(
      (await app.get(ann, path)).body.projects.map((one: { id: number }) => one.id),
      [id],
    )
    const only = { has_projects: true, projects_mode: 'repo' }
    await app.patch(ann, open, only)
    assertError(await app.post(ann, `${open}/issues`, { title: 'z', projects: [id] }), 400)
    const other = await app.post(ann, '/user/projects', { title: 'mine' })
    assertError(
      await app.post(ann, `${open}/issues`, { title: 'z', projects: [other.body.id] }),
      400,
    )
  })

  test('are not told to those who are let into one repository alone, nor its issues to those who read none', async (t) => {
    const { app, ann, bob, board, id, columns, issueIn } = await withOrganization(t)
    const fay = await app.addCaller('fay')
    const planning = { 'repo.code': 'read', 'repo.projects': 'write' }
    const made = await app.post(ann, '/orgs/acme/teams', {
      ...team('planning', planning),
      includes_all_repositories: true,
    })
    await app.put(ann, `/teams/${made.body.id}/members/fay`)
    await app.put(ann, '/repos/acme/secret/collaborators/bob', { permission: 'write' })
    await makePrivate(app, ann)
    const hidden = await issueIn('secret', 'hidden')
    const put = `${board}/columns/${columns[0]?.id}/issues/${hidden.id}`
    assertError(await app.post(fay, put), 404)
    assertStatus(await app.post(ann, put), 201)

    const issue = '/repos/acme/secret/issues/1'
    assert.equal((await app.get(ann, issue)).body.projects[0].id, id)
    assert.equal((await app.get(bob, issue)).body.projects, null)
    assertError(await app.get(fay, issue), 404)
    assert.equal((await app.get(fay, board)).body.num_issues, 0)
  })

  test('are chosen by those who read boards in the repository too, and arranged by teams that administer', async (t) => {
    const { app, ann, board, id } = await withOrganization(t)
    const join = async (name: string, body: object) => {
      const made = await app.post(ann, '/orgs/acme/teams', body)
      assertStatus(made, 201)
      assertStatus(await app.put(ann, `/teams/${made.body.id}/members/${name}`), 204)
      return made.body.id as number
    }
    const fay = await app.addCaller('fay')
    const writers = await join('fay', team('writers', { 'repo.issues': 'write' }))
    assertStatus(await app.put(ann, `/teams/${writers}/repos/acme/secret`), 204)
    await join('fay', team('lookers', { 'repo.projects': 'read' }))
    assertStatus(await app.get(fay, board), 200)
    const wanted = { title: 'x', projects: [id] }
    assertError(await app.post(fay, '/repos/acme/secret/issues', wanted), 400)
    assertStatus(await app.post(fay, '/repos/acme/secret/issues', { title: 'x' }), 201)

    const gus = await app.addCaller('gus')
    await join('gus', { name: 'chiefs', permission: 'admin' })
    assertStatus(await app.patch(gus, board, { title: 'chief' }), 200)
  })

  test('are open to site administrators, whatever teams they are in', async (t) => {
    const { app, ann, board } = await withOrganization(t)
    const root = await app.addAdmin()
    const [coders] = (await app.get(ann, '/orgs/acme/teams/search?q=coders')).body.data
    assertStatus(await app.put(ann, `/teams/${coders.id}/members/root`), 204)
    assertStatus(await app.patch(root, board, { title: 'root' }), 200)
  })

  test('get columns one after the other, however many are added at once', async (t) => {
    const { app, ann, board } = await withOrganization(t)
    const titles = Array.from({ length: 8 }, (_, index) => `more ${index}`)
    const made = await Promise.all(
      titles.map((title) => app.post(ann, `${board}/columns`, { title })),
    )
    const places = made.map(({ body }) => body.sorting as number)
    assert.deepEqual(
      places.sort((a, b) => a - b),
      [4, 5, 6, 7, 8, 9, 10, 11],
    )
  })

  test('lose what leaves the organization, and go with it', async (t) => {
    const { app, ann, board, columns, id, issueIn } = await withOrganization(t)
    const one = await issueIn('open', 'one')
    const kept = await issueIn('secret', 'kept')
    for (const issue of [one, kept]) {
      await app.post(ann, `${board}/columns/${columns[0]?.id}/issues/${issue.id}`)
    }
    const handed = await app.post(ann, '/repos/acme/open/transfer', { new_owner: 'ann' })
    assertStatus(handed, 202)
    assert.equal((await app.get(ann, '/repos/ann/open/issues/1')).body.projects, null)
    assert.equal((await app.get(ann, board)).body.num_issues, 1)

    assertStatus(await app.delete(ann, '/repos/acme/secret'), 204)
    assertStatus(await app.delete(ann, '/orgs/acme'), 204)
    const left = await app.ctx.db.selectFrom('project').select('id').where('id', '=', id).execute()
    assert.deepEqual(left, [])
  })
})

suite('projects of a person', () => {
  test('are their own to change, and seen by those who see them', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    const made = await app.post(ann, '/user/projects', { title: 'Mine' })
    assertStatus(made, 201)
    const { id } = made.body
    assert.partialDeepStrictEqual(made.body, {
      owner_id: ann.id,
      repo_id: 0,
      type: 'individual',
      html_url: `http://codestead.test/ann/-/projects/${id}`,
    })
    const board = `/user/projects/${id}`
    const [first] = (await app.get(ann, `${board}/columns`)).body
    const issue = await open(ann, { title: 'one' })
    assertStatus(await app.post(ann, `${board}/columns/${first.id}/issues/${issue.id}`), 201)
    const shown = await app.get(ann, `${board}/columns/${first.id}/issues`)
    assert.deepEqual(column(shown, 'title'), ['one'])
    assert.deepEqual(column(await app.get(undefined, '/users/ann/projects'), 'id'), [id])
    assert.deepEqual((await app.get(bob, '/user/projects')).body, [])
    assertError(await app.get(bob, board), 404)
    assertError(await app.patch(bob, board, { title: 'x' }), 404)
    assertError(await app.get(undefined, '/user/projects'), 401)
    assertError(await app.get(bob, '/users/nobody/projects'), 404)

    assert.deepEqual((await app.get(ann, '/repos/ann/r/projects')).body, [])
    assertError(await app.get(ann, `/repos/ann/r/projects/${id}`), 404)
    assertError(await app.get(ann, `/orgs/ann/projects/${id}`), 404)
    await app.patch(ann, '/user/settings', { visibility: 'private' })
    assertStatus(await app.patch(ann, board, { state: 'closed' }), 200)
    assert.deepEqual((await app.get(ann, '/users/ann/projects')).body, [])
    assert.deepEqual(column(await app.get(ann, '/users/ann/projects?state=all'), 'id'), [id])
  })
})
