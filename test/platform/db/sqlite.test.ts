import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { configWith } from '../../../src/platform/config/config.ts'
import {
  assertLocal,
  openDatabase,
  type Database,
  type Executor,
} from '../../../src/platform/db/database.ts'

async function openIn(
  t: TestContext,
  options: object = {},
): Promise<{ db: Database; path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-sqlite-'))
  const db = await openDatabase(configWith(folder, { database: options }))
  await sql`CREATE TABLE note (id INTEGER PRIMARY KEY, words TEXT NOT NULL UNIQUE)`.execute(db)
  t.after(async () => {
    await db.destroy()
    rmSync(folder, { recursive: true })
  })
  return { db, path: join(folder, 'codestead.db') }
}

const insert = (db: Executor, words: string) =>
  sql`INSERT INTO note (words) VALUES (${words})`.execute(db)
const allWords = async (db: Executor) =>
  (await sql<{ words: string }>`SELECT words FROM note ORDER BY id`.execute(db)).rows.map(
    ({ words }) => words,
  )
const count = async (db: Database) =>
  (await sql<{ n: number }>`SELECT count(*) AS n FROM note`.execute(db)).rows[0]?.n

suite('SQLite', () => {
  test('keeps what it answered: write-ahead log, full synchronisation, foreign keys', async (t) => {
    const { db, path } = await openIn(t)

    const settings = await db.transaction().execute(async (tx) => ({
      synchronous: (await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(tx)).rows[0]
        ?.synchronous,
      foreignKeys: (await sql<{ foreign_keys: number }>`PRAGMA foreign_keys`.execute(tx)).rows[0]
        ?.foreign_keys,
    }))

    assert.deepEqual(settings, { synchronous: 2, foreignKeys: 1 })
    const other = new DatabaseSync(path)
    assert.equal(other.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal')
    other.close()
  })

  test('is not used on file systems of other machines', () => {
    for (const network of [0x6969, 0xff534d42, 0xff534d42 | 0]) {
      assert.throws(() => assertLocal('/data', network), /network file system, which \/data is on/)
    }
    for (const local of [0xef53, 0x01021994, 0x794c7630]) assertLocal('/data', local)
  })

  test('a read does not wait for a transaction, and sees nothing of it before it ends', async (t) => {
    const { db } = await openIn(t)
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: started, resolve: start } = Promise.withResolvers<void>()

    const transaction = db.transaction().execute(async (tx) => {
      await sql`INSERT INTO note (words) VALUES ('x')`.execute(tx)
      start()
      await mayEnd
    })
    await started
    const during = await count(db)
    end()
    await transaction

    assert.equal(during, 0)
    assert.equal(await count(db), 1)
  })

  test('transactions and single writes take turns', async (t) => {
    const { db } = await openIn(t)

    await Promise.all([
      db.transaction().execute(async (tx) => {
        await sql`INSERT INTO note (words) VALUES ('first')`.execute(tx)
        await delay(20)
        await sql`INSERT INTO note (words) VALUES ('still first')`.execute(tx)
      }),
      insert(db, 'second'),
      db.transaction().execute((tx) => insert(tx, 'third')),
    ])

    assert.deepEqual(await allWords(db), ['first', 'still first', 'second', 'third'])
  })

  test('what is written in one moment reaches the disk together', async (t) => {
    const { db, path } = await openIn(t)
    const other = new DatabaseSync(path, { readOnly: true })
    t.after(() => other.close())
    const seen: unknown[] = []
    const look = () => seen.push(other.prepare('SELECT count(*) AS n FROM note').get()?.['n'])

    await Promise.all([
      insert(db, 'a').then(look),
      db
        .transaction()
        .execute((tx) => insert(tx, 'b'))
        .then(look),
      insert(db, 'c').then(look),
    ])

    assert.deepEqual(seen, [3, 3, 3])
  })

  test('whoever is refused for what somebody else writes hears so when that is on the disk', async (t) => {
    const { db, path } = await openIn(t)
    const other = new DatabaseSync(path, { readOnly: true })
    t.after(() => other.close())
    const seen: unknown[] = []
    const look = () => seen.push(other.prepare('SELECT count(*) AS n FROM note').get()?.['n'])

    await Promise.all([
      insert(db, 'a'),
      insert(db, 'a').catch(look),
      db
        .transaction()
        .execute((tx) => insert(tx, 'a'))
        .catch(look),
    ])

    assert.deepEqual(seen, [1, 1])
  })

  test('one that fails takes nothing along of what is written in the same moment', async (t) => {
    const { db } = await openIn(t)

    const outcomes = await Promise.allSettled([
      insert(db, 'a'),
      insert(db, 'a'),
      db.transaction().execute(async (tx) => {
        await insert(tx, 'b')
        throw new Error('changed my mind')
      }),
      db.transaction().execute(async (tx) => {
        await insert(tx, 'c')
        await insert(tx, 'a')
      }),
      insert(db, 'd'),
    ])

    const kept = outcomes.map(({ status }) => status === 'fulfilled')
    assert.deepEqual(kept, [true, false, false, false, true])
    assert.deepEqual(await allWords(db), ['a', 'd'])
  })

  test('a full disk is told to all whose writes it undoes, and to nobody else', async (t) => {
    const { db } = await openIn(t)
    await insert(db, 'before')
    await sql`PRAGMA max_page_count = 10`.execute(db)

    const outcomes = await Promise.allSettled([
      insert(db, 'small'),
      insert(db, 'large'.repeat(100_000)),
      db.transaction().execute(async (tx) => {
        await insert(tx, 'x')
        await insert(tx, 'larger'.repeat(100_000)).catch(() => undefined)
        await insert(tx, 'y')
      }),
    ])

    const told = outcomes.map(({ status }) => status === 'fulfilled')
    const left = await allWords(db)
    assert.deepEqual(told, [left.includes('small'), false, left.includes('x')])
    assert.equal(left.includes('x'), left.includes('y'))
    await insert(db, 'after')
    assert.deepEqual((await allWords(db)).at(-1), 'after')
  })

  test('is closed when everything is written, and is then one file', async (t) => {
    const { db, path } = await openIn(t)

    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const writing = db.transaction().execute(async (tx) => {
      begin()
      await insert(tx, 'last')
    })
    await begun
    await Promise.all([db.destroy(), writing])

    assert.deepEqual(readdirSync(dirname(path)), ['codestead.db'])
    const other = new DatabaseSync(path, { readOnly: true })
    assert.equal(other.prepare('SELECT words FROM note').get()?.['words'], 'last')
    other.close()
  })

  test('a failed transaction leaves nothing, and the next one begins', async (t) => {
    const { db } = await openIn(t)
    await insert(db, 'x')

    await assert.rejects(
      db.transaction().execute(async (tx) => {
        await sql`INSERT INTO note (words) VALUES ('y')`.execute(tx)
        await sql`INSERT INTO note (words) VALUES ('x')`.execute(tx)
      }),
    )

    await insert(db, 'z')
    assert.equal(await count(db), 2)
  })

  test('a transaction that is over takes no more statements, also while another one is open', async (t) => {
    const { db } = await openIn(t)
    let over: Executor | undefined

    await db.transaction().execute(async (tx) => {
      over = tx
      await insert(tx, 'in time')
    })
    await db.transaction().execute(async (tx) => {
      assert.ok(over)
      await assert.rejects(insert(over, 'too late'), /the transaction is over/)
      await insert(tx, 'in the next')
    })

    assert.deepEqual(await allWords(db), ['in time', 'in the next'])
  })

  test('a write waits for another process without stopping this one', async (t) => {
    const { db, path } = await openIn(t)
    const holder = spawn(process.execPath, [
      '-e',
      `const { DatabaseSync } = require('node:sqlite')
       const db = new DatabaseSync(process.argv[1])
       db.exec("BEGIN IMMEDIATE; INSERT INTO note (words) VALUES ('theirs')")
       console.log('held')
       process.stdin.once('data', () => { db.exec('COMMIT'); process.exit() })`,
      path,
    ])
    await new Promise((resolve) => holder.stdout.once('data', resolve))

    const write = insert(db, 'ours')
    await delay(50)
    const readWhileWaiting = await count(db)
    holder.stdin.write('go\n')
    await write

    assert.equal(readWhileWaiting, 0)
    assert.equal(await count(db), 2)
  })

  test('a write that waited too long is told to come again; others read meanwhile, and write then', async (t) => {
    const { db, path } = await openIn(t, { busy_timeout: '0s' })
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')

    const away = { code: 'unavailable', retryAfter: 5 }
    await assert.rejects(insert(db, 'x'), away)
    await assert.rejects(
      db.transaction().execute(async () => undefined),
      away,
    )
    assert.equal(await count(db), 0)
    other.exec('ROLLBACK')
    other.close()

    await insert(db, 'x')
    assert.equal(await count(db), 1)
  })

  test('gives rows as their table is now, though a statement is older', async (t) => {
    const { db } = await openIn(t)
    const rows = async () => (await sql`SELECT * FROM note`.execute(db)).rows
    await insert(db, 'x')
    const before = await rows()

    await sql`ALTER TABLE note ADD COLUMN more TEXT DEFAULT 'y'`.execute(db)

    assert.deepEqual(before, [{ id: 1, words: 'x' }])
    assert.deepEqual(await rows(), [{ id: 1, words: 'x', more: 'y' }])
  })

  test('names columns as a statement does, whatever is in the name', async (t) => {
    const { db } = await openIn(t)

    const { rows } = await sql`SELECT 1 AS "it's \`\${1}\` \\", 2 AS twice, 3 AS twice`.execute(db)

    assert.deepEqual(rows, [{ ["it's `${1}` \\"]: 1, twice: 3 }])
  })

  test('reads a limit in the statement, where it is not planned anew for it', async (t) => {
    const { db } = await openIn(t)
    const accounts = db.selectFrom('account').select('id').orderBy('id')

    const { sql: text, parameters } = accounts.limit(2).offset(1).compile()

    assert.match(text, / limit 2 offset \?$/)
    assert.deepEqual(parameters, [1])
    assert.match(accounts.limit(sql<number>`1 + ${1}`).compile().sql, / limit 1 \+ \?$/)
  })

  test('refuses values that it would store wrongly', async (t) => {
    const { db } = await openIn(t)

    for (const value of [new Date(), { a: 1 }, Symbol('x')]) {
      await assert.rejects(
        sql`INSERT INTO note (words) VALUES (${value})`.execute(db),
        /cannot be bound/,
      )
    }
  })
})
