// One database is enough: none is used.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'

const text = readFileSync('docs/security.md', 'utf8')
const rows = text.split('\n').filter((line) => /^\| [A-S]\d* /.test(line))

suite('the table of attacks', () => {
  test('names tests that are there', () => {
    const named = [...text.matchAll(/`(test\/[\w/-]+\.test\.ts)` \*([^*]+)\*/g)]
    assert.ok(named.length >= rows.length)

    for (const [, file = '', name = ''] of named) {
      assert.ok(existsSync(file), file)
      assert.ok(readFileSync(file, 'utf8').includes(name), `${file}: ${name}`)
    }
  })

  test('names a test for each attack, or says that there is nothing to attack', () => {
    const without = rows.filter((row) => !row.includes('`test/')).map((row) => row.slice(2, 4))

    assert.deepEqual(without, ['B6'])
  })

  test('has every attack once, in order', () => {
    const numbers = rows.map((row) => Number(/^\| [A-S](\d*)/.exec(row)?.[1]))
    const letters = rows.map((row) => row.charAt(2))
    const first = (index: number) => letters[index] !== letters[index - 1]
    const gaps = rows.filter(
      (row, at) =>
        !row.startsWith('| S') && !first(at) && numbers[at] !== (numbers[at - 1] ?? 0) + 1,
    )

    assert.deepEqual(gaps, [])
    assert.deepEqual(letters, letters.toSorted())
  })
})
