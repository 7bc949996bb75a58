import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { describeSeconds } from '../../../src/collaboration/time-tracking/tracked-time.ts'
import { column, issues, repo, withTracker } from '../issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const times = `${issues}/1/times`
const stopwatch = `${issues}/1/stopwatch`
const off = { has_issues: true, internal_tracker: { enable_time_tracker: false } }

suite('time spent on issues', () => {
  test('is added, also when all of it is deleted at once', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await open(ann, { title: 'x' })

    for (let round = 0; round < 20; round++) {
      const adding = app.post(ann, times, { time: 5 })
      await delay(round % 4)
      const [added] = await Promise.all([adding, app.delete(ann, times)])

      assert.partialDeepStrictEqual(added, { status: 200, body: { time: 5 } })
    }
  })

  test('is added, listed and deleted', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    const issue = await open(ann, { title: 'x' })

    const added = await app.post(cat, times, { time: 90, created: '2030-01-02T03:04:05Z' })
    const other = await app.post(ann, times, { time: 10, user_name: 'cat' })

    assert.equal(added.status, 200)
    const { issue: shown, ...rest } = added.body
    assert.deepEqual(rest, {
      id: rest.id,
      created: '2030-01-02T03:04:05Z',
      time: 90,
      user_id: cat.id,
      user_name: 'cat',
      issue_id: issue.id,
    })
    assert.equal(shown.number, 1)
    assert.equal(other.body.user_name, 'cat')
    await app.post(ann, times, { time: 5 })
    assert.deepEqual(column(await app.get(cat, times), 'time'), [10, 90])
    assert.deepEqual(column(await app.get(ann, times), 'time'), [10, 5, 90])
    assert.deepEqual(column(await app.get(ann, `${repo}/times?user=ann`), 'time'), [5])
    assert.deepEqual(column(await app.get(cat, `${repo}/times/cat`), 'time'), [10, 90])
    assert.deepEqual(
      column(await app.get(ann, `${times}?since=2029-01-01T00:00:00Z`), 'time'),
      [90],
    )
    const own = await app.get(cat, '/user/times?before=2029-01-01T00:00:00Z')
    assert.deepEqual([column(own, 'time'), own.headers['x-total-count']], [[10], '1'])
    assertError(await app.delete(ann, `${times}/${rest.id}`), 403)
    assertStatus(await app.delete(cat, `${times}/${rest.id}`), 204)
    assertError(await app.delete(cat, `${times}/${rest.id}`), 404)
    assertStatus(await app.delete(cat, times), 204)
    assertError(await app.delete(cat, times), 404)
    assert.deepEqual(column(await app.get(ann, `${repo}/times`), 'time'), [5])
    const timeline = await app.get(ann, `${issues}/1/timeline`)
    assert.deepEqual(column(timeline, 'type'), [
      'add_time_manual',
      'add_time_manual',
      'add_time_manual',
      'delete_time_manual',
      'delete_time_manual',
    ])
    assert.equal(timeline.body[2].tracked_time.time, 5)
  })

  test('is that of one person on one issue of one repository', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    const [second, elsewhere] = [`${issues}/2/times`, '/repos/ann/other/issues/1/times']
    await app.post(ann, '/user/repos', { name: 'other' })
    for (const path of [issues, issues, '/repos/ann/other/issues'])
      await open(ann, { title: 'x' }, path)
    const at = '2030-01-02T03:04:05Z'
    const { id } = (await app.post(ann, times, { time: 1, created: at })).body
    await app.post(cat, times, { time: 2 })
    await app.post(ann, second, { time: 4 })
    await app.post(ann, elsewhere, { time: 8 })
    const sum = async (path: string, who = ann) =>
      (column(await app.get(who, path), 'time') as number[]).reduce((a, b) => a + b, 0)

    assert.equal(await sum(times), 3)
    assert.equal(await sum(`${repo}/times`), 7)
    assert.equal(await sum('/user/times'), 13)
    for (const bound of ['since', 'before'])
      assert.ok((await sum(`${times}?${bound}=${at}`)) % 2 === 1, bound)
    for (const path of [second, elsewhere]) assertError(await app.delete(ann, `${path}/${id}`), 404)
    assertStatus(await app.delete(ann, second), 204)
    assert.deepEqual([await sum(`${repo}/times`), await sum(elsewhere)], [3, 8])
    assertStatus(await app.delete(await app.addAdmin(), `${times}/${id}`), 204)
    assert.equal(await sum(`${repo}/times`), 2)
    for (const who of [ann, cat]) assertStatus(await app.post(who, `${stopwatch}/start`), 201)
    assertError(await app.post(ann, `${issues}/2/stopwatch/stop`), 409)
    assertStatus(await app.post(ann, `${stopwatch}/stop`), 201)
    assert.equal((await app.get(cat, '/user/stopwatches')).body.length, 1)
    assert.deepEqual((await app.get(ann, '/user/stopwatches')).body, [])
    await app.patch(ann, repo, { has_issues: false })
    for (const path of ['times', 'times/ann'])
      assertError(await app.get(ann, `${repo}/${path}`), 404, 'not found')
  })

  test('is for contributors where the settings say so, and for nobody where it is off', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await open(ann, { title: 'x' })
    await open(bob, { title: 'of bob' })
    const add = { time: 1 }

    assertError(await app.post(undefined, times, add), 401)
    for (const none of [{}, { time: 0 }, { time: -5 }]) {
      assertError(await app.post(bob, times, none), 422, '[Time]: Required')
      assertError(await app.post(ann, `${issues}/9/times`, none), 422, '[Time]: Required')
    }
    assertError(await app.post(bob, times, add), 403)
    assertError(await app.post(ann, times, { time: -5 }), 422)
    assertError(await app.post(ann, `${issues}/9/times`, add), 404)
    assertStatus(await app.post(bob, `${issues}/2/times`, add), 200)
    await app.patch(ann, `${issues}/1`, { assignees: ['bob'] })
    assertStatus(await app.post(bob, times, add), 200)
    const dan = await app.addCaller('dan')
    await open(ann, { title: 'of ann' })
    assertError(await app.post(dan, times, add), 403)
    assertError(await app.post(bob, `${issues}/3/times`, add), 403)
    assertError(await app.post(bob, times, { ...add, user_name: 'ann' }), 403)
    assertError(await app.post(ann, times, { ...add, user_name: 'nobody' }), 404)
    assertError(await app.get(bob, `${times}?user=ann`), 403)
    assertError(await app.get(bob, `${repo}/times/ann`), 403)
    assertError(await app.get(ann, `${times}?user=nobody`), 404)
    assertError(await app.get(undefined, times), 401)
    await app.patch(ann, repo, off)
    assertError(await app.get(ann, times), 404)
    for (const path of ['times', 'times/ann'])
      assertError(await app.get(ann, `${repo}/${path}`), 400, 'time tracking disabled')
    assertError(await app.post(ann, times, add), 400, 'time tracking disabled')
    assertError(await app.post(ann, `${stopwatch}/start`), 400)
    const anybody = { enable_time_tracker: true, allow_only_contributors_to_track_time: false }
    await app.patch(ann, repo, { has_issues: true, internal_tracker: anybody })
    assertStatus(await app.post(dan, times, add), 200)
  })

  test('is off everywhere where the server says so', async (t) => {
    const { app, ann, open } = await withTracker(t, {}, { time_tracking: { enabled: false } })
    await open(ann, { title: 'a thing' })

    assertError(await app.post(ann, times, { time: 1 }), 400, 'time tracking disabled')
    assertError(await app.post(ann, `${stopwatch}/start`), 400, 'time tracking disabled')
    assertError(await app.get(ann, `${repo}/times`), 400, 'time tracking disabled')
    assertError(await app.get(ann, times), 404)
  })

  test('is not shown any more to who reads the repository no longer', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    await open(ann, { title: 'secret' })
    await app.post(cat, times, { time: 1 })
    await app.post(cat, `${stopwatch}/start`)
    await app.patch(ann, repo, { private: true })
    assert.equal((await app.get(cat, '/user/times')).body.length, 1)

    await app.delete(ann, `${repo}/collaborators/cat`)

    for (const path of ['/user/times', '/user/stopwatches']) {
      const { body, headers } = await app.get(cat, path)
      assert.deepEqual([body, headers['x-total-count']], [[], '0'])
    }
  })
})

suite('stopwatches', () => {
  test('run one at a time, and leave their time behind', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    for (const title of ['one', 'two']) await open(ann, { title })
    const running = async () => (await app.get(cat, '/user/stopwatches')).body

    assertError(await app.post(cat, `${stopwatch}/stop`), 409)
    assertError(await app.delete(cat, `${stopwatch}/delete`), 409)
    assertStatus(await app.post(cat, `${stopwatch}/start`), 201)
    assertError(await app.post(cat, `${stopwatch}/start`), 409)
    app.passTime(3725)
    const [first] = await running()
    assertStatus(await app.post(cat, `${issues}/2/stopwatch/start`), 201)

    assert.partialDeepStrictEqual(first, {
      issue_index: 1,
      issue_title: 'one',
      repo_owner_name: 'ann',
      repo_name: 'r',
    })
    assert.ok(first.seconds >= 3725)
    assert.match(first.duration as string, /^1 hour 2 minutes$/)
    assert.deepEqual((await running()).length, 1)
    assert.ok((await app.get(cat, times)).body[0].time >= 3725)
    assertStatus(await app.delete(cat, `${issues}/2/stopwatch/delete`), 204)
    assert.deepEqual(await running(), [])
    assert.deepEqual((await app.get(cat, `${issues}/2/times`)).body, [])
    assertStatus(await app.post(cat, `${stopwatch}/start`), 201)
    assertStatus(await app.post(cat, `${stopwatch}/stop`), 201)
    assert.equal((await app.get(cat, times)).body.length, 2)
    assertError(await app.post(undefined, `${stopwatch}/start`), 401)
    assertError(await app.post(cat, `${issues}/9/stopwatch/start`), 404)
    const told = async (number: number) =>
      column(await app.get(ann, `${issues}/${number}/timeline`), 'type')
    const run = ['start_tracking', 'stop_tracking']
    assert.deepEqual(await told(1), [...run, ...run])
    assert.deepEqual(await told(2), ['start_tracking', 'cancel_tracking'])
  })

  test('run one at a time also when several are started at once, here and elsewhere', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await app.post(ann, '/user/repos', { name: 'other' })
    const places = [`${issues}/1`, `${issues}/2`, '/repos/ann/other/issues/1']
    for (const path of [issues, issues, '/repos/ann/other/issues'])
      await open(ann, { title: 'x' }, path)
    const start = (place: string) => app.post(ann, `${place}/stopwatch/start`)

    const same = await Promise.all([1, 2, 3].map(() => start(`${issues}/1`)))
    const others = await Promise.all([...places, ...places].map(start))

    const statuses = same.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [201, 409, 409])
    assert.ok(others.every(({ status }) => status === 201 || status === 409))
    assert.equal((await app.get(ann, '/user/stopwatches')).body.length, 1)
    const started = 1 + others.filter(({ status }) => status === 201).length
    assert.equal((await app.get(ann, '/user/times')).body.length, started - 1)
  })

  test('show hours, minutes and seconds, the two largest of them', () => {
    const cases: [number, string][] = [
      [0, ''],
      [1, '1 second'],
      [61, '1 minute 1 second'],
      [7325, '2 hours 2 minutes'],
      [3601, '1 hour 1 second'],
    ]
    for (const [seconds, expected] of cases) assert.equal(describeSeconds(seconds), expected)
  })
})
