import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { basic, PASSWORD, startApp, type TestApp } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'
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
