import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { configWith } from '../../../src/platform/config/config.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { startApp } from '../../support/app.ts'
import { makeDatabase, testDialect } from '../../support/databases.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const skip = testDialect === 'sqlite' && 'SQLite asks nobody who they are'

suite('a node that PostgreSQL does not let in any more', { skip }, () => {
  test('answers 503, and goes on when it is let in again', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'codestead-refused-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const database = await makeDatabase(folder)
    t.after(() => database.remove())
    const admin = await openDatabase(configWith(folder, { database: { url: database.url } }))
    const role = `guest_${process.pid}`
    await sql`CREATE ROLE ${sql.id(role)} SUPERUSER LOGIN`.execute(admin)
    t.after(async () => {
      await sql`DROP ROLE ${sql.id(role)}`.execute(admin)
      await admin.destroy()
    })
    const url = new URL(database.url)
    url.username = role
    const app = await startApp(t, { database: { url: url.href } })
    const ann = await app.addCaller('ann')

    await sql`ALTER ROLE ${sql.id(role)} NOLOGIN`.execute(admin)
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${role}`.execute(
      admin,
    )
    const refused = [
      await app.post(ann, '/user/repos', { name: 'one' }),
      await app.post(ann, '/user/repos', { name: 'one' }),
    ]
    await sql`ALTER ROLE ${sql.id(role)} LOGIN`.execute(admin)

    for (const answer of refused) assertError(answer, 503, 'the database does not answer')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
  })
})
