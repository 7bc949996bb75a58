// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { totpCode } from '../../../src/identity/auth/totp.ts'
import { PASSWORD, type TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { signIn, Visitor } from '../support.ts'
import { assertOwn, settings, startWithAccount, type Setup } from './setup.ts'

const path = `${settings}/two-factor`

interface Offered {
  readonly offer: string
  readonly secret: string
}

function offeredIn({ text }: TestAnswer): Offered {
  const [, offer = ''] = /name="offer" value="([^"]+)"/.exec(text) ?? []
  const [, secret = ''] = /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(text) ?? []
  return { offer, secret: secret.replaceAll(' ', '') }
}

function codesIn({ text }: TestAnswer): readonly string[] {
  return [...text.matchAll(/<code class="secret">([a-z2-9]{5}-[a-z2-9]{5})</g)].map(
    ([, code = '']) => code,
  )
}

function codeOf({ app }: Setup, secret: string, shift = 0): string {
  return totpCode(secret, Math.floor(app.ctx.now() / 30) + shift)
}

/** Gives the secret and the recovery codes. */
async function switchOn(setup: Setup) {
  const { offer, secret } = offeredIn(await setup.byAnn.get(path))
  const one_time_code = codeOf(setup, secret)
  const on = await setup.byAnn.post(path, { offer, one_time_code, password: PASSWORD })
  assertStatus(on, 200)
  return { secret, codes: codesIn(on) }
}

function tryIn({ app }: Setup, one_time_code: string): Promise<TestAnswer> {
  const form = { user_name: 'ann', password: PASSWORD, one_time_code }
  return new Visitor(app).post('/user/login', form)
}

suite(path, () => {
  test('switches it on for who shows the password and a code, and ends other sessions', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    await assertOwn(setup, path, path)
    const elsewhere = await signIn(app, 'ann')
    const page = await byAnn.get(path)
    assert.match(page.text, /<svg class="qr"/)

    const { secret, codes } = await switchOn(setup)

    assert.equal(new Set(codes).size, 10)
    assertStatus(await byAnn.get(path), 200)
    assertStatus(await elsewhere.get(path), 303)
    assert.match(wordsOf(await byAnn.get(path)), /It is on: .* 10 recovery codes are left\./)
    const half = await tryIn(setup, '')
    assert.match(String(half.headers['location']), /^\/user\/login\/second-factor/)
    assertStatus(await tryIn(setup, codeOf(setup, secret)), 422)
    assertStatus(await tryIn(setup, codeOf(setup, secret, 1)), 303)
    assertStatus(await app.get(app.withPassword(ann.account), '/user'), 401)
    const rows = JSON.stringify(await app.ctx.db.selectFrom('recovery_code').selectAll().execute())
    assert.ok(codes.every((code) => !rows.includes(code) && !rows.includes(code.replace('-', ''))))
  })

  test('keeps what was shown when something is wrong, for half an hour', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    const { offer, secret } = offeredIn(await byAnn.get(path))
    const right = { offer, one_time_code: codeOf(setup, secret), password: PASSWORD }
    const wrong = [
      [{ ...right, password: 'wrong' }, /^password: /],
      [{ ...right, one_time_code: '' }, /^one_time_code: This code is wrong/],
      [{ ...right, one_time_code: codeOf(setup, secret, 9) }, /^one_time_code: /],
    ] as const
    for (const [fields, complaint] of wrong) {
      const refused = await byAnn.post(path, fields)
      assertStatus(refused, 422)
      assert.match(complaintIn(refused.text), complaint)
      assert.deepEqual(offeredIn(refused), { offer, secret })
    }
    app.passTime(1_801)
    for (const old of [offer, 'x', '']) {
      const fields = { offer: old, one_time_code: codeOf(setup, secret), password: PASSWORD }
      const late = await byAnn.post(path, fields)
      assertStatus(late, 422)
      assert.notEqual(offeredIn(late).secret, secret)
    }
    assertStatus(await signIn(app, 'ann').then((by) => by.get(path)), 200)
  })

  test('takes nothing that was offered to somebody else', async (t) => {
    const setup = await startWithAccount(t)
    await setup.app.addCaller('bob')
    const byBob = await signIn(setup.app, 'bob')
    const { offer, secret } = offeredIn(await byBob.get(path))

    const fields = { offer, one_time_code: codeOf(setup, secret), password: PASSWORD }
    assertStatus(await setup.byAnn.post(path, fields), 422)
    assert.match(wordsOf(await setup.byAnn.get(path)), /It is off\./)
  })

  test('is switched on once, however many ask at the same moment', async (t) => {
    const setup = await startWithAccount(t)
    const offers = [offeredIn(await setup.byAnn.get(path)), offeredIn(await setup.byAnn.get(path))]

    const answers = await Promise.all(
      offers.map(({ offer, secret }) => {
        const one_time_code = codeOf(setup, secret)
        return setup.byAnn.post(path, { offer, one_time_code, password: PASSWORD })
      }),
    )

    const statuses = answers.map(({ status }) => status)
    assert.deepEqual([statuses.includes(200), statuses.includes(422)], [true, true])
  })

  test('takes each recovery code once, from whom it was given to', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    const { codes } = await switchOn(setup)
    const [first = '', second = '', third = ''] = codes
    await app.addCaller('bob')
    const bob = { ...setup, byAnn: await signIn(app, 'bob') }
    const { codes: ofBob } = await switchOn(bob)

    const together = await Promise.all(Array.from({ length: 8 }, () => tryIn(setup, first)))
    assert.equal(together.filter(({ status }) => status === 303).length, 1)
    assertStatus(await tryIn(setup, second.replace('-', '').toUpperCase()), 303)
    assertStatus(await tryIn(setup, ofBob[0] ?? ''), 422)
    assertStatus(await tryIn(setup, 'aaaaa-aaaaa'), 422)
    const header = { 'x-gitea-otp': third }
    assertStatus(await app.get(app.withPassword(ann.account), '/user', header), 200)
    assertStatus(await app.get(app.withPassword(ann.account), '/user', header), 401)
    assert.match(wordsOf(await byAnn.get(path)), / 7 recovery codes are left\./)
  })

  test('gives new recovery codes, and is switched off, for who shows both', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    const { secret, codes } = await switchOn(setup)
    const change = `${path}/change`
    for (const fields of [
      { password: PASSWORD },
      { password: PASSWORD, one_time_code: codeOf(setup, secret) },
      { password: 'wrong', one_time_code: codeOf(setup, secret, 1) },
    ]) {
      for (const wish of ['codes', 'off']) {
        assertStatus(await byAnn.post(change, { ...fields, wish }), 422)
      }
    }

    const [old = '', other = ''] = codes
    const renewed = await byAnn.post(change, {
      password: PASSWORD,
      one_time_code: old,
      wish: 'codes',
    })
    const [fresh = ''] = codesIn(renewed)
    assert.equal(codesIn(renewed).length, 10)
    assertStatus(await tryIn(setup, other), 422)

    const off = await byAnn.post(change, { password: PASSWORD, one_time_code: fresh, wish: 'off' })
    assert.equal(off.headers['location'], `${path}?saved=yes`)
    assertStatus(await app.get(app.withPassword(ann.account), '/user'), 200)
    assert.deepEqual(await app.ctx.db.selectFrom('recovery_code').selectAll().execute(), [])
  })
})
