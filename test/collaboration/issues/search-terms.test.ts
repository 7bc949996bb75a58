import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startWithRepository } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf, visit } from '../../web/repository/support.ts'

suite('a search for issues', () => {
  test('takes words in any order, phrases and numbers', async (t) => {
    const { app, ann, bob, path } = await startWithRepository(t)
    const texts = [
      { title: 'Bug: the cart is blue', body: 'It should be GREEN' },
      { title: 'Blue bug', body: 'See #1' },
      { title: 'The bug is 100% old', body: 'Nothing' },
    ]
    for (const text of texts) assertStatus(await app.post(bob, `${path}/issues`, text), 201)
    assertStatus(await app.post(ann, `${path}/issues/3/comments`, { body: 'blue, as said' }), 201)
    const found = async (words: string) => {
      const query = `q=${encodeURIComponent(words)}`
      const { body } = await app.get(ann, `${path}/issues?${query}`)
      const everywhere = await app.get(ann, `/repos/issues/search?${query}`)
      const numbers = (list: readonly { readonly number: number }[]) =>
        list.map(({ number }) => number).sort((a, b) => a - b)
      assert.deepEqual(numbers(everywhere.body), numbers(body), words)
      return numbers(body)
    }

    for (const [words, expected] of [
      ['bug cart', [1]],
      ['cart BUG green', [1]],
      ['blue bug', [1, 2, 3]],
      ['"blue bug"', [2]],
      ['"is blue" the', [1]],
      ['blue "nothing" bug', [3]],
      ['bug nowhere', []],
      ['#2', [2]],
      ['2', [2]],
      ['#1', [1, 2]],
      ['#7', []],
      ['100%', [3]],
      ['"', []],
      ['""', []],
      ['"blue', []],
    ] as const) {
      assert.deepEqual(await found(words), expected, words)
    }
    assert.deepEqual(await found(Array.from({ length: 500 }, (_, n) => `w${n}`).join(' ')), [])
    const page = await visit(app, `/ann/one/issues?q=${encodeURIComponent('bug cart')}`)
    assert.match(wordsOf(page), /Bug: the cart is blue/)
    assert.doesNotMatch(wordsOf(page), /Blue bug/)
  })
})
