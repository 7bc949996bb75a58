import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startServer } from '../support/process.ts'
import { startMachine, type Machine } from '../support/terminal.ts'

const ROUNDS = 5
const CALLERS = 4

/** What the server has answered, and so must keep. */
interface Ledger {
  readonly created: Set<string>
  readonly deleted: Set<string>
}

/** Creates and deletes repositories until the server is gone; only what was answered counts. */
async function work(base: string, token: string, ledger: Ledger, prefix: string): Promise<void> {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const send = (method: string, path: string, body?: object) =>
    fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  for (let count = 0; ; count++) {
    const name = `${prefix}-${count}`
    try {
      const made = await send('POST', '/user/repos', { name, auto_init: count % 2 === 0 })
      if (made.status !== 201) throw new Error(`${made.status}: ${await made.text()}`)
      ledger.created.add(name)
      if (count % 3 !== 0) continue
      const gone = await send('DELETE', `/repos/ann/${name}`)
      if (gone.status === 204) ledger.deleted.add(name)
    } catch (error) {
      // The connection broke: the server was killed.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

/** The first process of git takes longest: without this a slow machine would be killed before it has answered. */
async function growth({ created }: Ledger): Promise<void> {
  for (const before = created.size; created.size === before;) await delay(10)
}

async function serve(t: TestContext, machine: Machine) {
  const server = startServer(t, { ...machine.environment, CODESTEAD_LOG_LEVEL: 'error' })
  const [, url = ''] = await server.says(/is at (http:\S+)/)
  return { server, base: `${url}/api/v1` }
}

suite('a server killed at any moment', () => {
  test('keeps every answered write, and nothing is half there', async (t) => {
    const machine = await startMachine(t)
    const made = await machine.admin([
      'user',
      'create',
      '--name',
      'ann',
      '--email',
      'ann@example.org',
      '--password',
      'password1',
      '--access-token',
      't',
    ])
    const token = made.lastLine
    const ledger: Ledger = { created: new Set(), deleted: new Set() }

    for (let round = 0; round < ROUNDS; round++) {
      const { server, base } = await serve(t, machine)
      const workers = Array.from({ length: CALLERS }, (_, index) =>
        work(base, token, ledger, `r${round}w${index}`),
      )
      await growth(ledger)
      await delay(Math.random() * 700)
      server.child.kill('SIGKILL')
      await Promise.all([...workers, server.end()])
    }

    const { base } = await serve(t, machine)
    for (const name of ledger.created) {
      if (!ledger.deleted.has(name) && isThird(name)) continue
      const { status } = await fetch(`${base}/repos/ann/${name}`)
      assert.equal(status, ledger.deleted.has(name) ? 404 : 200, name)
    }
    const doctor = await machine.admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
    assert.ok(ledger.created.size > 0)
  })
})

/** Every third repository was about to be deleted: whether it was, nobody was told. */
function isThird(name: string): boolean {
  return Number(name.split('-')[1]) % 3 === 0
}
