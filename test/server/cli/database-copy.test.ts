import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { buildApp } from '../../../src/server/app.ts'
import type { Database } from '../../../src/platform/db/database.ts'
import { tableNames } from '../../../src/platform/db/migrate.ts'
import { startApp, TestApp, type TestCaller } from '../../support/app.ts'
import { makeEmptyDatabase, testDialect } from '../../support/databases.ts'
import { assertStatus } from '../../support/expect.ts'
import { Machine, machineOf, startMachine } from '../../support/terminal.ts'

const onSqlite = testDialect === 'sqlite' ? false : 'SQLite is not used in this run'
const onPostgres = testDialect === 'postgres' ? false : 'PostgreSQL is not there in this run'

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-copy-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'copy')
}

/** A bit of everything that people make. */
async function fillWorld(app: TestApp, ann: TestCaller): Promise<void> {
  const steps: readonly [method: 'post' | 'put', path: string, body: object][] = [
    ['post', '/orgs', { username: 'acme', visibility: 'limited' }],
    ['post', '/orgs/acme/teams', { name: 'Makers', permission: 'write', units: ['repo.code'] }],
    ['post', '/user/repos', { name: 'one', description: 'Ünïque words', auto_init: true }],
    ['post', '/orgs/acme/repos', { name: 'inner', private: true }],
    ['post', '/repos/ann/one/forks', { organization: 'acme' }],
    ['put', '/repos/ann/one/topics/forge', {}],
    ['put', '/user/starred/ann/one', {}],
    ['post', '/repos/ann/one/labels', { name: 'bug', color: '#ff0000' }],
    ['post', '/repos/ann/one/milestones', { title: 'M1' }],
    ['post', '/repos/ann/one/issues', { title: 'first', body: 'it is \u{1f525}', labels: [1] }],
    ['post', '/repos/ann/one/issues', { title: 'second', milestone: 1, assignees: ['ann'] }],
    ['post', '/repos/ann/one/issues/1/dependencies', { owner: 'ann', repo: 'one', index: 2 }],
    ['post', '/repos/ann/one/issues/1/comments', { body: "it's #2" }],
    ['post', '/repos/ann/one/issues/1/times', { time: 60 }],
    ['post', '/repos/ann/one/issues/1/reactions', { content: 'heart' }],
    ['post', '/repos/ann/one/releases', { tag_name: 'v1' }],
    ['post', '/repos/ann/one/branch_protections', { rule_name: 'main' }],
    ['post', '/repos/ann/one/hooks', hook],
    ['post', '/user/applications/oauth2', { name: 'app', redirect_uris: ['http://a.test'] }],
    ['post', '/user/emails', { emails: ['second@example.org'] }],
    ['post', '/repos/ann/one/wiki/new', { title: 'Home', content_base64: 'eA==' }],
  ]
  for (const [method, path, body] of steps) {
    const { status, body: said } = await app[method](ann, path, body)
    assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(said)}`)
  }
  // More than are read at once.
  for (let count = 0; count < 120; count++) {
    const name = `label ${count}`
    assertStatus(await app.post(ann, '/repos/ann/one/labels', { name, color: '#00ff00' }), 201)
  }
}

const hook = {
  type: 'gitea',
  config: { url: 'http://hook.test', content_type: 'json' },
  events: ['push'],
}

/**
 * Every row of every table, in any order. Tallies that have come down to nothing count as none, and
 * a backup plans to measure what was pushed shortly before it. When a token was used is written
 * some time afterwards.
 */
async function allRows(db: Database): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables: Record<string, readonly string[]> = {}
  // A copy has an identity of its own.
  for (const table of tableNames().filter((name) => name !== 'database_identity')) {
    const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)}`.execute(
      db,
    )
    tables[table] = rows
      .filter((row) => row['activities'] !== 0 && row['repositories'] !== 0)
      .filter((row) => row['kind'] !== 'measure_repository')
      .map((row) => JSON.stringify({ ...row, last_used_at: undefined }))
      .toSorted()
  }
  return tables
}

/** Foreign keys that would be checked late, and triggers that are off. */
async function loosenedIn(db: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT conname AS name FROM pg_constraint WHERE condeferrable
    UNION ALL SELECT tgname FROM pg_trigger WHERE tgenabled = 'D'`.execute(db)
  return rows.map(({ name }) => name)
}

async function startOn(t: TestContext, like: TestApp, data: string, url: string): Promise<TestApp> {
  const { config } = like.ctx
  const there = { ...config, data, database: { ...config.database, url } }
  const app = await buildApp(there, pino({ level: 'silent' }))
  t.after(() => app.close())
  return new TestApp(app, { offset: 0 })
}

/** On SQLite, until it is stopped. */
async function startOnce(like: TestApp, data: string) {
  const { config } = like.ctx
  const there = { ...config, data, database: { ...config.database, url: '' } }
  const app = await buildApp(there, pino({ level: 'silent' }))
  return Object.assign(new TestApp(app, { offset: 0 }), { stop: () => app.close() })
}

suite('admin database copy', () => {
  test('knows every table', async (t) => {
    const { ctx } = await startApp(t)

    const all = await ctx.db.introspection.getTables()

    const kept = all.map(({ name }) => name).filter((name) => !name.startsWith('repository_text'))
    assert.deepEqual([...tableNames(), 'migration'].toSorted(), kept.toSorted())
  })

  test(
    'from PostgreSQL to a folder, and from there to another PostgreSQL, changes nothing',
    {
      skip: onPostgres,
    },
    async (t) => {
      const app = await startApp(t)
      const ann = await app.addCaller('ann', { isAdmin: true })
      await fillWorld(app, ann)
      await app.ctx.jobs.runDue()
      const gone = await app.post(ann, '/user/repos', { name: 'gone' })
      assertStatus(await app.delete(ann, '/repos/ann/gone'), 204)
      await app.ctx.jobs.runDue()
      const wanted = await allRows(app.ctx.db)
      const to = folderFor(t)
      const database = await makeEmptyDatabase()

      const saved = await machineOf(app).admin(['backup', '--to', to])
      assert.equal(saved.status, 0, saved.notes)
      const copied = await new Machine(to, '').admin(['database', 'copy', '--to', database.url])
      assert.equal(copied.status, 0, copied.notes)
      assert.match(copied.notes, /^\d{3,} rows are copied\. Set database\.url/)

      const twice = await new Machine(to, '').admin(['database', 'copy', '--to', database.url])
      assert.equal(twice.status, 2)
      assert.match(twice.notes, /there are rows in "account" of the new database/)

      const beside = folderFor(t)
      cpSync(to, beside, { recursive: true })
      const onFile = await startOn(t, app, to, '')
      assert.deepEqual(await allRows(onFile.ctx.db), wanted)
      const there = await startOn(t, app, beside, database.url)
      t.after(() => database.remove())
      assert.deepEqual(await allRows(there.ctx.db), wanted)
      assert.deepEqual(await loosenedIn(there.ctx.db), [])
      const filled = Object.values(wanted).filter((rows) => rows.length > 0)
      assert.ok(filled.length >= 30, `${filled.length} tables have rows`)
      for (const copy of [onFile, there]) {
        const made = await copy.post(ann, '/user/repos', { name: 'new', private: true })
        assert.equal(made.body.id, gone.body.id + 1)
        const { body } = await copy.get(ann, '/repos/search?q=nïque&includeDesc=true')
        assert.deepEqual(
          new Set(body.data.map(({ full_name }: { full_name: string }) => full_name)),
          new Set(['ann/one', 'acme/one']),
        )
        assertStatus(await copy.delete(ann, '/repos/ann/one'), 204)
      }
      const doctor = await new Machine(beside, database.url).admin(['doctor'])
      assert.doesNotMatch(doctor.out, /^wrong/m)
      const again = await machineOf(app).admin(['database', 'copy', '--to', database.url])
      assert.equal(again.status, 2)
      assert.match(again.notes, /a server uses the database/)
    },
  )

  test(
    'from an SQLite on which nobody was ever notified leaves out what was never counted',
    { skip: onPostgres },
    async (t) => {
      const app = await startApp(t)
      const folder = folderFor(t)
      const database = await makeEmptyDatabase()
      t.after(() => database.remove())
      const small = await startOnce(app, folder)
      const ann = await small.addCaller('ann')
      assertStatus(await small.post(ann, '/user/repos', { name: 'one' }), 201)
      assertStatus(await small.post(ann, '/repos/ann/one/issues', { title: 'x' }), 201)
      await small.ctx.jobs.runDue()
      await small.stop()

      const copied = await new Machine(folder, '').admin(['database', 'copy', '--to', database.url])

      assert.equal(copied.status, 0, copied.notes)
    },
  )

  test('is for a database of this version, to a PostgreSQL that can be reached', async (t) => {
    const machine = await startMachine(t)
    const copy = (to: string) => machine.admin(['database', 'copy', '--to', to])
    const nowhere = 'postgres://127.0.0.1:1/none'

    const wrong = [await copy(''), await copy('mysql://there'), await copy(nowhere)]
    assert.equal((await machine.admin(['migrate'])).status, 0)
    const unreachable = await copy(nowhere)

    assert.deepEqual(
      wrong.map(({ status }) => status),
      [2, 2, 2],
    )
    const [missing, other, older] = wrong.map(({ notes }) => notes)
    assert.match(missing ?? '', /--to is missing/)
    assert.match(other ?? '', /--to is no address of a PostgreSQL/)
    assert.match(older ?? '', /of another version than this program/)
    assert.equal(unreachable.status, 1)
    assert.match(unreachable.notes, /ECONNREFUSED/)
  })

  test('is not for a file that a server uses', { skip: onSqlite }, async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')

    const copied = await machineOf(app).admin(['database', 'copy', '--to', 'postgres://there/x'])

    assert.equal(copied.status, 2)
    assert.match(copied.notes, /a server uses the database/)
  })
})
