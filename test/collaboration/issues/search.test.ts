import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { assertError, assertStatus } from '../../support/expect.ts'
import { column, repo, withTracker } from './setup.ts'

suite('GET /repos/issues/search', () => {
  test('finds issues of all repositories by every filter, and counts them', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await app.post(ann, '/user/repos', { name: 'other' })
    const { id: bug } = (await app.post(ann, `${repo}/labels`, { name: 'bug', color: 'fff' })).body
    const { id: ui } = (await app.post(ann, `${repo}/labels`, { name: 'ui', color: 'fff' })).body
    const { id: v1 } = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    await open(ann, { title: 'one', labels: [bug], milestone: v1, assignees: ['cat'] })
    await open(ann, { title: 'two', labels: [ui], body: '@bob' })
    await open(bob, { title: 'three', closed: true }, '/repos/ann/other/issues')
    const titles = async (query: string, who?: typeof ann) =>
      column(await app.get(who, `/repos/issues/search?${query}`), 'title')

    const cases: [string, string[]][] = [
      ['', ['two', 'one']],
      ['state=all', ['three', 'two', 'one']],
      ['state=all&owner=ann', ['three', 'two', 'one']],
      ['owner=bob', []],
      ['labels=bug,ui', ['two', 'one']],
      ['labels=bug,unknown', ['one']],
      ['labels=unknown', ['two', 'one']],
      ['milestones=v1', ['one']],
      ['milestones=unknown', ['two', 'one']],
      ['q=TWO', ['two']],
      ['created_by=bob&state=all', ['three']],
      ['type=pulls', []],
      ['created=true', ['two', 'one']],
      ['since=2099-01-01T00:00:00Z', []],
      ['limit=1&page=2', ['one']],
    ]
    for (const [query, expected] of cases) assert.deepEqual(await titles(query), expected, query)
    // What only some may know of is no filter to others.
    await app.post(ann, '/orgs', { username: 'acme' })
    for (const path of ['/user/repos', '/orgs/acme/repos'])
      await app.post(ann, path, { name: 'closed', private: true })
    const secret = { name: 'secret', color: 'fff' }
    const { id: ours } = (await app.post(ann, '/orgs/acme/labels', { ...secret, name: 'ours' }))
      .body
    const closed = '/repos/ann/closed'
    const { id: label } = (await app.post(ann, `${closed}/labels`, secret)).body
    const { id: hidden } = (await app.post(ann, `${closed}/milestones`, { title: 'hidden' })).body
    await open(ann, { title: 'mine', labels: [label], milestone: hidden }, `${closed}/issues`)
    await open(ann, { title: 'ours', labels: [ours] }, '/repos/acme/closed/issues')
    for (const [query, expected] of [
      ['labels=secret', ['mine']],
      ['milestones=hidden', ['mine']],
      ['labels=ours', ['ours']],
    ] as const) {
      assert.deepEqual(await titles(query, ann), expected, query)
      for (const who of [undefined, bob])
        assert.deepEqual(await titles(query, who), ['two', 'one'], query)
    }
    assert.deepEqual(await titles('created=true&state=all', bob), ['three'])
    assert.deepEqual(await titles('mentioned=true', bob), ['two'])
    assert.deepEqual(await titles('assigned=true', bob), [])
    assert.deepEqual(await titles('reviewed=true', bob), [])
    const paged = await app.get(undefined, '/repos/issues/search?state=all&limit=2')
    assert.equal(paged.headers['x-total-count'], '3')
    assert.match(paged.headers['link'] ?? '', /page=2.*rel="next"/)
    assertError(await app.get(ann, '/repos/issues/search?owner=nobody'), 400, 'Owner not found')
    assertError(await app.get(ann, '/repos/issues/search?team=x'), 400)
    assertError(await app.get(ann, '/repos/issues/search?owner=bob&team=x'), 400, 'Team not found')
    assertError(await app.get(ann, '/repos/issues/search?before=x'), 422)
    assertError(await app.get(ann, '/repos/issues/search?created_by=nobody'), 404)
  })

  test('finds them by names that very many labels and milestones have, and by long ones', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const { id: place } = (await app.get(ann, repo)).body
    const long = 'x'.repeat(120)
    const { id: bug } = (await app.post(ann, `${repo}/labels`, { name: 'bug', color: 'fff' })).body
    const { id: v1 } = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    const { id: far } = (await app.post(ann, `${repo}/milestones`, { title: `${long}1` })).body
    await app.post(ann, `${repo}/milestones`, { title: `${long}2` })
    // More than SQLite takes as values of one statement.
    const numbers = sql`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 33000)`
    await sql`INSERT INTO label (repository_id, name, color) ${numbers}
      SELECT CAST(${place} AS bigint), 'bug', 'ffffff' FROM number`.execute(app.ctx.db)
    await sql`INSERT INTO milestone (repository_id, title, created_at, updated_at) ${numbers}
      SELECT CAST(${place} AS bigint), 'v1', 1, 1 FROM number`.execute(app.ctx.db)
    await open(ann, { title: 'one', labels: [bug] })
    await open(ann, { title: 'two', milestone: v1 })
    await open(ann, { title: 'three', milestone: far })

    for (const [query, expected] of [
      ['labels=bug', ['one']],
      ['labels=BUG', ['three', 'two', 'one']],
      ['milestones=v1', ['two']],
      ['milestones=V1', ['three', 'two', 'one']],
      [`milestones=${long}1`, ['three']],
      [`milestones=${long}2`, []],
      [`milestones=${long}`, ['three', 'two', 'one']],
    ] as const) {
      const found = await app.get(ann, `/repos/issues/search?${query}`)
      assertStatus(found, 200)
      assert.deepEqual(column(found, 'title'), expected, query)
    }
  })

  test('shows each caller what reading one by one would show', async (t) => {
    const { app, ann, bob, cat, open } = await withTracker(t)
    const root = await app.addAdmin()
    const dan = await app.addCaller('dan')
    const publicOnly = await app.withToken(ann.account, ['public-only', 'read:issue'])
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs', { username: 'hidden', visibility: 'private' })
    const paths = ['ann/r', 'ann/p', 'acme/p', 'acme/q', 'hidden/r', 'ann/off']
    for (const path of paths) {
      const [owner = '', name = ''] = path.split('/')
      const where = owner === 'ann' ? '/user/repos' : `/orgs/${owner}/repos`
      if (path !== 'ann/r') await app.post(ann, where, { name, private: /p|q/.test(name) })
      await open(ann, { title: path }, `/repos/${path}/issues`)
    }
    await app.patch(ann, '/repos/ann/off', { has_issues: false })
    await app.put(ann, '/repos/ann/p/collaborators/bob', { permission: 'read' })
    // One team reads issues, the other code only.
    for (const [name, unit, path, person] of [
      ['readers', 'repo.issues', 'acme/p', 'bob'],
      ['coders', 'repo.code', 'acme/q', 'dan'],
    ] as const) {
      const team = { name, permission: 'read', units_map: { [unit]: 'read' } }
      const { id } = (await app.post(ann, '/orgs/acme/teams', team)).body
      assertStatus(await app.put(ann, `/teams/${id}/repos/${path}`), 204)
      assertStatus(await app.put(ann, `/teams/${id}/members/${person}`), 204)
    }

    for (const who of [undefined, ann, bob, dan, root, publicOnly]) {
      const found = await app.get(who, '/repos/issues/search?state=all')
      const single = await Promise.all(paths.map((path) => app.get(who, `/repos/${path}/issues/1`)))
      const readable = paths.filter((_, at) => single[at]?.status === 200)
      assert.deepEqual(new Set(column(found, 'title')), new Set(readable), who?.name)
      assert.equal(found.headers['x-total-count'], String(readable.length))
    }
    const ofTeam = '/repos/issues/search?owner=acme&team=Readers'
    const readers = { name: 'readers', permission: 'read', units_map: { 'repo.issues': 'read' } }
    await app.post(ann, '/orgs', { username: 'other' })
    const { id } = (await app.post(ann, '/orgs/hidden/teams', readers)).body
    assertStatus(await app.put(ann, `/teams/${id}/members/cat`), 204)
    for (const who of [bob, root])
      assert.deepEqual(column(await app.get(who, ofTeam), 'title'), ['acme/p'], who.name)
    for (const who of [undefined, cat])
      assertError(await app.get(who, ofTeam), 400, 'Team not found')
    assertError(await app.get(root, ofTeam.replace('acme', 'other')), 400, 'Team not found')
  })
})
