// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import {
  assertSessionEnded,
  assertAsksFirst,
  assertAsksWithin,
  fromElsewhere,
  signIn,
  type Visitor,
} from '../support.ts'
import { addIssue, issues, startWithIssues, type Setup } from './setup.ts'

const repo = '/repos/ann/one'
const path = `${issues}/1/time`

interface Time {
  readonly id: number
  readonly time: number
  readonly user_name: string
}

async function times({ app, ann }: Setup): Promise<readonly Time[]> {
  return (await app.get(ann, `${repo}/issues/1/times`)).body as readonly Time[]
}

async function secondsOf(setup: Setup) {
  return (await times(setup)).map(({ user_name: name, time }) => [name, time])
}

async function letEverybodyTrack({ app, ann }: Setup): Promise<void> {
  const tracker = { enable_time_tracker: true, allow_only_contributors_to_track_time: false }
  assertStatus(await app.patch(ann, repo, { has_issues: true, internal_tracker: tracker }), 200)
}

suite('POST /{owner}/{repo}/issues/{index}/time', () => {
  test('starts a clock, and stops it or forgets it', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn } = setup
    await addIssue(setup, ann)
    const running = async () => (await app.get(ann, '/user/stopwatches')).body.length as number

    const started = await byAnn.post(path, { action: 'start' })
    assert.equal(started.headers['location'], `${issues}/1#fact-time-spent`)
    assert.equal(await running(), 1)
    const page = await byAnn.get(`${issues}/1`)
    assert.match(page.text, /value="stop"[^]*value="cancel"/)
    assertAsksWithin(page, 'action', 'cancel')
    const twice = await byAnn.post(path, { action: 'start' })
    assertStatus(twice, 422)
    assert.match(twice.text, /The clock is running already\./)
    assertStatus(await byAnn.post(path, { action: 'stop' }), 303)
    assert.equal((await times(setup)).length, 1)
    assertStatus(await byAnn.post(path, { action: 'start' }), 303)
    assertStatus(await byAnn.post(path, { action: 'cancel' }), 303)
    assert.equal(await running(), 0)
    assert.equal((await times(setup)).length, 1)
    assertStatus(await byAnn.post(path, { action: 'stop' }), 422)
    assertStatus(await byAnn.post(path, { action: 'run' }), 404)
  })

  test('adds time by hand and deletes it; others see what is theirs', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob } = setup
    await addIssue(setup, ann)
    await letEverybodyTrack(setup)

    assertStatus(await byAnn.post(path, { action: 'add', hours: '1', minutes: '30' }), 303)
    assertStatus(await byBob.post(path, { action: 'add', hours: '', minutes: '5' }), 303)

    assert.deepEqual(await secondsOf(setup), [
      ['ann', 5400],
      ['bob', 300],
    ])
    assert.match(wordsOf(await byAnn.get(`${issues}/1`)), /1 hour 35 minutes in all ann: 1 hour/)
    const own = wordsOf(await byBob.get(`${issues}/1`))
    assert.match(own, /5 minutes in all bob: 5 minutes/)
    assert.doesNotMatch(own, /ann: 1 hour/)
    const offered = async (one: Visitor) =>
      Array.from(
        (await one.get(`${issues}/1`)).text.matchAll(
          /<summary class="button">Delete<span class="unseen"> [\w ]+ of (\w+)</g,
        ),
        ([, name]) => name,
      )
    await app.addAdmin()
    const byRoot = await signIn(app, 'root')
    assert.deepEqual(await offered(byAnn), ['ann'])
    assert.deepEqual(await offered(byBob), ['bob'])
    assert.deepEqual(await offered(byRoot), ['ann', 'bob'])
    assertStatus(await app.patch(ann, repo, { archived: true }), 200)
    assert.deepEqual(await offered(byRoot), [])
    assert.match(wordsOf(await byRoot.get(`${issues}/1`)), /1 hour 35 minutes in all/)
    assertStatus(await app.patch(ann, repo, { archived: false }), 200)
    const [first, second] = await times(setup)
    assertAsksFirst(await byBob.get(`${issues}/1`), path)
    assertStatus(await byBob.post(path, { remove: String(first?.id) }), 403)
    assertStatus(await byBob.post(path, { remove: String(second?.id) }), 303)
    assert.deepEqual(await secondsOf(setup), [['ann', 5400]])
  })

  test('takes time that can be, from those who may track it', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)

    for (const [hours, minutes] of [
      ['0', '0'],
      ['-1', '90'],
      ['1', '-5'],
      ['10001', '0'],
      ['x', ''],
    ] as const) {
      const wrong = await byAnn.post(path, { action: 'add', hours, minutes })
      assertStatus(wrong, 422)
      assert.match(wrong.text, /Say how long it took/)
      assert.ok(wrong.text.includes(`name="hours" min="0" value="${hours}"`))
    }
    const fields = { action: 'add', minutes: '5' }
    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /Time spent/)
    assert.doesNotMatch((await visitor.get(`${issues}/1`)).text, /Time spent/)
    assertStatus(await byBob.post(path, fields), 403)
    assertStatus(await byAnn.post(path, fields, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path, fields))
    assert.deepEqual(await times(setup), [])
    const off = { has_issues: true, internal_tracker: { enable_time_tracker: false } }
    assertStatus(await app.patch(ann, repo, off), 200)
    assert.doesNotMatch((await byAnn.get(`${issues}/1`)).text, /Time spent/)
    assertStatus(await byAnn.post(path, fields), 400)
  })
})
