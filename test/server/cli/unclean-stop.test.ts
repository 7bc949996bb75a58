// One database is enough: PostgreSQL looks after its own files.
import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import pino from 'pino'
import { buildApp } from '../../../src/server/app.ts'
import { loadConfig } from '../../../src/platform/config/config.ts'
import { startServer, type Running } from '../../support/process.ts'
import { startMachine, type Machine } from '../../support/terminal.ts'

const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', 'password1']
const PAGE = 4096

async function startOn(t: TestContext, machine: Machine): Promise<Running> {
  const server = startServer(t, machine.environment)
  await server.says(/ is at http:/)
  return server
}

async function stop(server: Running, signal: NodeJS.Signals): Promise<number | null> {
  server.child.kill(signal)
  return server.end()
}

/** In this process, so that a test can catch what it fails with; stopped again. */
async function startHere({ environment }: Machine): Promise<void> {
  const app = await buildApp(loadConfig(environment), pino({ level: 'silent' }))
  await app.close()
}

/** Overwrites some pages in the middle, as a disk does that loses them. */
function damage(file: string): void {
  const handle = openSync(file, 'r+')
  for (let page = 10; page < 40; page++)
    writeSync(handle, Buffer.alloc(PAGE, 0xaa), 0, PAGE, page * PAGE)
  closeSync(handle)
}

suite('after an unclean stop', () => {
  test('the database is looked through at the next start, and only then', async (t) => {
    const machine = await startMachine(t)
    await machine.admin(['user', 'create', ...ann])
    const notice = /was not stopped cleanly/

    const first = await startOn(t, machine)
    await stop(first, 'SIGKILL')
    // Whoever opens the database in between takes nothing away from it.
    assert.equal((await machine.admin(['user', 'list'])).status, 0)
    const second = await startOn(t, machine)
    assert.equal(await stop(second, 'SIGTERM'), 0)
    assert.deepEqual(namesOf(machine, /-running|-wal/), [])
    const third = await startOn(t, machine)
    assert.equal(await stop(third, 'SIGTERM'), 0)

    assert.doesNotMatch(first.out, notice)
    assert.match(second.out, notice)
    assert.doesNotMatch(third.out, notice)
  })

  test('a damaged database stops every start, says what to do, and stays as it is until it is replaced', async (t) => {
    const machine = await startMachine(t)
    const database = join(machine.data, 'codestead.db')
    const backup = join(machine.data, 'backup.db')
    await machine.admin(['user', 'create', ...ann])
    copyFileSync(database, backup)
    await stop(await startOn(t, machine), 'SIGKILL')
    damage(database)
    const damaged = readFileSync(database)

    const server = startServer(t, machine.environment)
    assert.equal(await server.end(), 1)
    assert.match(
      server.notes,
      /^codestead: \S+codestead\.db is damaged \(.+\)\. .*Restore a backup.*\n$/,
    )
    assert.deepEqual(readFileSync(database), damaged)
    await assert.rejects(startHere(machine), /is damaged/)
    for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true })
    writeFileSync(database, 'no database'.repeat(1000))
    await assert.rejects(startHere(machine), /is damaged \(file is not a database\)/)
    copyFileSync(backup, database)
    // It was copied before the server had started: somebody says that it is the one to go on with.
    await assert.rejects(startHere(machine), /the database is older than/)
    assert.equal((await machine.admin(['adopt-database', '--yes'])).status, 0)
    await startHere(machine)

    assert.deepEqual(namesOf(machine, /^codestead\.db/), ['codestead.db'])
  })

  test('a start that fails for another reason is not one', async (t) => {
    const machine = await startMachine(t)
    const environment = { ...machine.environment, CODESTEAD_SERVER_HOST: '192.0.2.1' }

    const server = startServer(t, { ...environment, CODESTEAD_SERVER_PORT: '3000' })

    assert.equal(await server.end(), 1)
    assert.match(server.notes, /^codestead: listen EADDRNOTAVAIL/)
    assert.deepEqual(namesOf(machine, /-running|-wal/), [])
  })
})

suite('before migrations change a database', () => {
  test('it is copied for its owner alone, and the last two copies are kept', async (t) => {
    const machine = await startMachine(t)
    await machine.admin(['user', 'create', ...ann])
    assert.deepEqual(copiesOf(machine), [])

    for (const name of ['0009-pulls', '0009-pulls', '0007-webhooks'] as const) {
      undo(machine, name)
      const { status, out } = await machine.admin(['migrate'])
      assert.equal(status, 0)
      assert.equal(out, `applied ${name}`)
    }
    undo(machine, '0006-mirrors')
    await startHere(machine)
    await machine.admin(['migrate'])

    const copies = ['0006-mirrors', '0007-webhooks'].map((name) => `codestead.db-before-${name}`)
    assert.deepEqual(copiesOf(machine), copies)
    for (const copy of copies) {
      const file = join(machine.data, copy)
      assert.equal(statSync(file).mode & 0o777, 0o600)
      const db = new DatabaseSync(file, { readOnly: true })
      assert.equal(db.prepare('SELECT name FROM account').get()?.['name'], 'ann')
      const applied = db.prepare('SELECT name FROM migration').all()
      assert.ok(applied.every(({ name }) => !copy.endsWith(String(name))))
      db.close()
    }
  })
})

function namesOf({ data }: Machine, pattern: RegExp): string[] {
  return readdirSync(data).filter((name) => pattern.test(name))
}

function copiesOf(machine: Machine): string[] {
  return namesOf(machine, /^codestead\.db-(before|copy)/).toSorted()
}

const tablesOf = {
  '0006-mirrors': [
    'mirror',
    'push_mirror',
    'repository_import',
    'action_schedule',
    'action_value',
    'action_run',
  ],
  '0007-webhooks': ['webhook', 'webhook_delivery'],
  '0009-pulls': ['pull_request', 'review', 'review_comment'],
}

/** As if the database were of an older program. */
function undo({ data }: Machine, name: keyof typeof tablesOf): void {
  const db = new DatabaseSync(join(data, 'codestead.db'), { enableForeignKeyConstraints: false })
  for (const table of tablesOf[name]) db.exec(`DROP TABLE ${table}`)
  db.prepare('DELETE FROM migration WHERE name = ?').run(name)
  db.close()
}
