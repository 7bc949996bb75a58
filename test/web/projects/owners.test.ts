// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { column } from '../../collaboration/issues/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { startWithIssues } from '../issues/setup.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere, signIn } from '../support.ts'

const projects = '/acme/-/projects'

/** Ann's organization with the repository acme/open; cat is in a team without boards. */
async function startWithOrganization(t: TestContext) {
  const setup = await startWithIssues(t)
  const { app, ann } = setup
  await app.addCaller('cat')
  await app.post(ann, '/orgs', { username: 'acme' })
  await app.post(ann, '/orgs/acme/repos', { name: 'open' })
  const units_map = { 'repo.code': 'write', 'repo.issues': 'read' }
  const { body } = await app.post(ann, '/orgs/acme/teams', { name: 'coders', units_map })
  await app.put(ann, `/teams/${body.id}/members/cat`)
  await app.post(ann, '/repos/acme/open/issues', { title: `open ${evil}` })
  return { ...setup, byCat: await signIn(app, 'cat') }
}

suite('/{owner}/-/projects', () => {
  test('are made, filled by the names of issues, arranged and deleted', async (t) => {
    const { app, ann, byAnn, byBob } = await startWithOrganization(t)
    assert.match((await byBob.get('/acme')).text, /href="\/acme\/-\/projects"/)
    assert.match(wordsOf(await byBob.get(projects)), /There is no open project/)
    const fields = { title: 'Plan', description: '*soon*', template: 'basic_kanban' }
    const made = await byAnn.post(`${projects}/new`, fields)
    const [{ id }] = (await app.get(ann, '/orgs/acme/projects')).body
    const board = `${projects}/${id}`
    assert.equal(made.headers['location'], board)

    const api = `/orgs/acme/projects/${id}/columns`
    const [first, second] = (await app.get(ann, api)).body as { id: number }[]
    const add = (number: string) =>
      byAnn.post(`${board}/cards/new`, { column: String(first?.id), number })
    assertStatus(await add('open#1'), 303)
    const shown = await byBob.get(board)
    assert.match(wordsOf(shown), /Backlog 1.*open#1/s)
    assert.match(shown.text, /href="\/acme\/open\/issues\/1"/)
    assert.equal(hasScript(shown), false)
    for (const name of ['open#2', '1', '#1', 'none#1', 'ann/one#1', 'open#x']) {
      const wrong = await add(name)
      assertStatus(wrong, 422)
      assert.match(wordsOf(wrong), /There is no such issue or pull request/)
    }
    const issue = (await app.get(ann, '/repos/acme/open/issues/1')).body
    const move = await byAnn.post(
      `${board}/cards/${issue.id}/move`,
      { column: String(second?.id) },
      { accept: 'application/json' },
    )
    assert.deepEqual(JSON.parse(move.text), { leadsTo: board })
    assert.deepEqual(column(await app.get(ann, `${api}/${second?.id}/issues`), 'number'), [1])
    assertStatus(await byAnn.post(`${board}/cards/${issue.id}/remove`), 303)
    await app.patch(ann, '/repos/acme/open', { has_projects: true, projects_mode: 'repo' })
    assert.match(wordsOf(await add('acme/open#1')), /Its repository has no projects but its own/)

    assertStatus(await byAnn.post(`${board}/delete`, { confirm: 'Plan' }), 303)
    assertStatus(await byAnn.get(board), 404)
  })

  test('are for those who see and who write them, on this site', async (t) => {
    const { app, ann, byAnn, byBob, byCat, visitor } = await startWithOrganization(t)
    const { body } = await app.post(ann, '/orgs/acme/projects', { title: 'Plan' })
    const board = `${projects}/${body.id}`
    const sent = [
      [`${projects}/new`, { title: 'x' }],
      [`${board}/edit`, { title: 'x' }],
      [`${board}/state`, { action: 'close' }],
      [`${board}/delete`, { confirm: 'Plan' }],
      [`${board}/columns/new`, { title: 'x' }],
      [`${board}/cards/new`, { column: '1', number: 'open#1' }],
    ] as const
    for (const [address, fields] of sent) {
      assertSessionEnded(await visitor.post(address, fields))
      assertStatus(await byBob.post(address, fields), 403)
      assertStatus(await byCat.post(address, fields), 404)
      assertStatus(await byAnn.post(address, fields, fromElsewhere), 403)
    }
    for (const page of [projects, board]) {
      for (const who of [visitor, byBob]) {
        assert.doesNotMatch((await who.get(page)).text, /<form[^>]*projects|movable|\/new"/)
      }
      assertStatus(await byCat.get(page), 404)
    }
    assert.doesNotMatch((await byCat.get('/acme')).text, /-\/projects/)
    for (const page of [`${projects}/new`, `${board}/edit`])
      assertStatus(await byBob.get(page), 404)
    assert.match((await byAnn.get(board)).text, /movable/)
    assert.deepEqual((await app.get(ann, `/orgs/acme/projects/${body.id}`)).body.title, 'Plan')
    for (const missing of ['/nobody/-/projects', `/ann/-/projects/${body.id}`]) {
      assertStatus(await byAnn.get(missing), 404)
    }
  })

  test('are offered and named on the page of an issue, to those who see them', async (t) => {
    const { app, ann, byAnn, byBob, byCat } = await startWithOrganization(t)
    const { body } = await app.post(ann, '/orgs/acme/projects', { title: 'Plan' })
    const issue = '/acme/open/issues/1'
    assert.match((await byAnn.get(issue)).text, new RegExp(`name="project" value="${body.id}"`))
    await byAnn.post(`${issue}/projects`, { project: String(body.id) })
    const link = new RegExp(`href="/acme/-/projects/${body.id}">Plan<`, 'g')
    assert.equal((await byBob.get(issue)).text.match(link)?.length, 2)
    const hidden = await byCat.get(issue)
    assert.doesNotMatch(hidden.text, /Plan/)
    assert.match(wordsOf(hidden), /put this on a project/)
    assert.match((await byBob.get('/acme/open/projects')).text, /href="\/acme\/-\/projects"/)
    assert.doesNotMatch((await byCat.get('/acme/open/projects')).text, /-\/projects/)
  })

  test('of a person stand beside their repositories', async (t) => {
    const { byAnn, byBob } = await startWithIssues(t)
    await byAnn.post('/ann/-/projects/new', { title: 'Mine', template: 'none' })
    assert.match((await byBob.get('/ann')).text, /href="\/ann\/-\/projects"/)
    assert.match(wordsOf(await byBob.get('/ann/-/projects')), /Mine 0 of 0 closed/)
    assertStatus(await byBob.post('/ann/-/projects/new', { title: 'x' }), 403)
  })
})
