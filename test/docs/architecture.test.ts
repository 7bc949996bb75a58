// One database is enough: none is used.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'

const rows = readFileSync('docs/architecture.md', 'utf8').match(/^\|.*$/gm) ?? []
const named = rows.flatMap((row) => row.match(/(?<=`)src\/[\w-]+(\/|\.ts)(?=`)/g) ?? [])
const there = readdirSync('src', { withFileTypes: true }).map((entry) =>
  entry.isDirectory() ? `src/${entry.name}/` : `src/${entry.name}`,
)

suite('the table of folders', () => {
  test('has every folder and file of src, and nothing else, once', () => {
    assert.deepEqual(named.toSorted(), there.toSorted())
  })
})
