import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { column, issues, repo, withTracker } from '../issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const milestones = `${repo}/milestones`

suite('/repos/{owner}/{repo}/milestones', () => {
  test('are closed or open as asked for, also by two at once', async (t) => {
    const { app, ann } = await withTracker(t)
    const { id } = (await app.post(ann, milestones, { title: 'v1' })).body
    const set = (state: string) => app.patch(ann, `${milestones}/${id}`, { state })

    for (let round = 0; round < 10; round++) {
      const [closed, open] = await Promise.all([set('closed'), set('open')])

      assert.deepEqual([closed.body.state, open.body.state], ['closed', 'open'])
      assert.deepEqual([closed.body.closed_at === null, open.body.closed_at], [false, null])
      await set('open')
    }
  })

  test('are made open or closed, with or without a date and a title', async (t) => {
    const { app, ann } = await withTracker(t)

    const open = await app.post(ann, milestones, {
      title: 'v1',
      description: 'd',
      due_on: '2030-01-02T03:04:05Z',
    })
    const closed = await app.post(ann, milestones, { state: 'closed' })

    const { created_at, updated_at, ...rest } = open.body
    assert.deepEqual(rest, {
      id: rest.id,
      title: 'v1',
      description: 'd',
      state: 'open',
      open_issues: 0,
      closed_issues: 0,
      closed_at: null,
      due_on: '2030-01-02T03:04:05Z',
    })
    assert.equal(created_at, updated_at)
    assert.partialDeepStrictEqual(closed.body, { title: '', state: 'closed', due_on: null })
    assert.notEqual(closed.body.closed_at, null)
  })

  test('are listed by state and name: without a date first, then by date, then by name', async (t) => {
    const { app, ann } = await withTracker(t)
    for (const [title, year, state] of [
      ['late', 2032, 'open'],
      ['b-early', 2030, 'open'],
      ['Äny', 0, 'open'],
      ['a-early', 2030, 'open'],
      ['done', 2031, 'closed'],
    ] as const) {
      const due = year === 0 ? {} : { due_on: `${year}-01-01T00:00:00Z` }
      await app.post(ann, milestones, { title, state, ...due })
    }
    const open = ['Äny', 'a-early', 'b-early', 'late']

    const cases: [string, string[]][] = [
      ['', open],
      ['state=open', open],
      ['state=other', open],
      ['state=closed', ['done']],
      ['state=all', ['Äny', 'a-early', 'b-early', 'done', 'late']],
      ['name=EARLY', ['a-early', 'b-early']],
      ['name=ÄN', ['Äny']],
      ['name=%25', []],
      ['limit=2&page=2', ['b-early', 'late']],
    ]
    for (const [query, expected] of cases) {
      const answer = await app.get(undefined, `${milestones}?${query}`)
      assert.deepEqual(column(answer, 'title'), expected, query)
      assert.equal(answer.headers['link'], undefined)
    }
    const page = await app.get(undefined, `${milestones}?limit=2&page=2`)
    assert.equal(page.headers['x-total-count'], '4')
  })

  test('are found by id or else by title, changed and deleted', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const v1 = (await app.post(ann, milestones, { title: 'v1', due_on: '2030-01-02T03:04:05Z' }))
      .body
    const named = (await app.post(ann, milestones, { title: '999999' })).body
    const one = `${milestones}/${v1.id}`

    assert.deepEqual((await app.get(undefined, `${milestones}/v1`)).body, v1)
    assert.deepEqual((await app.get(undefined, one)).body, v1)
    assert.deepEqual((await app.get(undefined, `${milestones}/999999`)).body, named)
    for (const key of ['absent', '99999999999999999999', '0']) {
      assertError(await app.get(ann, `${milestones}/${key}`), 404)
    }
    const dated = await app.patch(ann, `${milestones}/v1`, {
      title: 'v2',
      due_on: '2031-05-06T01:02:03Z',
      state: 'closed',
    })
    assert.partialDeepStrictEqual(dated.body, {
      id: v1.id,
      title: 'v2',
      due_on: '2031-05-06T23:59:59Z',
      state: 'closed',
    })
    const { closed_at } = dated.body
    app.passTime(10)
    const cleared = await app.patch(ann, one, { title: '', description: 'd', state: 'closed' })
    assert.partialDeepStrictEqual(cleared.body, {
      title: 'v2',
      description: 'd',
      due_on: null,
      closed_at,
    })
    assert.equal((await app.patch(ann, one, { state: '' })).body.closed_at, closed_at)
    assert.equal((await app.patch(ann, one, { state: 'open' })).body.closed_at, null)
    await open(ann, { title: 'x', milestone: v1.id })
    assertStatus(await app.delete(ann, `${milestones}/v2`), 204)
    assertError(await app.delete(ann, one), 404)
    assert.equal((await app.get(ann, `${issues}/1`)).body.milestone, null)
    assert.deepEqual((await app.get(ann, `${milestones}?state=all`)).body, [named])
  })

  test('are written by writers, of their own repository', async (t) => {
    const { app, ann, bob, cat } = await withTracker(t)
    const { id } = (await app.post(cat, milestones, { title: 'v1' })).body
    await app.post(bob, '/user/repos', { name: 'r' })
    const writers = 'user should have a permission to write to a repo'

    assertError(await app.post(bob, milestones, {}), 403, writers)
    assertError(await app.post(undefined, milestones, {}), 401)
    for (const one of [`${milestones}/${id}`, `${milestones}/999999`]) {
      assertError(await app.patch(bob, one, '{', {}), 403, writers)
      assertError(await app.delete(bob, one), 403, writers)
      assertError(await app.patch(undefined, one, '{', {}), 401, 'token is required')
      assertError(await app.delete(undefined, one), 401, 'token is required')
    }
    assertError(await app.post(cat, milestones, { due_on: 'soon' }), 422)
    assertError(await app.get(bob, `/repos/bob/r/milestones/${id}`), 404)
    assertError(await app.patch(bob, `/repos/bob/r/milestones/${id}`, {}), 404)
    assertError(await app.delete(bob, `/repos/bob/r/milestones/${id}`), 404)
    await app.patch(ann, repo, { archived: true })
    assertStatus(await app.patch(cat, `${milestones}/${id}`, { title: 'v2' }), 200)
    assertStatus(await app.post(cat, milestones, {}), 201)
    await app.patch(ann, repo, { archived: false })
    await app.patch(ann, repo, { has_issues: false, has_pull_requests: false })
    assert.equal((await app.get(undefined, `${milestones}/${id}`)).body.title, 'v2')
    assertStatus(await app.delete(ann, `${milestones}/${id}`), 204)
  })
})
