// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import { openPull } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { assertSessionEnded, assertAsksWithin, fromElsewhere } from '../support.ts'
import { pulls, startWithPulls } from './setup.ts'

interface Review {
  readonly id: number
  readonly state: string
  readonly body: string
  readonly commit_id: string
  readonly stale: boolean
  readonly comments_count: number
}

const files = `${pulls}/1/files`
const action = `${pulls}/1/reviews`

/** Bob reviews what Ann wants to have. */
async function start(t: TestContext) {
  const setup = await startWithPulls(t)
  const { app, bob, path, byBob } = setup
  const { head } = await openPull(setup)
  const reviews = async () =>
    (await app.get(bob, `${path}/pulls/1/reviews`)).body as readonly Review[]
  const states = async () =>
    (await reviews()).map(({ state, comments_count }) => [state, comments_count])
  const place = { path: 'a.txt', line: '1', side: 'new', file: '1', commit_id: head.sha as string }
  const remark = (body: string, how: string, more = {}) =>
    byBob.post(files, { ...place, body, action: how, ...more })
  return { ...setup, head, reviews, states, remark }
}

suite('a review that is begun', () => {
  test('gathers what is said of lines, and is handed in as a whole', async (t) => {
    const { byAnn, byBob, states, reviews, remark } = await start(t)
    assert.match((await byBob.get(files)).text, /Begin a review with it/)

    const begun = await remark('Alpha', 'later')
    assertStatus(await remark('Omega', 'now'), 303)

    assert.equal(begun.headers['location'], `${files}#file-1`)
    assert.deepEqual(await states(), [['PENDING', 2]])
    const page = await byBob.get(files)
    assert.match(wordsOf(page), /Alpha .* Omega .* You have begun a review with 2 comments/)
    assert.match(page.text, /Add to your review/)
    assert.doesNotMatch(page.text, /Begin a review with it/)
    for (const path of [files, `${pulls}/1`])
      assert.doesNotMatch((await byAnn.get(path)).text, /Alpha|Omega|You have begun/)
    const done = await byBob.post(action, { event: 'COMMENT', body: '' })
    const [review] = await reviews()
    assert.equal(done.headers['location'], `${pulls}/1#pullrequestreview-${review?.id}`)
    assert.deepEqual(await states(), [['COMMENT', 2]])
    assert.match(wordsOf(await byAnn.get(`${pulls}/1`)), /Alpha .* Omega/)
    assert.doesNotMatch((await byBob.get(files)).text, /You have begun/)
  })

  test('is given up by its author, with all that it says', async (t) => {
    const { byAnn, byBob, visitor, states, remark } = await start(t)
    assertStatus(await remark('Alpha', 'later'), 303)

    assertStatus(await byAnn.post(action, { event: 'DISCARD' }), 404)
    assertStatus(await byBob.post(action, { event: 'DISCARD' }, fromElsewhere), 403)
    const led = await visitor.post(action, { event: 'DISCARD' })
    assertSessionEnded(led)
    assert.deepEqual(await states(), [['PENDING', 1]])
    assertAsksWithin(await byBob.get(files), 'event', 'DISCARD')
    const gone = await byBob.post(action, { event: 'DISCARD' })

    assert.equal(gone.headers['location'], files)
    assert.deepEqual(await states(), [])
    assert.doesNotMatch((await byBob.get(files)).text, /Alpha/)
    assertStatus(await byBob.post(action, { event: 'DISCARD' }), 404)
  })

  test('keeps what it says of an earlier state in sight, and is about what was seen last', async (t) => {
    const setup = await start(t)
    const { byBob, reviews, remark } = setup
    assertStatus(await remark('Alpha', 'later'), 303)
    const head = await commit(setup, { 'a.txt': 'other\n' }, { branch: 'topic' })

    assert.match((await byBob.get(files)).text, /class="sheet earlier"[^]*Alpha/)
    assertStatus(await remark('Late', 'later'), 422)
    const approval = { event: 'APPROVED', body: '', commit_id: head }
    assertStatus(await byBob.post(action, approval), 303)

    assert.partialDeepStrictEqual(await reviews(), [
      { state: 'APPROVED', commit_id: head, stale: false, comments_count: 1 },
    ])
  })

  test('wants a reason for a refusal, and something said', async (t) => {
    const { byBob, states, remark } = await start(t)
    assertStatus(await remark('Alpha', 'later'), 303)

    const silent = await byBob.post(action, { event: 'REQUEST_CHANGES', body: ' ' })

    assertStatus(silent, 422)
    assert.match(wordsOf(silent), /You have begun a review with 1 comment .*Say what is to be/)
    assertStatus(await remark(' ', 'later'), 422)
    assert.deepEqual(await states(), [['PENDING', 1]])
    const changed = { event: 'REQUEST_CHANGES', body: 'All of it' }
    assertStatus(await byBob.post(action, changed), 303)
    assert.deepEqual(await states(), [['REQUEST_CHANGES', 1]])
  })

  test('is not handed in once the conversation is locked', async (t) => {
    const { app, ann, path, byBob, states, remark } = await start(t)
    assertStatus(await remark('Alpha', 'later'), 303)
    await app.put(ann, `${path}/issues/1/lock`, { lock_reason: '' })

    assertStatus(await byBob.post(action, { event: 'COMMENT', body: 'So' }), 403)

    assert.deepEqual(await states(), [['PENDING', 1]])
  })

  test('goes with its last comment', async (t) => {
    const { app, bob, path, byBob, states, reviews, remark } = await start(t)
    assertStatus(await remark('Alpha', 'later'), 303)
    const [review] = await reviews()
    const { body } = await app.get(bob, `${path}/pulls/1/reviews/${review?.id}/comments`)

    const gone = await byBob.post(`${pulls}/1/comments/${body[0].id}`, {
      action: 'delete',
      on: 'files',
    })

    assert.equal(gone.headers['location'], files)
    assert.deepEqual(await states(), [])
  })
})
