import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { totpCode } from '../../../src/identity/auth/totp.ts'
import { updateTotpSecret } from '../../../src/identity/auth/queries.ts'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { REFUSED } from './setup.ts'

suite('two factors', () => {
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

  async function startWithFactor(t: Parameters<typeof startApp>[0]) {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await updateTotpSecret(app.ctx.db, ann.id, app.ctx.secrets.seal('totp', secret))
    const code = (shift = 0) => totpCode(secret, Math.floor(app.ctx.now() / 30) + shift)
    const signIn = (otp?: string) =>
      app.get(
        app.withPassword(ann.account),
        '/user',
        otp === undefined ? {} : { 'x-gitea-otp': otp },
      )
    return { app, ann, code, signIn }
  }

  test('codes are those of RFC 6238', () => {
    const rfc = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
    assert.equal(totpCode(rfc, Math.floor(59 / 30)), '287082')
    assert.equal(totpCode(rfc, Math.floor(1_111_111_109 / 30)), '081804')
    assert.equal(totpCode(rfc, Math.floor(20_000_000_000 / 30)), '353130')
  })

  test('a password needs the code, a token does not', async (t) => {
    const { app, ann, code, signIn } = await startWithFactor(t)

    assertError(await signIn(), 401, REFUSED)
    assertError(await signIn(code() === '000000' ? '000001' : '000000'), 401, REFUSED)
    for (const odd of ['12', '\u00fc12345', '\u00fc'.repeat(6), '12345 ', '-12345'])
      assertError(await signIn(odd), 401, REFUSED)
    assertStatus(await signIn(code()), 200)
    assertStatus(await app.get(ann, '/user'), 200)
  })

  test('a code works once, one step early or late, and not later', async (t) => {
    const { app, ann, code, signIn } = await startWithFactor(t)
    const bob = await app.addPerson('bob')
    const current = code()

    assertStatus(await signIn(current), 200)
    assertError(await signIn(current), 401, REFUSED)
    app.passTime(60)
    assertStatus(await signIn(code(-1)), 200)
    assertError(await signIn(code(-2)), 401, REFUSED)
    assertStatus(await signIn(code(1)), 200)
    await updateTotpSecret(app.ctx.db, bob.id, app.ctx.secrets.seal('totp', secret))
    const ofBob = await app.get(app.withPassword(bob), '/user', { 'x-gitea-otp': code() })
    assert.equal(ofBob.body.login, 'bob')
    assertError(await signIn(code()), 401, REFUSED)
    await updateTotpSecret(app.ctx.db, ann.id, app.ctx.secrets.seal('totp', secret))
    assertStatus(await signIn(code()), 200)
  })

  test('of many requests with one code at the same moment one succeeds', async (t) => {
    const { code, signIn } = await startWithFactor(t)
    const current = code()

    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(current)))

    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 401).length, 19)
  })
})
