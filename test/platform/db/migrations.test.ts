import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadConfig } from '../../../src/platform/config/config.ts'
import { openDatabase, withDatabase } from '../../../src/platform/db/database.ts'
import { findDriftFromNew, hashOf, migrate } from '../../../src/platform/db/migrate.ts'
import { migrations } from '../../../src/platform/db/migrations/index.ts'
import { startMachine, type Machine } from '../../support/terminal.ts'
import { sql } from 'kysely'
import type { Database } from '../../../src/platform/db/database.ts'

/**
 * What each migration does to SQLite and to PostgreSQL, as it was released. One that has a line
 * here is never edited: its statements have been applied to databases that people have. What is to
 * change is a new migration, with a line of its own.
 */
const released: Readonly<Record<string, readonly [sqlite: string, postgres: string]>> = {
  '0001-accounts': ['4eb74790995c70d3', 'b5e4573e592e41be'],
  '0002-repositories': ['6c2372acd80ffb28', '8e69558c11883b22'],
  '0003-issues': ['712e6e1618d98858', 'a8fe84fe3a1d3703'],
  '0004-releases': ['70b2bfb32e801e82', '35cf8908a118011f'],
  '0005-search': ['60922a426035eeb1', 'd85adb9cb8355f64'],
  '0006-mirrors': ['be5f7768659ff18a', '5e911a682ae75f0c'],
  '0007-webhooks': ['31fcafb1568573f5', '9776b04d5e8abffd'],
  '0008-lfs': ['4934ce219e60125e', '4a18c6fe07689267'],
  '0009-pulls': ['5747fa9dc9254f5e', 'e42e1934d6e3198c'],
  '0010-feeds': ['15993639c3a2cb31', '385cae3b022f0018'],
  '0011-sessions': ['d8ff7e2035788bd8', '46feece8d552d5e8'],
  '0012-grants': ['cdc7079e9948a0f9', '5bac0eb84b01441e'],
  '0013-mail': ['b084d1b27f8ef657', '7647ce0621c5ba0e'],
  '0014-projects': ['777ce6890d55ddb6', '8c5999e613fdc003'],
  '0015-packages': ['e7619d1c6ccf355a', 'e416eece3f565eec'],
  '0016-late-text': ['d6b22a7be93c6e02', 'e3b0c44298fc1c14'],
  '0017-identity': ['a8b5f0604dd17ba5', '07a0733f1074dc01'],
  '0018-keys-for-git': ['5ad5f30c305ba0cb', '4debad1d327b19c6'],
  '0021-payloads': ['816ba743e9d9fe37', '7a8f2972614bf454'],
  '0022-measured': ['54a3a08b4cbea982', '818f949ef9006753'],
  '0023-places': ['49776b555b7ba04b', 'd35f3cdaef3ccccd'],
  '0024-repository-news': ['ddfd53c06debabf1', '4ac8942172ed17a8'],
  '0025-languages': ['9462918790667bbd', '66b9edc019d50364'],
  '0026-archives': ['e5a04684dc02bf4c', '3f2c8a656952066e'],
}

async function on(machine: Machine, work: (db: Database) => Promise<unknown>): Promise<void> {
  await withDatabase(loadConfig(machine.environment), work)
}

suite('migrations', () => {
  test('are never edited', () => {
    const present = migrations.map((migration) => {
      const hashes = (['sqlite', 'postgres'] as const).map((dialect) => hashOf(migration, dialect))
      return [migration.name, hashes.map((hash) => hash.slice(0, 16))] as const
    })

    assert.deepEqual(Object.fromEntries(present), released)
  })

  test('that were applied in another form stop the start and the doctor', async (t) => {
    const machine = await startMachine(t)
    await machine.admin(['migrate'])
    await on(machine, (db) =>
      db
        .updateTable('migration')
        .set({ hash: 'another' })
        .where('name', '=', '0003-issues')
        .execute(),
    )

    const started = await machine.admin(['user', 'list'])
    const doctor = await machine.admin(['doctor'])

    assert.equal(started.status, 1)
    assert.match(started.notes, /0003-issues was applied in another form/)
    assert.equal(doctor.status, 1)
    assert.match(doctor.out, /0003-issues was applied in another form/)
  })

  test('that were applied before they were noted are taken where the tables are right', async (t) => {
    const machine = await startMachine(t)
    await machine.admin(['migrate'])
    await on(machine, (db) => sql`ALTER TABLE migration DROP COLUMN hash`.execute(db))
    assert.equal((await machine.admin(['user', 'list'])).status, 0)

    await on(machine, async (db) => {
      await sql`ALTER TABLE migration DROP COLUMN hash`.execute(db)
      await sql`ALTER TABLE notification RENAME COLUMN is_pull TO was_pull`.execute(db)
    })
    const { status, notes } = await machine.admin(['user', 'list'])

    assert.equal(status, 1)
    assert.match(notes, /was made by another state of this program \(.*notification/)
  })

  test('leave what the doctor compares with a new database', async (t) => {
    const machine = await startMachine(t)
    const db = await openDatabase(loadConfig(machine.environment))
    t.after(() => db.destroy())
    await migrate(db, 0)

    assert.deepEqual(await findDriftFromNew(db), [])
    await sql`ALTER TABLE label ADD COLUMN later INTEGER`.execute(db)
    const drift = await findDriftFromNew(db)

    assert.equal(drift.length, 1)
    assert.match(drift[0] ?? '', /label/)
    await sql`ALTER TABLE label DROP COLUMN later`.execute(db)
  })
})
