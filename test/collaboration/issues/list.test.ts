import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { countStatements } from '../../support/statements.ts'
import { column, issues, repo, withTracker } from './setup.ts'

suite('GET /repos/{owner}/{repo}/issues', () => {
  test('is narrowed by every filter', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    const ids = new Map<string, number>()
    for (const name of ['bug', 'ui']) {
      const { body } = await app.post(ann, `${repo}/labels`, { name, color: 'fff' })
      ids.set(name, body.id)
    }
    const v1 = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    const v2 = (await app.post(ann, `${repo}/milestones`, { title: 'v2' })).body
    const both = [...ids.values()]
    const first = await open(ann, {
      title: 'Ärger 100%',
      labels: both,
      milestone: v1.id,
      assignees: ['cat'],
    })
    await open(bob, { title: 'two', body: 'ask @cat and @nobody, not x@ann or `@ann`' })
    await open(ann, {
      title: 'three',
      labels: [ids.get('bug')],
      milestone: v2.id,
      closed: true,
    })
    await app.post(bob, `${issues}/3/comments`, { body: 'a Remark by @Bob' })
    app.passTime(100)
    const later = new Date((app.ctx.now() - 50) * 1000).toISOString()
    await app.patch(ann, `${issues}/2`, { body: 'changed @cat' })

    const cases: [string, number[]][] = [
      ['', [2, 1]],
      ['state=closed', [3]],
      ['state=all', [3, 2, 1]],
      ['state=other', [2, 1]],
      ['type=issues', [2, 1]],
      ['type=other&state=all', [3, 2, 1]],
      ['labels=bug&state=all', [3, 1]],
      ['labels=bug,ui&state=all', [1]],
      ['labels=bug,unknown&state=all', [3, 1]],
      ['labels=unknown', [2, 1]],
      ['milestones=v1&state=all', [1]],
      [`milestones=${v2.id}&state=all`, [3]],
      [`milestones=v1, ${v2.id},,unknown&state=all`, [3, 1]],
      ['milestones=unknown,99999', [2, 1]],
      ['q=ÄRGER', [1]],
      ['q=100%25', [1]],
      ['q=1_0', []],
      ['q=Changed', [2]],
      ['q=remark&state=all', [3]],
      ['created_by=bob', [2]],
      ['assigned_by=cat', [1]],
      ['mentioned_by=cat', [2]],
      ['mentioned_by=ann', []],
      ['mentioned_by=bob&state=all', [3]],
      [`since=${later}`, [2]],
      [`before=${later}`, [1]],
      [`since=${first.updated_at}&before=${first.updated_at}&q=100`, [1]],
      ['since=2099-01-01T00:00:00%2B02:00', []],
      ['since=&before=', [2, 1]],
      ['since=2020-02-29T23:59:59.5-11:00', [2, 1]],
      ['limit=1&page=2', [1]],
      ['page=9', []],
    ]
    for (const [query, expected] of cases) {
      const answer = await app.get(undefined, `${issues}?${query}`)
      assert.deepEqual(column(answer, 'number'), expected, query)
    }
    const page = await app.get(undefined, `${issues}?limit=1`)
    assert.equal(page.headers['x-total-count'], '2')
    assert.match(page.headers['link'] ?? '', /page=2>; rel="next"/)
    for (const query of [
      'since=yesterday',
      'before=2020-01-01',
      'before=2020-01-01T00:00:00',
      'since=2021-02-29T00:00:00Z',
      'since=2020-04-31T00:00:00Z',
      'since=2020-13-01T00:00:00Z',
      'since=2020-01-01T24:00:00Z',
      'since=9999-12-31T23:59:59-02:00',
    ]) {
      assertError(await app.get(ann, `${issues}?${query}`), 422, /^parsing time/)
    }
    const [said] = (await app.get(ann, `${issues}/3/comments`)).body
    await app.patch(bob, `${issues}/comments/${said.id}`, { body: 'or ask @ann' })
    const asked = await app.get(undefined, `${issues}?mentioned_by=ann&state=all`)
    assert.deepEqual(column(asked, 'number'), [3])
    const [newer, older] = (await app.get(undefined, issues)).body
    assert.ok(newer.created_at >= older.created_at && newer.id > older.id)
    for (const key of ['created_by', 'assigned_by', 'mentioned_by']) {
      const message = 'user does not exist [uid: 0, name: nobody]'
      assertError(await app.get(ann, `${issues}?${key}=nobody`), 404, message)
    }
  })

  test('shows the kinds that the caller reads, and none of the others', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await open(ann, { title: 'one' })

    assertError(await app.get(ann, `${issues}?type=pulls`), 404)
    await app.patch(ann, repo, { has_issues: false })
    for (const path of ['', '/1', '/1/comments', '/comments', '/1/labels', '/pinned']) {
      assertError(await app.get(ann, `${issues}${path}`), 404, 'not found')
    }
    assertStatus(await app.get(ann, `${repo}/milestones`), 200)
    // Pull requests need something to be pulled into.
    const { db } = app.ctx
    await db.updateTable('repository').set({ is_empty: 0 }).execute()
    assert.deepEqual((await app.get(ann, `${issues}?state=all`)).body, [])
    assertError(await app.get(ann, `${issues}?type=issues`), 404, 'not found')
    assertError(await app.get(ann, `${issues}/1`), 404, 'not found')
    assertStatus(await app.get(ann, `${issues}?type=pulls`), 200)
    await db.updateTable('repository').set({ is_mirror: 1 }).execute()
    for (const path of ['', '?type=pulls']) assertError(await app.get(ann, `${issues}${path}`), 404)
  })

  test('costs the same number of statements whatever the size of the page', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const { id } = (await app.post(ann, `${repo}/labels`, { name: 'bug', color: 'fff' })).body
    for (let number = 0; number < 8; number++) {
      await open(ann, { title: `${number}`, labels: [id], assignees: ['cat', 'ann'] })
    }
    const countFor = countStatements(t, app)
    const countOf = (limit: number) =>
      countFor(async () =>
        assert.equal((await app.get(ann, `${issues}?limit=${limit}`)).body.length, limit),
      )

    await countOf(1)
    const few = await countOf(1)

    assert.ok(few > 5)
    assert.equal(await countOf(8), few)
  })
})
