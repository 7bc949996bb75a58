import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Passwords } from '../../../src/identity/auth/passwords.ts'
import { configWith } from '../../../src/platform/config/config.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { basic, PASSWORD, startApp, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doOnceVerified } from '../../support/meanwhile.ts'

const signIn = (app: TestApp, name: string, password: string) =>
  app.get(undefined, '/user', { authorization: basic(name, password) })

suite('passwords', () => {
  test('of more sign-ins at once than can wait, the rest are sent away and may come back', async (t) => {
    const app = await startApp(t)
    const { passwordHash } = await app.addPerson('ann')

    const tries = await Promise.allSettled(
      Array.from({ length: 300 }, (_, number) =>
        app.ctx.passwords.verify(`wrong ${number}`, passwordHash),
      ),
    )

    const sentAway = tries.filter((one) => one.status === 'rejected').map(({ reason }) => reason)
    assert.equal(sentAway.length, 98)
    for (const error of sentAway) {
      assert.ok(error instanceof AppError)
      assert.deepEqual([error.code, error.retryAfter], ['unavailable', 5])
      assert.equal(error.message, 'too many sign-ins at once')
    }
    assertStatus(await signIn(app, 'ann', PASSWORD), 200)
  })

  test('that are long, empty or of nobody are refused in the same words', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    for (const name of ['inactive', 'barred']) await app.addPerson(name)
    const accounts = app.ctx.db.updateTable('account')
    await accounts.set({ is_active: 0 }).where('name', '=', 'inactive').execute()
    await accounts.set({ prohibit_login: 1 }).where('name', '=', 'barred').execute()

    const wrong = await signIn(app, 'ann', 'wrong')
    assertError(wrong, 401, 'invalid username, password or token')
    for (const [name, password] of [
      ['ann', 'x'.repeat(10_000)],
      ['ann', ''],
      ['nobody', PASSWORD],
      ['inactive', 'wrong'],
      ['barred', 'wrong'],
      ['barred', PASSWORD],
    ] as const) {
      assert.equal((await signIn(app, name, password)).text, wrong.text)
    }
  })

  test('kept in a weaker way are kept in the present one after the next sign-in', async (t) => {
    const app = await startApp(t, { security: { password_memory: '128KiB', password_passes: 2 } })
    const { id } = await app.addPerson('ann')
    const bob = await app.addPerson('bob')
    const accounts = app.ctx.db.updateTable('account').where('id', '=', id)
    const hashOf = async (accountId: number) => {
      const account = app.ctx.db.selectFrom('account').where('id', '=', accountId)
      return (await account.select('password_hash').executeTakeFirstOrThrow()).password_hash
    }

    for (const security of [
      { password_memory: '64KiB', password_passes: 2 },
      { password_memory: '128KiB', password_passes: 1 },
    ]) {
      const weaker = new Passwords(configWith('.', { security }), String)
      await accounts.set({ password_hash: await weaker.hash(PASSWORD) }).execute()
      assertStatus(await signIn(app, 'ann', PASSWORD), 200)
      assert.match(await hashOf(id), /^argon2id\$128\$2\$/)
    }
    const hash = await hashOf(id)
    assertStatus(await signIn(app, 'ann', PASSWORD), 200)
    assert.equal(await hashOf(id), hash)
    assert.equal(await hashOf(bob.id), bob.passwordHash)
  })

  test('kept in a weaker way do not come back when they are changed in the same moment', async (t) => {
    const app = await startApp(t, { security: { password_memory: '128KiB' } })
    const root = await app.addAdmin()
    const { id } = await app.addPerson('ann')
    const weaker = new Passwords(
      configWith('.', { security: { password_memory: '64KiB' } }),
      String,
    )
    const password_hash = await weaker.hash(PASSWORD)
    await app.ctx.db.updateTable('account').set({ password_hash }).where('id', '=', id).execute()
    doOnceVerified(t, app, () => app.patch(root, '/admin/users/ann', { password: 'another 1' }))
    await signIn(app, 'ann', PASSWORD)

    assertStatus(await signIn(app, 'ann', PASSWORD), 401)
    assertStatus(await signIn(app, 'ann', 'another 1'), 200)
  })
})
