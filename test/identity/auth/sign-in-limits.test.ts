import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateTotpSecret } from '../../../src/identity/auth/queries.ts'
import { basic, PASSWORD, startApp, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { with_ } from './setup.ts'

suite('too many wrong passwords', () => {
  const limits = { failures_per_address: 6, failures_per_account: 3 }
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const behindProxy = { server: { trusted_proxies: ['127.0.0.1'] }, security: limits }

  async function fail(app: TestApp, name: string, address: string, times: number): Promise<void> {
    for (let count = 0; count < times; count++) {
      assertStatus(
        await app.get(undefined, '/user', { ...with_(basic(name, 'wrong')), ...from(address) }),
        401,
      )
    }
  }

  test('for one account end in 429 with the time to wait, also for the right one', async (t) => {
    const app = await startApp(t, behindProxy)
    await app.addPerson('ann')
    await fail(app, 'ann', '10.0.0.1', 2)
    await fail(app, 'ANN', '10.0.0.1', 1)

    const answer = await app.get(undefined, '/user', {
      ...with_(basic('ann', PASSWORD)),
      ...from('10.0.0.2'),
    })

    assertError(answer, 429, 'too many requests')
    assert.ok(Number(answer.headers['retry-after']) > 800)
    await app.addPerson('bob')
    const ofBob = { ...with_(basic('bob', PASSWORD)), ...from('10.0.0.1') }
    assertStatus(await app.get(undefined, '/user', ofBob), 200)
  })

  test('are counted before they are looked at, however many come at once', async (t) => {
    const app = await startApp(t, behindProxy)
    const ann = await app.addPerson('ann')
    const secret = app.ctx.secrets.seal('totp', Buffer.from('1234567890').toString('hex'))
    const { db, passwords } = app.ctx
    let looks = 0
    const verify = passwords.verify.bind(passwords)
    t.mock.method(passwords, 'verify', (password: string, hash: string) => {
      looks++
      return verify(password, hash)
    })
    const at = async (address: string, password: string, code?: string) => {
      const headers = { ...with_(basic('ann', password)), ...from(address) }
      const otp = code === undefined ? {} : { 'x-gitea-otp': code }
      return (await app.get(undefined, '/user', { ...headers, ...otp })).status
    }
    const many = Array.from({ length: 30 }, (_, index) => index)

    const wrong = await Promise.all(many.map((index) => at('10.0.0.1', `wrong ${index}`)))

    assert.equal(looks, 3)
    assert.equal(wrong.filter((status) => status === 401).length, 3)
    assert.equal(wrong.filter((status) => status === 429).length, 27)
    app.passTime(901)
    await updateTotpSecret(db, ann.id, secret)
    const codes = await Promise.all(many.map((index) => at('10.0.0.1', PASSWORD, `0000${index}`)))
    assert.equal(codes.filter((status) => status === 401).length, 3)
    assert.equal(codes.filter((status) => status === 429).length, 27)
  })

  test('are no hindrance to many right ones at once', async (t) => {
    const app = await startApp(t, behindProxy)
    await app.addPerson('ann')
    const right = { ...with_(basic('ann', PASSWORD)), ...from('10.0.0.1') }

    const answers = await Promise.all(
      Array.from({ length: 30 }, () => app.get(undefined, '/user', right)),
    )

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const counts = await app.ctx.db.selectFrom('sign_in_failure').select('failures').execute()
    assert.deepEqual(new Set(counts.map(({ failures }) => failures)), new Set([0]))
  })

  test('are counted for the account, whatever it is called', async (t) => {
    const app = await startApp(t, behindProxy)
    await app.addPerson('ann')
    await app.ctx.db
      .insertInto('email_address')
      .values({
        account_id: (await app.addPerson('bob')).id,
        address: 'second@example.org',
        lower_address: 'second@example.org',
        is_primary: 0,
        is_activated: 1,
      })
      .execute()
    await fail(app, 'bob', '10.0.0.1', 1)
    await fail(app, 'Bob@example.org', '10.0.0.2', 1)
    await fail(app, 'second@example.org', '10.0.0.3', 1)

    for (const name of ['bob', 'bob@example.org', 'second@example.org']) {
      const answer = await app.get(undefined, '/user', {
        ...with_(basic(name, PASSWORD)),
        ...from('10.0.0.4'),
      })
      assertError(answer, 429, 'too many requests')
    }
    await fail(app, 'ann', '10.0.0.4', 1)
  })

  test('are counted for an address, whichever port of it a proxy names, or for the proxy', async (t) => {
    const app = await startApp(t, behindProxy)
    const clients = [
      (port: number) => `10.1.0.4:${port}`,
      (port: number) => `[2001:db8::9]:${port}`,
      (port: number) => `unknown-${port}`,
      (port: number) => `10.2.0.${port - 1000}, _hidden${port}`,
    ]
    for (const [index, client] of clients.slice(0, 3).entries()) {
      for (let port = 1001; port <= 1006; port++)
        await fail(app, `n${index}${port}`, client(port), 1)
    }

    for (const client of clients) {
      const answer = await app.get(undefined, '/user', {
        ...with_(basic('x', 'wrong')),
        ...from(client(1100)),
      })
      assertError(answer, 429)
    }
    await fail(app, 'y', '10.1.0.5', 1)
    await fail(app, 'y', '2001:db8:1::9', 1)
    await fail(app, 'y', '10.1.0.4:1, 10.1.0.6:2', 1)
  })

  test('are forgiven when the window is over', async (t) => {
    const app = await startApp(t, behindProxy)
    await app.addPerson('ann')
    await fail(app, 'ann', '10.0.0.1', 3)

    app.passTime(901)

    const signIn = (address: string) =>
      app.get(undefined, '/user', { ...with_(basic('ann', PASSWORD)), ...from(address) })
    assertStatus(await signIn('10.0.0.2'), 200)
    await fail(app, 'ann', '10.0.0.1', 3)
    assertError(await signIn('10.0.0.3'), 429)
  })

  test('by a stranger do not lock an account out where it has signed in before', async (t) => {
    const app = await startApp(t, behindProxy)
    await app.addPerson('ann')
    const home = { ...with_(basic('ann', PASSWORD)), ...from('10.0.0.9') }
    assertStatus(await app.get(undefined, '/user', home), 200)
    await app.addPerson('bob')
    for (const name of ['ann', 'bob']) await fail(app, name, '10.0.0.1', 3)

    assertStatus(await app.get(undefined, '/user', home), 200)
    assertError(await app.get(undefined, '/user', { ...home, ...from('10.0.0.8') }), 429)
    const ofBob = { ...with_(basic('bob', PASSWORD)), ...from('10.0.0.9') }
    assertError(await app.get(undefined, '/user', ofBob), 429)
  })

  test('from one address end in 429 for every account, by the network of an IPv6 address', async (t) => {
    const app = await startApp(t, behindProxy)
    await app.addPerson('ann')
    await fail(app, 'a', '2001:db8:1:2::1', 2)
    await fail(app, 'b', '2001:db8:1:2:3:4:5:6', 2)
    await fail(app, 'c', '2001:db8:1:2:ffff::3', 2)
    const signIn = (address: string) =>
      app.get(undefined, '/user', { ...with_(basic('ann', PASSWORD)), ...from(address) })

    assertError(await signIn('2001:db8:1:2::77'), 429)
    assertStatus(await signIn('2001:db8:1:3::1'), 200)
    await fail(app, 'a', '2001::1:2:3:4:5:6', 1)
    await fail(app, 'g', '2001:0:1:2::5', 2)
    await fail(app, 'h', '2001:0:1:2:9:9:9:9', 2)
    await fail(app, 'i', '2001:0:1:2::6', 1)
    assertError(await signIn('2001::1:2:0:0:0:7'), 429)
    assertStatus(await signIn('2001::9'), 200)
    // So a server that listens on all addresses, of both kinds, sees those of IPv4.
    for (const name of ['d', 'e', 'f']) await fail(app, name, '::ffff:10.1.1.1', 2)
    assertError(await signIn('10.1.1.1'), 429)
    assertStatus(await signIn('::ffff:10.1.1.2'), 200)
  })

  test('do not hinder tokens', async (t) => {
    const app = await startApp(t, behindProxy)
    const ann = await app.addCaller('ann')
    await fail(app, 'ann', '10.0.0.1', 3)

    assertStatus(await app.get(ann, '/user', from('10.0.0.1')), 200)
  })

  test('are counted for addresses that a stranger cannot make up', async (t) => {
    const app = await startApp(t, { security: limits })
    for (let count = 0; count < 6; count++) {
      await app.get(undefined, '/user', {
        ...with_(basic(`n${count}`, 'wrong')),
        ...from(`10.0.0.${count}`),
      })
    }

    const answer = await app.get(undefined, '/user', {
      ...with_(basic('x', 'wrong')),
      ...from('10.9.9.9'),
    })

    assertError(answer, 429)
  })

  test('are forgotten by the scheduled task', async (t) => {
    const app = await startApp(t, behindProxy)
    const { db } = app.ctx
    await app.addPerson('ann')
    const signIn = (address: string) =>
      app.get(undefined, '/user', { ...with_(basic('ann', PASSWORD)), ...from(address) })
    await fail(app, 'ann', '10.0.0.1', 1)
    await signIn('10.0.0.1')

    app.passTime(3600)
    await app.ctx.schedule.runDue()

    assert.deepEqual(await db.selectFrom('sign_in_failure').selectAll().execute(), [])
    app.passTime(90 * 86_400)
    await fail(app, 'ann', '10.0.0.2', 2)
    await signIn('10.0.0.2')
    await app.ctx.schedule.runDue()
    await fail(app, 'ann', '10.0.0.3', 1)
    assertStatus(await signIn('10.0.0.2'), 200)
    assertError(await signIn('10.0.0.1'), 429)
    app.passTime(901)
    assertStatus(await signIn('10.0.0.1'), 200)
    await fail(app, 'ann', '10.0.0.3', 3)
    assertStatus(await signIn('10.0.0.1'), 200)
  })

  test('are not forgotten before the longer of the two windows is over', async (t) => {
    const app = await startApp(t, behindProxy)
    await app.addPerson('ann')
    await fail(app, 'ann', '10.0.0.1', 3)

    app.passTime(600)
    await app.ctx.signInLimits.forgetOld()

    const right = { ...with_(basic('ann', PASSWORD)), ...from('10.0.0.2') }
    assertError(await app.get(undefined, '/user', right), 429)
  })
})
