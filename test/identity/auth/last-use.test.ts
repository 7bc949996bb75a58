import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { countStatements } from '../../support/statements.ts'

suite('the last use of a token', () => {
  test('"last used" is written later, without the request waiting for it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addCaller('bob')
    const lastUsed = async () => {
      const tokens = app.ctx.db.selectFrom('access_token').select('last_used_at').orderBy('id')
      return (await tokens.execute()).map(({ last_used_at: at }) => at)
    }

    await app.get(ann, '/user')
    const before = await lastUsed()
    await app.ctx.lastUse.flush()

    assert.deepEqual(before, [0, 0])
    const [used = 0, unused] = await lastUsed()
    assert.ok(used >= app.ctx.now() - 5)
    assert.equal(unused, 0)
  })

  test('"last used" of many tokens is written by one statement, and never goes back', async (t) => {
    const app = await startApp(t)
    for (const name of ['ann', 'bob', 'cat']) await app.addCaller(name)
    const tokens = app.ctx.db.selectFrom('access_token').selectAll().orderBy('id')
    const [first = 0, second = 0, third = 0] = (await tokens.execute()).map(({ id }) => id)
    const { lastUse } = app.ctx
    lastUse.note(second, 500)
    await lastUse.flush()
    const countFor = countStatements(t, app)
    lastUse.note(first, 300)
    lastUse.note(second, 400)
    lastUse.note(third + 1, 400)

    const count = await countFor(async () => {
      await Promise.all([lastUse.flush(), lastUse.flush()])
    })

    assert.equal(count, 1)
    const written = (await tokens.execute()).map(({ last_used_at: at }) => at)
    assert.deepEqual(written, [300, 500, 0])
    for (let id = third + 1; id <= third + 1000; id++) lastUse.note(id, 600)
    lastUse.note(third, 600)
    await lastUse.flush()
    assert.equal((await tokens.execute()).at(-1)?.last_used_at, 600)
  })
})
