import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { column, issues, repo, withTracker } from './setup.ts'

suite('PUT, DELETE /repos/{owner}/{repo}/issues/{index}/lock', () => {
  test('lets only writers comment, as often as it is said', async (t) => {
    const { app, ann, bob, cat, open } = await withTracker(t)
    await open(bob, { title: 'x' })
    const comments = `${issues}/1/comments`

    assertError(await app.put(undefined, `${issues}/1/lock`), 401)
    assertError(await app.put(cat, `${issues}/1/lock`, {}), 403)
    assertError(await app.put(ann, `${issues}/9/lock`, {}), 404)
    assertStatus(await app.put(ann, `${issues}/1/lock`), 204)
    for (const lock_reason of ['Spam', '', null])
      assertStatus(await app.put(ann, `${issues}/1/lock`, { lock_reason }), 204)

    assert.equal((await app.get(bob, `${issues}/1`)).body.is_locked, true)
    const message = 'You cannot comment on a locked issue.'
    assertError(await app.post(bob, comments, { body: 'x' }), 403, message)
    assertError(await app.post(bob, `${issues}/1/reactions`, { content: '+1' }), 403)
    assertStatus(await app.post(cat, comments, { body: 'x' }), 201)
    const told = column(await app.get(ann, `${issues}/1/timeline`), 'type')
    assert.deepEqual(told, ['lock', 'comment'])
    for (const number of [1, 9]) {
      assertError(await app.delete(undefined, `${issues}/${number}/lock`), 401)
      for (const who of [bob, cat])
        assertError(await app.delete(who, `${issues}/${number}/lock`), 403)
    }
    assertError(await app.delete(ann, `${issues}/9/lock`), 404)
    for (const _ of [1, 2]) assertStatus(await app.delete(ann, `${issues}/1/lock`), 204)
    assertStatus(await app.post(bob, comments, { body: 'x' }), 201)
  })
})

suite('POST /repos/{owner}/{repo}/issues/{index}/deadline', () => {
  test('sets the end of a day, or none, for writers', async (t) => {
    const { app, bob, cat, open } = await withTracker(t)
    await open(bob, { title: 'x' })
    const deadline = `${issues}/1/deadline`

    const set = await app.post(cat, deadline, { due_date: '2031-05-06T01:02:03Z' })

    assert.deepEqual([set.status, set.body], [201, { due_date: '2031-05-06T23:59:59Z' }])
    assert.equal((await app.get(bob, `${issues}/1`)).body.due_date, '2031-05-06T23:59:59Z')
    assert.deepEqual((await app.post(cat, deadline, { due_date: null })).body, { due_date: null })
    assertError(await app.post(bob, deadline, {}), 403, 'write permission is required')
    assertError(await app.post(undefined, deadline, {}), 401)
    assertError(await app.post(cat, `${issues}/9/deadline`, {}), 404)
  })
})

suite('pinned issues', () => {
  test('are three at most, and stay in order whatever is moved, unpinned or deleted', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    for (const title of ['1', '2', '3', '4']) await open(ann, { title })
    const pinned = async () => column(await app.get(undefined, `${issues}/pinned`), 'number')
    const orders = async () => column(await app.get(ann, `${issues}/pinned`), 'pin_order')
    const allowed = async () => (await app.get(ann, `${repo}/new_pin_allowed`)).body

    assertError(await app.post(cat, `${issues}/1/pin`), 403)
    assertError(await app.post(undefined, `${issues}/1/pin`), 401)
    for (const number of [1, 2, 2, 3])
      assertStatus(await app.post(ann, `${issues}/${number}/pin`), 204)

    assert.deepEqual(await pinned(), [1, 2, 3])
    assert.deepEqual(await allowed(), { issues: false, pull_requests: true })
    assertError(await app.post(ann, `${issues}/4/pin`), 400)
    assertStatus(await app.patch(ann, `${issues}/3/pin/1`), 204)
    assert.deepEqual(
      [await pinned(), await orders()],
      [
        [3, 1, 2],
        [1, 2, 3],
      ],
    )
    assertStatus(await app.patch(ann, `${issues}/3/pin/99`), 204)
    assert.deepEqual(
      [await pinned(), await orders()],
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
    )
    assertError(await app.patch(ann, `${issues}/3/pin/0`), 422)
    assertError(await app.patch(ann, `${issues}/4/pin/1`), 404)
    for (const _ of [1, 2]) assertStatus(await app.delete(ann, `${issues}/1/pin`), 204)
    assertStatus(await app.delete(ann, `${issues}/2`), 204)
    assert.deepEqual([await pinned(), await orders()], [[3], [1]])
    assert.deepEqual(await allowed(), { issues: true, pull_requests: true })
  })
})

suite('pinned issues and pull requests', () => {
  test('have places of their own in each repository', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await app.post(ann, '/user/repos', { name: 'other' })
    const elsewhere = '/repos/ann/other/issues'
    for (const path of [issues, elsewhere])
      for (const title of ['1', '2', '3', '4', '5', '6']) await open(ann, { title }, path)
    // Rows are enough: half of them are pull requests, and there is something to be pulled into.
    const { db } = app.ctx
    await db.updateTable('issue').set({ is_pull: 1 }).where('number', '>', 3).execute()
    await db.updateTable('repository').set({ is_empty: 0 }).execute()
    for (const path of [issues, elsewhere])
      for (const number of [1, 2, 3, 4, 5, 6])
        assertStatus(await app.post(ann, `${path}/${number}/pin`), 204)
    const placesIn = async (path: string) => {
      const { body } = await app.get(ann, `${path}?state=all`)
      return (body as { number: number; pin_order: number }[])
        .toSorted((a, b) => a.number - b.number)
        .map(({ pin_order: place }) => place)
    }
    const allowed = async () => (await app.get(ann, `${repo}/new_pin_allowed`)).body

    assert.deepEqual(await allowed(), { issues: false, pull_requests: false })
    assertStatus(await app.delete(ann, `${issues}/1/pin`), 204)
    assert.deepEqual(await placesIn(issues), [0, 1, 2, 1, 2, 3])
    assertStatus(await app.patch(ann, `${issues}/3/pin/1`), 204)
    assert.deepEqual(await placesIn(issues), [0, 2, 1, 1, 2, 3])
    for (const _ of [1, 2]) assertStatus(await app.delete(ann, `${issues}/1/pin`), 204)
    assertStatus(await app.delete(ann, `${issues}/4`), 204)
    assert.deepEqual(await placesIn(issues), [0, 2, 1, 1, 2])
    assert.deepEqual(await placesIn(elsewhere), [1, 2, 3, 1, 2, 3])
    assert.deepEqual(await allowed(), { issues: true, pull_requests: true })
    assert.deepEqual(column(await app.get(ann, `${issues}/pinned`), 'number'), [3, 2])
    const told = column(await app.get(ann, `${issues}/1/timeline`), 'type')
    assert.deepEqual(told, ['pin', 'unpin'])
  })
})

suite('what is done to one issue', () => {
  test('is done to no other, of its repository or elsewhere', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await app.post(ann, '/user/repos', { name: 'other' })
    const others = ['/repos/ann/other/issues', issues]
    const given = { title: 'x', body: '@cat', assignees: ['cat', 'ann'] }
    for (const path of others) {
      await open(ann, { ...given, due_date: '2031-05-06T01:02:03Z' }, path)
      await app.post(ann, `${path}/1/comments`, { body: 'c' })
      assertStatus(await app.post(ann, `${path}/1/pin`), 204)
    }
    const records = async () => {
      const answers = [...others.map((path) => `${path}/1`), '/repos/ann/other'].map(
        async (path) => (await app.get(ann, path)).body,
      )
      return Promise.all(answers)
    }
    const before = await records()
    await open(ann, given)
    app.passTime(10)

    const one = `${issues}/2`
    const edit = { title: 'y', body: 'z', ref: 'main', assignees: ['cat'], state: 'closed' }
    assertStatus(await app.patch(ann, one, edit), 201)
    assertStatus(await app.post(ann, `${one}/deadline`, {}), 201)
    const { body: said } = await app.post(ann, `${one}/comments`, { body: 'c' })
    assertStatus(await app.delete(ann, `${issues}/comments/${said.id}`), 204)
    assertStatus(await app.put(ann, `${one}/lock`), 204)
    for (const [method, path] of [
      ['POST', 'pin'],
      ['PATCH', 'pin/1'],
      ['PATCH', 'pin/2'],
      ['DELETE', 'pin'],
    ] as const)
      assertStatus(await app.send(ann, method, `${one}/${path}`), 204)
    assert.deepEqual(await records(), before)
    assertStatus(await app.patch(ann, one, { state: 'open' }), 201)
    assertStatus(await app.delete(ann, one), 204)

    assert.deepEqual(await records(), before)
    const found = await app.get(ann, '/repos/issues/search?assigned=true&mentioned=false')
    assert.deepEqual(column(found, 'title'), ['x', 'x'])
  })
})

suite('dependencies of issues', () => {
  test('hold an issue open until what it waits for is closed', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    for (const title of ['1', '2']) await open(ann, { title })
    const dependencies = `${issues}/1/dependencies`

    const added = await app.post(ann, dependencies, { index: 2, owner: 'ann', repo: 'r' })

    assert.deepEqual([added.status, added.body.number], [201, 1])
    assert.deepEqual(column(await app.get(bob, dependencies), 'number'), [2])
    assert.deepEqual(column(await app.get(bob, `${issues}/2/blocks`), 'number'), [1])
    const before = (await app.get(ann, `${issues}/1`)).body
    const closing = { state: 'closed', title: 'new' }
    assertError(await app.patch(ann, `${issues}/1`, closing), 412, /open dependencies$/)
    assert.deepEqual((await app.get(ann, `${issues}/1`)).body, before)
    assertStatus(await app.patch(ann, `${issues}/2`, { state: 'closed' }), 201)
    assertStatus(await app.patch(ann, `${issues}/1`, closing), 201)
    const body = { index: 2 }
    assertStatus(await app.delete(ann, dependencies, body), 201)
    // Both are told of it, each with the other.
    for (const [number, other] of [
      [1, 2],
      [2, 1],
    ]) {
      const events = (await app.get(ann, `${issues}/${number}/timeline`)).body.filter(
        ({ type }: { type: string }) => type.endsWith('_dependency'),
      )
      assert.deepEqual(
        events.map((event: Record<string, { number: number }>) => [
          event['type'],
          event['dependent_issue']?.number,
        ]),
        [
          ['add_dependency', other],
          ['remove_dependency', other],
        ],
      )
    }
  })

  test('go round for nobody, also when both ways are asked for at once', async (t) => {
    const { app, ann, open } = await withTracker(t)
    for (const title of ['1', '2', '3', '4', '5', '6']) await open(ann, { title })
    const add = (from: number, to: number) =>
      app.post(ann, `${issues}/${from}/dependencies`, { index: to })

    for (const [one, two] of [
      [1, 2],
      [3, 4],
      [5, 6],
    ] as const) {
      const answers = await Promise.all([add(one, two), add(two, one), add(one, two)])
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
      assert.deepEqual(statuses, [201, 409, 409])
    }
  })

  test('are not made by those whom the owner or the author of either has blocked', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    const cid = await app.addCaller('cid')
    await open(ann, { title: '1' })
    await open(cid, { title: '2' })
    await app.post(bob, '/user/repos', { name: 'own' })
    await open(bob, { title: 'mine' }, '/repos/bob/own/issues')
    const there = { owner: 'ann', repo: 'r' }
    const tie = (index: number) =>
      app.post(bob, '/repos/bob/own/issues/1/dependencies', { index, ...there })

    assertStatus(await app.put(cid, '/user/blocks/bob'), 204)
    assertError(await tie(2), 403, /blocked/)
    assertStatus(await tie(1), 201)
    assertStatus(
      await app.delete(bob, '/repos/bob/own/issues/1/dependencies', { index: 1, ...there }),
      201,
    )
    assertStatus(await app.put(ann, '/user/blocks/bob'), 204)
    assertError(await tie(1), 403, /blocked/)
    assert.deepEqual((await app.get(ann, `${issues}/1/blocks`)).body, [])
  })

  test('are refused where they are there, are not there, go round, or are not for the caller', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    for (const title of ['1', '2', '3']) await open(ann, { title })
    const add = (from: number, to: number) =>
      app.post(ann, `${issues}/${from}/dependencies`, { index: to })

    assertStatus(await add(1, 2), 201)
    assertStatus(await app.post(ann, `${issues}/3/blocks`, { index: 2 }), 201)

    assertError(await add(1, 2), 409)
    assertError(await add(2, 1), 409)
    assertError(await add(3, 1), 409)
    assertError(await add(1, 1), 409)
    assertError(await add(1, 9), 404)
    assertError(await add(9, 1), 404)
    await app.post(ann, '/user/repos', { name: 'before' })
    await app.patch(ann, '/repos/ann/before', { name: 'after' })
    await open(ann, { title: 'elsewhere' }, '/repos/ann/after/issues')
    for (const other of [{}, { index: 1, repo: 'before' }, { index: 1, owner: 'nobody' }])
      assertError(await app.post(ann, `${issues}/1/dependencies`, other), 404, 'not found')
    const body = { index: 2 }
    assertError(await app.post(bob, `${issues}/1/dependencies`, body), 404)
    assertError(await app.delete(bob, `${issues}/1/dependencies`, body), 404)
    assertError(await app.delete(bob, `${issues}/3/blocks`, body), 404)
    assertError(await app.post(undefined, `${issues}/1/dependencies`, body), 401)
    assertError(await app.delete(ann, `${issues}/1/dependencies`, { index: 3 }), 404)
    assertStatus(await add(1, 3), 201)
    assert.deepEqual(column(await app.get(ann, `${issues}/1/dependencies`), 'number'), [2, 3])
    assertStatus(await app.delete(ann, `${issues}/1/dependencies`, body), 201)
    assert.deepEqual(column(await app.get(ann, `${issues}/1/dependencies`), 'number'), [3])
    assert.deepEqual(column(await app.get(ann, `${issues}/2/dependencies`), 'number'), [3])
    assertStatus(await app.delete(ann, `${issues}/3/blocks`, { index: 2 }), 201)
    assert.deepEqual((await app.get(ann, `${issues}/2/dependencies`)).body, [])
    await app.patch(ann, repo, { archived: true })
    assertError(await app.post(ann, `${issues}/1/dependencies`, {}), 423, 'repo is archived')
    await app.patch(ann, repo, { archived: false })
    await app.patch(ann, repo, { has_issues: true, internal_tracker: {} })
    assertError(await app.get(ann, `${issues}/1/dependencies`), 404)
    assertError(await add(1, 2), 404)
  })

  test('show nothing of issues that the caller does not read', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await app.post(ann, '/user/repos', { name: 'secret', private: true })
    await open(ann, { title: 'public' })
    await open(ann, { title: 'hidden' }, '/repos/ann/secret/issues')
    const hidden = { index: 1, owner: 'ann', repo: 'secret' }
    assertStatus(await app.post(ann, `${issues}/1/dependencies`, hidden), 201)

    const seen = await app.get(bob, `${issues}/1/dependencies`)

    assert.deepEqual([seen.body, seen.headers['x-total-count']], [[], '0'])
    assert.equal((await app.get(ann, `${issues}/1/dependencies`)).body[0].title, 'hidden')
    assert.doesNotMatch((await app.get(bob, `${issues}/1/timeline`)).text, /hidden/)
    assert.match((await app.get(ann, `${issues}/1/timeline`)).text, /hidden/)
    await open(bob, { title: 'mine' })
    assertError(await app.post(bob, `${issues}/2/dependencies`, hidden), 404)
  })
})
