// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive } from '../../code/commits/setup.ts'
import { addBranch, addCollaborator, getPull, openPull } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { pulls, startWithPulls, type PullSetup } from './setup.ts'

suite('POST /{owner}/{repo}/pulls/{index}/base', () => {
  const path = `${pulls}/1/base`
  const baseOf = async (setup: PullSetup) => (await getPull(setup, 1)).base.ref as string

  test('changes the branch that a pull request goes to', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn } = setup
    await addBranch(setup, 'next', { 'b.txt': 'b\n' })
    await openPull(setup)

    const page = await byAnn.get(`${pulls}/1`)
    assert.match(page.text, /href="\/ann\/one\/pulls\/1\?edit=base"/)
    assert.doesNotMatch(page.text, /name="base"/)
    const form = await byAnn.get(`${pulls}/1?edit=base`)
    assert.match(form.text, /name="base" value="main"[^]*<option value="next">/)
    const changed = await byAnn.post(path, { base: 'next' })

    assert.equal(changed.headers['location'], `${pulls}/1`)
    assert.equal(await baseOf(setup), 'next')
    const words = wordsOf(await byAnn.get(`${pulls}/1`))
    assert.match(words, /changed the branch to merge into from main to next/)
  })

  test('takes branches that there are, from those who edit it', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path: repo, byAnn, byBob, visitor } = setup
    await addBranch(setup, 'next', { 'b.txt': 'b\n' })
    await openPull(setup)
    await openPull(setup, { base: 'next' })

    for (const base of ['none', 'topic', 'next', ' ', evil]) {
      const answer = await byAnn.post(path, { base })
      assertStatus(answer, 422)
      assert.match(answer.text, /id="base-problem" role="alert"/)
      assert.ok(!hasScript(answer))
    }
    assert.match((await byAnn.post(path, { base: 'none' })).text, /name="base" value="none"/)
    assert.doesNotMatch(
      (await byBob.get(`${pulls}/1?edit=base`)).text,
      /href="[^"]*edit=base"|name="base"/,
    )
    assertStatus(await byBob.post(path, { base: 'next' }), 403)
    assertStatus(await byBob.post(path, { base: '' }), 403)
    assertStatus(await byAnn.post(path, { base: 'next' }, fromElsewhere), 403)
    const led = await visitor.post(path, { base: 'next' })
    assertSessionEnded(led)
    await app.patch(ann, `${repo}/issues/1`, { state: 'closed' })
    assert.doesNotMatch(
      (await byAnn.get(`${pulls}/1?edit=base`)).text,
      /href="[^"]*edit=base"|name="base"/,
    )
    assertStatus(await byAnn.post(path, { base: 'next' }), 422)
    await archive(setup)
    assertStatus(await byAnn.post(path, { base: 'next' }), 423)
    assert.equal(await baseOf(setup), 'main')
  })
})

suite('POST /{owner}/{repo}/pulls/{index}/reviews/{id}/dismissal', () => {
  async function startWithReview(t: Parameters<typeof startWithPulls>[0]) {
    const setup = await startWithPulls(t)
    const { app, bob, path } = setup
    await openPull(setup)
    const review = { event: 'REQUEST_CHANGES', body: 'no' }
    const { body } = await app.post(bob, `${path}/pulls/1/reviews`, review)
    const id = body.id as number
    const isDismissed = async () =>
      (await app.get(bob, `${path}/pulls/1/reviews/${id}`)).body.dismissed as boolean
    return { ...setup, isDismissed, action: `${pulls}/1/reviews/${id}/dismissal` }
  }

  test('lets a decision count no longer, with the reason, and again', async (t) => {
    const { byAnn, action, isDismissed } = await startWithReview(t)

    const done = await byAnn.post(action, { dismissed: 'true', reason: `Old ${evil}` })

    assert.match(done.headers['location'] ?? '', /\/pulls\/1#pullrequestreview-\d+$/)
    assert.equal(await isDismissed(), true)
    const page = await byAnn.get(`${pulls}/1`)
    assert.match(page.text, /dismissed a review: Old &lt;script&gt;/)
    assert.ok(!hasScript(page))
    assert.match(page.text, /Let it count again/)
    assertStatus(await byAnn.post(action, { dismissed: 'false' }), 303)
    assert.equal(await isDismissed(), false)
    assert.match((await byAnn.get(`${pulls}/1`)).text, /Dismiss the review/)
  })

  test('is for administrators, who say why', async (t) => {
    const setup = await startWithReview(t)
    const { app, ann, bob, path, byAnn, byBob, visitor, action, isDismissed } = setup
    await addCollaborator(setup, bob, 'write')
    const fields = { dismissed: 'true', reason: 'Old' }

    const silent = await byAnn.post(action, { ...fields, reason: ' ' })
    assertStatus(silent, 422)
    assert.match(silent.text, /<details class="dismissal" open>[^]*Say why\./)
    assert.doesNotMatch((await byBob.get(`${pulls}/1`)).text, /class="dismissal"/)
    assertStatus(await byBob.post(action, fields), 403)
    assertStatus(await byAnn.post(action, fields, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(action, fields))
    assertStatus(await byAnn.post(`${pulls}/1/reviews/99/dismissal`, fields), 404)
    await app.patch(ann, `${path}/issues/1`, { state: 'closed' })
    assert.doesNotMatch((await byAnn.get(`${pulls}/1`)).text, /class="dismissal"/)
    assertStatus(await byAnn.post(action, fields), 403)
    assert.equal(await isDismissed(), false)
  })
})
