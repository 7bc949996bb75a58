// One database is enough: PostgreSQL looks after its own files.
import assert from 'node:assert/strict'
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import pino from 'pino'
import { buildApp } from '../../../src/server/app.ts'
import { loadConfig } from '../../../src/platform/config/config.ts'
import { TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { startMachine, type Machine } from '../../support/terminal.ts'

const PAGE = 4096
const LABELS = 1_500

async function during(machine: Machine, work: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await buildApp(loadConfig(machine.environment), pino({ level: 'silent' }))
  try {
    await work(new TestApp(app, { offset: 0 }))
  } finally {
    await app.close()
  }
}

/** With a table that fills many pages. */
async function startFilled(t: TestContext): Promise<Machine> {
  const machine = await startMachine(t)
  await during(machine, async (app) => {
    const ann = await app.addCaller('ann', { isAdmin: true })
    const { body } = await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    assertStatus(await app.post(ann, '/repos/ann/one/issues', { title: 'first' }), 201)
    const rows = Array.from({ length: LABELS }, (_, index) => ({
      repository_id: body.id as number,
      name: `label ${index} ${'x'.repeat(80)}`,

      color: 'ff0000',
    }))
    for (let start = 0; start < LABELS; start += 100) {
      await app.ctx.db
        .insertInto('label')
        .values(rows.slice(start, start + 100))
        .execute()
    }
  })
  return machine
}

function pathOf({ data }: Machine): string {
  return join(data, 'codestead.db')
}

/** The pages on which the rows of a table lie, in their order. */
function leavesOf(machine: Machine, table: string): readonly number[] {
  const db = new DatabaseSync(pathOf(machine), { readOnly: true })
  try {
    const select = `SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path`
    return db
      .prepare(select)
      .all(table)
      .map(({ pageno }) => Number(pageno))
  } finally {
    db.close()
  }
}

function overwrite(machine: Machine, pages: readonly number[]): void {
  const file = openSync(pathOf(machine), 'r+')
  for (const page of pages) writeSync(file, Buffer.alloc(PAGE, 0xaa), 0, PAGE, (page - 1) * PAGE)
  closeSync(file)
}

suite('admin database recover', () => {
  test('reads around damaged pages, says what is left, and a server starts on it', async (t) => {
    const machine = await startFilled(t)
    const leaves = leavesOf(machine, 'label')
    overwrite(machine, [leaves[2] ?? 0, leaves[3] ?? 0, leaves[7] ?? 0])

    const { status, out, notes } = await machine.admin(['database', 'recover'])

    assert.equal(status, 0, notes)
    assert.match(out, /^account +1 +all$/m)
    const kept = Number(/^label +(\d+) +not all could be read$/m.exec(out)?.[1])
    assert.ok(kept > LABELS * 0.7 && kept < LABELS, `${kept} of ${LABELS} labels`)
    assert.match(notes, /kept as .*codestead\.db-damaged-\d+/)
    assert.equal(statSync(pathOf(machine)).mode & 0o077, 0)
    assert.deepEqual(
      readdirSync(machine.data).filter((name) => name.startsWith('recover-')),
      [],
    )
    await during(machine, async (app) => {
      assertStatus(await app.get(undefined, '/repos/ann/one/contents/README.md'), 200)
      const { body } = await app.get(undefined, '/repos/search?q=one')
      assert.equal(body.data.length, 1)
      const labels = await app.get(undefined, '/repos/ann/one/labels?limit=1')
      assert.equal(labels.headers['x-total-count'], String(kept))
    })
    const doctor = await machine.admin(['doctor'])
    assert.doesNotMatch(doctor.out, /wrong +(?:the database file|the tables|every repository)/)
  })

  test('reads what lies behind a table whose end is lost', async (t) => {
    const machine = await startFilled(t)
    overwrite(machine, leavesOf(machine, 'label').slice(-2))

    const { status, out } = await machine.admin(['database', 'recover'])

    assert.equal(status, 0)
    assert.match(out, /^label +1[0-4]\d\d +not all could be read$/m)
    assert.match(out, /^issue +1 +all$/m)
  })

  test('changes nothing where the accounts are lost', async (t) => {
    const machine = await startFilled(t)
    overwrite(machine, leavesOf(machine, 'account'))
    const before = readdirSync(machine.data).toSorted()

    const { status, notes } = await machine.admin(['database', 'recover', '--yes'])

    assert.equal(status, 1)
    assert.match(notes, /no account can be read: nothing was changed/)
    assert.deepEqual(readdirSync(machine.data).toSorted(), before)
  })

  test('is not for a database in use, nor for one of which nothing can be read', async (t) => {
    const machine = await startFilled(t)
    await during(machine, async () => {
      const busy = await machine.admin(['database', 'recover'])
      assert.equal(busy.status, 2)
      assert.match(busy.notes, /a server uses the database/)
    })
    overwrite(machine, [1])

    const { status, notes } = await machine.admin(['database', 'recover'])

    assert.equal(status, 1)
    assert.match(notes, /^codestead: nothing of .* can be read \(.*\): restore a backup/)
  })
})
