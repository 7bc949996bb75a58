import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../src/platform/db/database.ts'
import { VersionedCache } from '../../../src/platform/db/versioned-cache.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

/** Changes the database as another process would. */
async function elsewhere(app: TestApp, statement: string): Promise<void> {
  if (testDialect === 'postgres') {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: app.ctx.config.database.url })
    await client.connect()
    await client.query(statement)
    return client.end()
  }
  const other = new DatabaseSync(join(app.ctx.config.data, 'codestead.db'))
  other.exec(statement)
  return other.close()
}

suite('what is kept in memory', () => {
  test('is forgotten when another process revokes a token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const _ of [1, 2]) assertStatus(await app.get(ann, '/user'), 200)

    await elsewhere(app, 'DELETE FROM access_token')

    assertError(await app.get(ann, '/user'), 401)
  })

  test('is forgotten when another process disables an account or hides a repository', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'r' })
    for (const _ of [1, 2]) assertStatus(await app.get(undefined, '/repos/ann/r'), 200)
    assertStatus(await app.get(ann, '/user'), 200)

    await elsewhere(app, 'UPDATE repository SET is_private = 1')
    await elsewhere(app, 'UPDATE account SET prohibit_login = 1')

    assertError(await app.get(undefined, '/repos/ann/r'), 404)
    assert.equal((await app.get(ann, '/user')).status, 403)
  })

  test('is forgotten by our own writes', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'r' })
    const description = async () => (await app.get(ann, '/repos/ann/r')).body.description as string

    for (const text of ['one', 'two', 'three']) {
      await app.patch(ann, '/repos/ann/r', { description: text })
      assert.equal(await description(), text)
      assert.equal(await description(), text)
    }
  })
})

suite('what an edit has made', () => {
  test('is not shown to a token that reaches it no longer', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'r' })
    const outside = await app.withToken(ann.account, ['public-only', 'all'])

    assertStatus(await app.patch(outside, '/repos/ann/r', { private: true }), 200)

    assertError(await app.get(outside, '/repos/ann/r'), 404)
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
  })
})

suite('what is found on PostgreSQL', () => {
  test('is kept for the version of before, which is asked for once, and is not given after a commit', async () => {
    let version = 1
    let asked = 0
    const remember: Database['remember'] = async (began, find) => ({
      value: await find(),
      holdsAt: (other) => other === began,
    })
    const dataVersion = async () => {
      asked++
      return version
    }
    const db = { dialect: 'postgres', dataVersion, remember } as unknown as Database
    const cache = new VersionedCache<object>('test', db)
    const overtaken = async () => ({ of: version++ })

    await cache.get('key', overtaken)
    const [second, third] = [{ of: 'second' }, { of: 'third' }]

    assert.equal(asked, 1)
    assert.equal(await cache.get('key', async () => second), second)
    assert.equal(await cache.get('key', async () => third), second)
    version++
    assert.equal(await cache.get('key', async () => third), third)
  })
})

suite('searches that are under way', () => {
  test('are shared, and one that a commit has overtaken ends without the next', async () => {
    let version = 1
    const remember: Database['remember'] = async (began, find) => ({
      value: await find(),
      holdsAt: (other) => other === began,
    })
    const db = { dataVersion: () => version, remember } as unknown as Database
    const cache = new VersionedCache<object>('test', db)
    const searches: ((found: object) => void)[] = []
    const search = () => {
      const { promise, resolve } = Promise.withResolvers<object>()
      searches.push(resolve)
      return promise
    }

    const old = cache.get('key', search)
    await nextTurn()
    version = 2
    const shared = [cache.get('key', search)]
    await nextTurn()
    searches[0]?.({ of: 'one' })
    const first = await old
    shared.push(cache.get('key', search))
    await nextTurn()
    for (const end of searches.slice(1)) end({ of: 'two' })

    assert.deepEqual(first, { of: 'one' })
    assert.deepEqual(await Promise.all(shared), [{ of: 'two' }, { of: 'two' }])
    assert.equal(searches.length, 2)
  })
})
