// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { programVersion } from '../../../src/platform/version.ts'
import { startAdmin } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'

suite('admin version', () => {
  test('prints the version and succeeds, in a process of its own', async (t) => {
    const machine = await startMachine(t)

    const ran = startAdmin(t, machine.environment, ['version'])

    assert.equal(await ran.end(), 0)
    assert.equal(ran.out, `${programVersion}\n`)
    assert.equal(ran.notes, '')
  })
})
