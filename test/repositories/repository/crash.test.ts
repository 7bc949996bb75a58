import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../../../src/platform/config/config.ts'
import { withDatabase } from '../../../src/platform/db/database.ts'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { GitClient } from '../../platform/git/support.ts'
import { startServer } from '../../support/process.ts'
import { startMachine, type Machine } from '../../support/terminal.ts'

const ROUNDS = 5
const ANSWERS = 200
const CALLERS = 4

/** What the server has answered, and so must keep. */
interface Ledger {
  readonly created: Set<string>
  readonly deleted: Set<string>
  readonly pushed: Set<string>
}

const sizeOf = ({ created, deleted, pushed }: Ledger) => created.size + deleted.size + pushed.size

/**
 * Every third repository is about to be deleted, or about to be pushed to: if it was not answered,
 * it may be so or not.
 */
const thirdOf = (name: string) => Number(name.split('-')[1]) % 3
const isToDelete = (name: string) => thirdOf(name) === 0
const isToPush = (name: string) => thirdOf(name) === 1

interface Caller {
  readonly base: string
  readonly send: (method: string, path: string, body?: object) => Promise<Response>
  /** Whether the push was answered as done. */
  readonly push: (name: string) => Promise<boolean>
}

/**
 * Creates repositories, pushes to them and deletes them until the server is gone; only what was
 * answered counts.
 */
async function work(
  { send, push }: Caller,
  { created, deleted, pushed }: Ledger,
  prefix: string,
): Promise<void> {
  for (let count = 0; ; count++) {
    const name = `${prefix}-${count}`
    try {
      const made = await send('POST', '/user/repos', { name, auto_init: count % 2 === 0 })
      if (made.status !== 201) throw new Error(`${made.status}: ${await made.text()}`)
      created.add(name)
      if (isToPush(name) && (await push(name))) pushed.add(name)
      if (!isToDelete(name)) continue
      const gone = await send('DELETE', `/repos/ann/${name}`)
      if (gone.status === 204) deleted.add(name)
    } catch (error) {
      // The connection broke: the server was killed.
      if (error instanceof TypeError) return
      throw error
    }
  }
}

/**
 * The first process of git takes longest: without this a slow machine would be killed before it has
 * answered.
 */
async function growth({ created, pushed }: Ledger): Promise<void> {
  const before = { created: created.size, pushed: pushed.size }
  while (created.size === before.created || pushed.size === before.pushed) await delay(10)
}

async function serve(t: TestContext, machine: Machine) {
  const server = startServer(t, { ...machine.environment, CODESTEAD_LOG_LEVEL: 'error' })
  const [, url = ''] = await server.says(/is at (http:\S+)/)
  return { server, base: url }
}

/** Of what has a row: the rest was never told of, or is being removed. */
async function foldersOf({ environment }: Machine): Promise<readonly string[]> {
  const config = loadConfig(environment)
  return withDatabase(config, async (db) => {
    const rows = await db.selectFrom('repository').select('folder').execute()
    return rows.map(({ folder }) => repositoryFolder(config, folder))
  })
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
    const ledger: Ledger = { created: new Set(), deleted: new Set(), pushed: new Set() }
    const client = new GitClient(t)
    const folder = await client.makeRepository()
    const callerAt = (base: string): Caller => ({
      base,
      send: (method, path, body) =>
        fetch(`${base}/api/v1${path}`, {
          method,
          headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        }),
      push: async (name) => {
        const url = `${base.replace('://', `://ann:${token}@`)}/ann/${name}.git`
        return (await client.run(['push', '--quiet', url, 'main:pushed'], folder)).code === 0
      },
    })

    for (let round = 0; round < ROUNDS || sizeOf(ledger) < ANSWERS; round++) {
      const { server, base } = await serve(t, machine)
      const workers = Array.from({ length: CALLERS }, (_, index) =>
        work(callerAt(base), ledger, `r${round}w${index}`),
      )
      await growth(ledger)
      await delay(Math.random() * 700)
      server.child.kill('SIGKILL')
      await Promise.all([...workers, server.end()])
    }

    const { base } = await serve(t, machine)
    const { send } = callerAt(base)
    for (const name of ledger.created) {
      if (!ledger.deleted.has(name) && isToDelete(name)) continue
      const { status } = await send('GET', `/repos/ann/${name}`)
      assert.equal(status, ledger.deleted.has(name) ? 404 : 200, name)
    }
    const head = await client.git(['rev-parse', 'main'], folder)
    for (const name of ledger.pushed) {
      const branch = await send('GET', `/repos/ann/${name}/branches/pushed`)
      assert.equal(((await branch.json()) as Branch).commit.id, head, name)
      const repository = await send('GET', `/repos/ann/${name}`)
      assert.equal(((await repository.json()) as { empty: boolean }).empty, false, name)
      const feed = await send('GET', `/repos/ann/${name}/activities/feeds`)
      const told = (await feed.json()) as readonly { ref_name: string }[]
      assert.ok(
        told.some(({ ref_name: ref }) => ref === 'refs/heads/pushed'),
        name,
      )
    }
    for (const path of await foldersOf(machine)) {
      await client.git(['--git-dir', path, 'fsck', '--strict', '--no-progress'])
    }
    const doctor = await machine.admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
  })
})

interface Branch {
  readonly commit: { readonly id: string }
}
