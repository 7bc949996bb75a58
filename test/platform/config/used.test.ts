// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { settings } from '../../../src/platform/config/settings.ts'

suite('settings', () => {
  test('are all looked at somewhere: none is there for nothing', () => {
    const root = new URL('../../../src/', import.meta.url).pathname
    const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('settings.ts'))
    const words = new Set(
      files.flatMap((file) => readFileSync(`${root}${file}`, 'utf8').match(/\w+/g) ?? []),
    )
    const names = Object.values(settings).flatMap((section) => Object.keys(section))

    assert.deepEqual(
      names.filter((name) => !words.has(name)),
      [],
    )
  })
})
