import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveWay } from '../../../src/platform/concurrency/give-way.ts'

test('of many that wait, each does its piece in a turn of its own', async () => {
  const told: string[] = []
  const beside = setInterval(() => told.push('beside'), 1)
  await Promise.all(
    ['first', 'second', 'third', 'fourth'].map(async (name) => {
      await giveWay()
      work()
      told.push(name)
    }),
  )
  clearInterval(beside)
  const pieces = told.filter((one, at) => one !== 'beside' || told[at - 1] !== 'beside')
  assert.deepEqual(pieces.slice(pieces.indexOf('first'), pieces.indexOf('fourth') + 1), [
    'first',
    'beside',
    'second',
    'beside',
    'third',
    'beside',
    'fourth',
  ])
})

/** Longer than one turn may take. */
function work(): void {
  const until = performance.now() + 20
  while (performance.now() < until);
}
