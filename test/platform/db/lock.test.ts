// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { lockedSubjects } from '../../../src/platform/db/lock.ts'

suite('locks', () => {
  test('of different subjects do not wait for each other', () => {
    const numbers = Object.values(lockedSubjects)
    assert.equal(new Set(numbers).size, numbers.length)
  })
})
