// One database is enough: PostgreSQL does not tell what a transaction changed.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mock, suite, test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import { configWith } from '../../../src/platform/config/config.ts'
import { openDatabase, type Database, type Executor } from '../../../src/platform/db/database.ts'
import { VersionedCache } from '../../../src/platform/db/versioned-cache.ts'

const tables = [
  'CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT)',
  'CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES parent (id) ON DELETE CASCADE)',
  'CREATE TABLE tally (amount INTEGER)',
  'CREATE TABLE other (id INTEGER PRIMARY KEY)',
  `CREATE TRIGGER counted AFTER INSERT ON child BEGIN
     UPDATE tally SET amount = amount + 1;
   END`,
  "INSERT INTO parent VALUES (1, 'one'), (2, 'two')",
  'INSERT INTO tally VALUES (0)',
]

async function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-versions-'))
  const db = await openDatabase(configWith(folder))
  for (const text of tables) await run(db, text)
  t.after(async () => {
    await db.destroy()
    rmSync(folder, { recursive: true })
  })
  return { db, path: join(folder, 'codestead.db') }
}

async function run(db: Database, text: string): Promise<void> {
  await sql.raw(text).execute(db)
}

/** Says whether something is looked up anew after `change`. */
async function isForgotten(
  cache: VersionedCache<object>,
  find: () => Promise<object>,
  change: () => Promise<void>,
): Promise<boolean> {
  const search = mock.fn(find)
  const key = String(Math.random())
  for (const _ of [1, 2]) await cache.get(key, search)
  assert.equal(search.mock.callCount(), 1, 'kept as long as nothing happens')
  await change()
  await cache.get(key, search)
  return search.mock.callCount() > 1
}

suite('what was read from some tables', () => {
  test('holds until one of them is written, be it by a trigger or through a foreign key', async (t) => {
    const { db } = await open(t)
    const cache = new VersionedCache<object>('test', db)
    const reading = (text: string) => () => sql.raw(text).execute(db)
    const cases: [read: string, write: string, forgotten: boolean][] = [
      ['SELECT * FROM parent', 'INSERT INTO other DEFAULT VALUES', false],
      ['SELECT * FROM parent', 'INSERT INTO child (parent_id) VALUES (1)', false],
      ['SELECT * FROM parent', "UPDATE parent SET name = 'x' WHERE id = 1", true],
      ['SELECT count(*) FROM parent', 'INSERT INTO parent (id) VALUES (3)', true],
      ['SELECT * FROM tally', 'INSERT INTO child (parent_id) VALUES (1)', true],
      ['SELECT * FROM child', 'DELETE FROM parent WHERE id = 1', true],
      ['SELECT * FROM tally', 'DELETE FROM parent WHERE id = 2', false],
      ['SELECT * FROM parent, other', 'DELETE FROM other', true],
    ]
    for (const [read, write, forgotten] of cases) {
      const found = await isForgotten(cache, reading(read), () => run(db, write))
      assert.equal(found, forgotten, `${read}; ${write}`)
    }
  })

  test('holds no longer when another process has written anything', async (t) => {
    const { db, path } = await open(t)
    const cache = new VersionedCache<object>('test', db)
    const elsewhere = async () => {
      const other = new DatabaseSync(path)
      other.exec('INSERT INTO other DEFAULT VALUES')
      other.close()
      // A version is asked for once in a turn of the event loop.
      await nextTurn()
    }

    assert.equal(
      await isForgotten(cache, () => sql`SELECT * FROM parent`.execute(db), elsewhere),
      true,
    )
  })

  test('is not kept when it is written while it is looked up', async (t) => {
    const { db } = await open(t)
    const cache = new VersionedCache<object>('test', db)
    const find = async () => {
      const found = await sql<{ name: string }>`SELECT name FROM parent WHERE id = 1`.execute(db)
      await run(db, `UPDATE parent SET name = name || '!' WHERE id = 1`)
      return { ...found.rows[0] }
    }

    assert.deepEqual(await cache.get('key', find), { name: 'one' })
    assert.deepEqual(await cache.get('key', find), { name: 'one!' })
  })

  test('counts for what is made of it under another key', async (t) => {
    const { db } = await open(t)
    const inner = new VersionedCache<object>('test', db)
    const outer = new VersionedCache<object>('test', db)
    const find = () => inner.get('key', () => sql`SELECT * FROM parent`.execute(db))
    await find()

    const change = () => run(db, "UPDATE parent SET name = 'x'")
    assert.equal(await isForgotten(outer, find, change), true)
  })

  test('makes room for what is found later', async (t) => {
    const { db } = await open(t)
    const cache = new VersionedCache<object>('test', db)
    const find = mock.fn(async () => ({}))
    for (let count = 0; count <= 4000; count++) await cache.get(String(count), find)
    find.mock.resetCalls()

    for (const key of ['4000', '1', '0', '2']) await cache.get(key, find)

    // The first had gone, and took the place of the second.
    assert.equal(find.mock.callCount(), 1)
    await cache.get('1', find)
    assert.equal(find.mock.callCount(), 2)
  })

  test('by another thread holds until anything is written', async (t) => {
    const { db } = await open(t)
    const cache = new VersionedCache<object>('test', db)
    const find = async () => ({ rows: await db.readAside(CompiledQuery.raw('SELECT 1')) })

    assert.equal(await isForgotten(cache, find, () => run(db, 'DELETE FROM other')), true)
  })
})

suite('what a transaction has read', () => {
  const read = (tx: Executor) => sql<{ name: string }>`SELECT name FROM parent`.execute(tx)

  /** As each request does first: what other processes wrote before is known then. */
  async function askVersion(db: Database): Promise<void> {
    await db.dataVersion()
    await nextTurn()
  }

  /**
   * Reads at the end of a transaction, and keeps that once it is committed: what is found then, and
   * what was kept.
   */
  async function keepFrom(db: Database, after: Partial<Record<'inside' | 'together', string>>) {
    const cache = new VersionedCache<object>('test', db)
    await askVersion(db)
    const reading = db.transaction().execute(async (tx) => {
      await sql`UPDATE parent SET name = 'by us'`.execute(tx)
      const found = await db.remember(db.writtenVersion(), () => read(tx))
      if (after.inside) await sql.raw(after.inside).execute(tx)
      return found
    })
    const [found] = await Promise.all([
      reading,
      ...(after.together ? [run(db, after.together)] : []),
    ])
    cache.keep('key', found)
    const isKept = (await cache.get('key', () => read(db))) === found.value
    return { isKept, names: (await read(db)).rows.map(({ name }) => name) }
  }

  test('holds when it is committed, whatever is written to other tables', async (t) => {
    const { db } = await open(t)
    const elsewhere = 'INSERT INTO other DEFAULT VALUES'

    for (const after of [{}, { inside: elsewhere }, { together: elsewhere }]) {
      const kept = await keepFrom(db, after)
      assert.deepEqual(kept, { isKept: true, names: ['by us', 'by us'] })
    }
  })

  test('does not hold when the same is written after it, by itself or by another that is committed with it', async (t) => {
    const { db } = await open(t)
    const change = "UPDATE parent SET name = 'after'"

    for (const after of [{ inside: change }, { together: change }]) {
      const kept = await keepFrom(db, after)
      assert.deepEqual(kept, { isKept: false, names: ['after', 'after'] })
    }
  })

  test('does not hold when another process has written anything since', async (t) => {
    const { db, path } = await open(t)
    const cache = new VersionedCache<object>('test', db)
    await askVersion(db)
    const found = await db
      .transaction()
      .execute((tx) => db.remember(db.writtenVersion(), () => read(tx)))
    const other = new DatabaseSync(path)
    other.exec("UPDATE parent SET name = 'elsewhere'")
    other.close()
    await nextTurn()

    cache.keep('key', found)

    assert.notEqual(await cache.get('key', () => read(db)), found.value)
  })

  test('is not mistaken for what others have read meanwhile, also when another process writes between both', async (t) => {
    const { db, path } = await open(t)
    const cache = new VersionedCache<{ rows: readonly { name: string }[] }>('test', db)
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    await askVersion(db)
    const other = new DatabaseSync(path)
    other.exec('INSERT INTO other DEFAULT VALUES')
    other.close()

    const writing = db.transaction().execute(async (tx) => {
      await sql`UPDATE parent SET name = 'new'`.execute(tx)
      await mayEnd
    })
    await nextTurn()
    const before = await cache.get('key', () => read(db))
    end()
    await writing
    const after = await cache.get('key', () => read(db))

    assert.deepEqual([before.rows[0]?.name, after.rows[0]?.name], ['one', 'new'])
  })
})
