// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { addIssue, issues, startWithIssues } from './setup.ts'

const cut =
  /<p class="more">This is the beginning of a long text\.(?: <a href="([^"]+)">Show the whole<\/a>)?<\/p>/g

suite('the long texts of a conversation', () => {
  test('are shown in part, each with a way to the whole', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byBob } = setup
    const number = await addIssue(setup, ann, { body: 'short' })
    const long = `${'some words\n'.repeat(15_000)}\nthe very end`
    for (const name of ['first', 'second']) {
      const path = `/repos/ann/one/issues/${number}/comments`
      assertStatus(await app.post(ann, path, { body: `${name}\n\n${long} of the ${name}` }), 201)
    }

    const page = await byBob.get(`${issues}/${number}`)
    const [, address = ''] = [...page.text.matchAll(cut)][1] ?? []
    const whole = await byBob.get(address.replaceAll('&amp;', '&'))

    assert.equal([...page.text.matchAll(cut)].length, 2)
    assert.doesNotMatch(page.text, /the very end/)
    assert.match(whole.text, /the very end of the second/)
    assert.doesNotMatch(whole.text, /the very end of the first/)
    assert.equal([...whole.text.matchAll(cut)].length, 1)
  })

  test('have so much room together', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byBob } = setup
    const number = await addIssue(setup, ann, { body: 'short' })
    const path = `/repos/ann/one/issues/${number}/comments`
    for (let at = 0; at < 40; at++) {
      const body = `number ${at}\n\n${'- [ ] a task\n'.repeat(2000)}`
      assertStatus(await app.post(ann, path, { body }), 201)
    }

    const page = await byBob.get(`${issues}/${number}`)

    assertStatus(page, 200)
    for (let at = 0; at < 40; at++) assert.match(page.text, new RegExp(`number ${at}<`))
    assert.ok(page.text.length < 5_000_000, String(page.text.length))
    assert.match(page.text, cut)
  })
})
