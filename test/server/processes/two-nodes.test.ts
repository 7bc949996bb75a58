import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { makeDatabase, testDialect } from '../../support/databases.ts'
import { basic } from '../../support/app.ts'
import { startServer } from '../../support/process.ts'
import { Machine } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'
import { compareNodes } from '../../two-nodes/checks.ts'

/** `npm run test:two-nodes` names two mounts and asks for more. */
const rounds = Number(process.env['TWO_NODES_ROUNDS'] ?? 1)
const [one = '', two = ''] = (process.env['TWO_NODES'] ?? '').split('\n')

const needsPostgres = testDialect === 'sqlite' && 'SQLite is for one server at a time'
const account = ['--name', 'ann', '--email', 'ann@example.org', '--password', 'password-1']

/** The same new folder as each of the two mounts shows it. */
function makeFolders(t: TestContext): readonly [string, string] {
  const first = mkdtempSync(join(one || tmpdir(), 'codestead-two-nodes-'))
  t.after(() => rmSync(first, { recursive: true, force: true }))
  return [first, join(two || one || tmpdir(), basename(first))]
}

suite('two nodes on one PostgreSQL and one data folder', { skip: needsPostgres }, () => {
  test('see at once what the other has answered, and never answer 500', async (t) => {
    const folders = makeFolders(t)
    const database = await makeDatabase(folders[0])
    t.after(() => database.remove())
    const machine = new Machine(folders[0], database.url)
    assert.equal((await machine.admin(['user', 'create', ...account, '--admin'])).status, 0)
    const start = async (data: string) => {
      await until(() => existsSync(join(data, 'secret.key')))
      const server = startServer(t, { ...machine.environment, CODESTEAD_DATA: data })
      return (await server.says(/ is at (http:\S+)\n/))[1] ?? ''
    }
    const nodes = [await start(folders[0]), await start(folders[1])] as const

    const authorization = basic('ann', 'password-1')
    const [first, second] = nodes
    const there = await compareNodes({ writes: first, reads: second, authorization }, rounds)
    const back = await compareNodes({ writes: second, reads: first, authorization }, rounds)

    const wrong = [...there.wrong, ...back.wrong]
    const faults = [...there.faults, ...back.faults]
    const checks = there.checks + back.checks
    t.diagnostic(`${wrong.length} of ${checks} checks were wrong, ${faults.length} of them 500`)
    assert.deepEqual(faults, [])
    assert.deepEqual(wrong, [])
  })
})
