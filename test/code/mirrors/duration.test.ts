// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { formatDuration, parseDuration } from '../../../src/code/mirrors/duration.ts'
import { nextSync, nextTry } from '../../../src/code/mirrors/interval.ts'

suite('durations', () => {
  test('are read and written as Go does', () => {
    const cases = {
      '0': '0s',
      '-0': '0s',
      '0s': '0s',
      '90m': '1h30m0s',
      '8h30m': '8h30m0s',
      '10m': '10m0s',
      '+1h': '1h0m0s',
      '-1h': '-1h0m0s',
      '1.5h': '1h30m0s',
      '.5m': '30s',
      '1h1ns': '1h0m0.000000001s',
      '1500ms': '1.5s',
      '1500us': '1.5ms',
      '15µs': '15µs',
      '7ns': '7ns',
      '2540400h': '2540400h0m0s',
    }

    for (const [text, shown] of Object.entries(cases)) {
      assert.equal(formatDuration(parseDuration(text)), shown, text)
    }
  })

  test('that are none are told apart in its words', () => {
    const cases = {
      '': 'time: invalid duration ""',
      abc: 'time: invalid duration "abc"',
      '-': 'time: invalid duration "-"',
      '10': 'time: missing unit in duration "10"',
      '1e9h': 'time: unknown unit "e" in duration "1e9h"',
      '1d': 'time: unknown unit "d" in duration "1d"',
      '1 h': 'time: unknown unit " h" in duration "1 h"',
      '.h': 'time: invalid duration ".h"',
      '1..5h': 'time: missing unit in duration "1..5h"',
      '1constructor': 'time: unknown unit "constructor" in duration "1constructor"',
      NaN: 'time: invalid duration "NaN"',
      '9999999999h': 'time: invalid duration "9999999999h"',
    }

    for (const [text, message] of Object.entries(cases)) {
      assert.throws(() => parseDuration(text), { message }, text)
    }
    assert.throws(() => parseDuration('9'.repeat(5000)), /invalid duration/)
  })

  test('spread the mirrors of one interval, and slow down those that fail', () => {
    const times = Array.from({ length: 100 }, (_, id) => nextSync(1000, { seconds: 28_800 }, id))

    assert.ok(times.every((time) => time >= 29_800 && time < 30_100))
    assert.ok(new Set(times).size > 50)
    assert.equal(nextSync(1000, { seconds: 0 }, 7), 0)
    const pauses = [1, 2, 3, 9, 100].map((failures) => nextTry(0, { seconds: 28_800 }, failures))
    assert.deepEqual(pauses, [600, 1200, 2400, 86_400, 86_400])
    assert.equal(nextTry(1000, { seconds: 0 }, 3), 0)
  })
})
