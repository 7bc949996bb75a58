// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isNewEnough } from '../../../src/platform/git/version.ts'
import { startServer } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'

suite('the version of git', () => {
  for (const [text, expected] of [
    ['git version 2.39.5\n', true],
    ['git version 2.39.5 (Apple Git-154)\n', true],
    ['git version 2.51.0.windows.1\n', true],
    ['git version 3.0.0\n', true],
    ['git version 2.38.9\n', false],
    ['git version 1.99.0\n', false],
    ['something else\n', false],
  ] as const) {
    test(`${text.trim()} is ${expected ? 'new enough' : 'refused'}`, () => {
      assert.equal(isNewEnough(text), expected)
    })
  }

  test('is asked for at the start, which says what to do when there is none', async (t) => {
    const machine = await startMachine(t)

    const server = startServer(t, { ...machine.environment, PATH: '/nowhere' })

    assert.equal(await server.end(), 1)
    assert.match(server.notes, /^codestead: git was not found: install git 2\.39 or later/)
    assert.equal(server.notes.trim().split('\n').length, 1)
  })
})
