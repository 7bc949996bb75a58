// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { combine } from '../../../src/collaboration/statuses/status.ts'

suite('the combined state', () => {
  const cases: [readonly string[], string][] = [
    [[], 'pending'],
    [['pending'], 'pending'],
    [['success'], 'success'],
    [['skipped'], 'success'],
    [['success', 'skipped'], 'success'],
    [['success', 'pending'], 'pending'],
    [['skipped', 'pending'], 'pending'],
    [['success', 'error'], 'failure'],
    [['pending', 'failure'], 'failure'],
    [['success', 'warning'], 'failure'],
  ]

  for (const [states, expected] of cases) {
    test(`of ${states.join(' and ') || 'nothing'} is ${expected}`, () => {
      assert.equal(combine(states), expected)
    })
  }
})
