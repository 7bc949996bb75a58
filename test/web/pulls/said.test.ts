// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { archive } from '../../code/commits/setup.ts'
import { openPull } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, assertAsksWithin, fromElsewhere, signIn } from '../support.ts'
import { pulls, startWithPulls } from './setup.ts'

interface Said {
  readonly id: number
  readonly body: string
}

/** Bob has said something of a line of Ann's pull request. */
async function startWithRemark(t: TestContext) {
  const setup = await startWithPulls(t)
  const { app, ann, bob, path } = setup
  await openPull(setup)
  const reviews = `${path}/pulls/1/reviews`
  const comments = [{ path: 'a.txt', new_position: 1, body: 'Why?' }]
  const { body: review } = await app.post(bob, reviews, { event: 'COMMENT', comments })
  const said = async () =>
    (await app.get(ann, `${reviews}/${review.id}/comments`)).body as readonly Said[]
  const [first] = await said()
  assert.ok(first)
  return { ...setup, reviews, review, said, first, action: `${pulls}/1/comments/${first.id}` }
}

suite('POST /{owner}/{repo}/pulls/{index}/comments/{id}', () => {
  test('changes what somebody said of a line, and leads back to where the form was', async (t) => {
    const { byBob, byAnn, said, first, action } = await startWithRemark(t)

    const saved = await byBob.post(action, { body: `Really **why** ${evil}` })
    const onFiles = await byBob.post(action, { body: `Oh **why** ${evil}`, on: 'files' })

    assert.equal(saved.headers['location'], `${pulls}/1#issuecomment-${first.id}`)
    assert.equal(onFiles.headers['location'], `${pulls}/1/files#issuecomment-${first.id}`)
    assert.deepEqual(
      (await said()).map(({ body }) => body),
      [`Oh **why** ${evil}`],
    )
    for (const path of ['', '/files']) {
      const page = await byAnn.get(`${pulls}/1${path}`)
      assert.match(page.text, /Oh <strong>why<\/strong>/)
      assert.ok(!hasScript(page))
    }
  })

  test('deletes it, with the review that says nothing else', async (t) => {
    const { app, ann, byBob, byAnn, reviews, review, said, action } = await startWithRemark(t)
    assertStatus(await byAnn.post(`${action}/replies`, { body: 'Because' }), 303)
    const [, second] = await said()

    assertAsksWithin(await byBob.get(`${pulls}/1`), 'action', 'delete')
    const deleted = await byBob.post(action, { action: 'delete' })

    assert.equal(deleted.headers['location'], `${pulls}/1`)
    assert.deepEqual(
      (await said()).map(({ id }) => id),
      [second?.id],
    )
    assertStatus(await byBob.post(action, { action: 'delete' }), 404)
    const other = `${pulls}/1/comments/${second?.id}`
    assertStatus(await byBob.post(other, { action: 'delete' }), 403)
    assertStatus(await byAnn.post(other, { action: 'delete' }), 303)
    assertStatus(await app.get(ann, `${reviews}/${review.id}`), 404)
    assert.doesNotMatch(wordsOf(await byAnn.get(`${pulls}/1`)), /bob reviewed the changes/)
  })

  test('is for its author and those who write, and takes no empty text', async (t) => {
    const setup = await startWithRemark(t)
    const { app, byAnn, byBob, visitor, said, first, action } = setup
    await app.addCaller('cat')
    const byCat = await signIn(app, 'cat')

    for (const [on, back] of [
      ['', 'conversation'],
      ['files', 'files'],
    ] as const) {
      const empty = await byBob.post(action, { body: ' ', on })
      assertStatus(empty, 422)
      assert.match(empty.text, /<details class="answer" open><summary>Edit/)
      assert.match(empty.text, /Write something first\./)
      const current = /<a href="[^"]*" aria-current="page">(\w+)/.exec(
        empty.text.slice(empty.text.indexOf('class="sections"')),
      )
      assert.equal(current?.[1]?.toLowerCase(), back)
    }
    assert.doesNotMatch((await byCat.get(`${pulls}/1`)).text, /<summary>Edit/)
    assert.match((await byAnn.get(`${pulls}/1`)).text, /<summary>Edit/)
    assertStatus(await byCat.post(action, { body: 'Mine' }), 403)
    assertStatus(await byCat.post(action, { body: '' }), 403)
    assertStatus(await byCat.post(action, { action: 'delete' }), 403)
    assertStatus(await byBob.post(action, { body: 'x' }, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(action, { body: 'x' }))
    assertStatus(await byBob.post(`${pulls}/2/comments/${first.id}`, { body: 'x' }), 404)
    await archive(setup)
    assertStatus(await byBob.post(action, { body: 'x' }), 423)
    assert.deepEqual(
      (await said()).map(({ body }) => body),
      ['Why?'],
    )
  })
})
