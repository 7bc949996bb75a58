import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../support/app.ts'
import { assertError } from '../../support/expect.ts'

suite('what goes wrong inside', () => {
  test('is 500 without a word, and in words to administrators alone', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const narrow = await app.withToken(root.account, ['public-only', 'all'])
    await sql`alter table follow rename to elsewhere`.execute(app.ctx.db)

    const path = '/users/ann/followers'
    const answers = await Promise.all([ann, narrow].map((who) => app.get(who, path)))
    const told = await app.get(root, path)
    const head = await app.head(ann, path)
    // The next test may get the same database.
    await sql`alter table elsewhere rename to follow`.execute(app.ctx.db)

    for (const answer of answers) {
      assertError(answer, 500, '')
      assert.equal(answer.headers['content-type'], 'application/json;charset=utf-8')
    }
    assertError(told, 500, /follow/)
    assert.deepEqual([head.status, head.text], [500, ''])
  })
})
