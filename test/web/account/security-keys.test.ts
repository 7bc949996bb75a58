// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { suite, test } from 'node:test'
import { addKey } from '../../../src/identity/auth/security-keys/enrol.ts'
import { totpCode } from '../../../src/identity/auth/totp.ts'
import { callerOf } from '../../../src/platform/context.ts'
import { PASSWORD, type TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { TestKey, type Lie } from '../../support/security-key.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import {
  askedOf,
  codesIn,
  enrol,
  factors,
  finishWith,
  offeredTo,
  startHalf,
  tryEnrol,
} from '../security-keys.ts'
import { complaintIn } from '../settings/setup.ts'
import { signIn, Visitor } from '../support.ts'
import { codesOf, countOf, keysOf } from './key-rows.ts'
import { assertOwn, startWithAccount, type Setup } from './setup.ts'

const generous = { security: { failures_per_address: 1000, failures_per_account: 1000 } }

async function keyPath(setup: Setup, name = 'Blue'): Promise<string> {
  const key = (await keysOf(setup)).find((one) => one.name === name)
  return `${factors}/keys/${key?.id}`
}

/** Switches one-time codes on; gives what makes them. */
async function addCodes(
  { app, byAnn }: Setup,
  page: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const { text } = await byAnn.get(page)
  const [, offer = ''] = /name="offer" value="([^"]+)"/.exec(text) ?? []
  const [, secret = ''] = /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(text) ?? []
  const code = totpCode(secret.replaceAll(' ', ''), Math.floor(app.ctx.now() / 30))
  return byAnn.post(factors, { offer, one_time_code: code, password: PASSWORD, ...fields })
}

suite(`${factors}/keys`, () => {
  test('are added by who shows the password, and end other sessions', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    await assertOwn(setup, `${factors}/keys/new`, `${factors}/keys/new`)
    for (const path of ['offer', 'question']) {
      await assertOwn(setup, factors, `${factors}/keys/${path}`)
    }
    const elsewhere = await signIn(app, 'ann')
    const page = await byAnn.get(`${factors}/keys/new`)
    assert.match(page.text, /<security-key offer="\/user\/settings\/two-factor\/keys\/offer"/)
    assert.match(wordsOf(page), /A security key needs script/)
    assert.match(wordsOf(await byAnn.get(factors)), /It is off\..* You have none\./)

    const key = new TestKey()
    const answer = await tryEnrol(byAnn, key, { key_name: ` ${evil} ` })

    assertStatus(answer, 200)
    assert.equal(new Set(codesIn(answer)).size, 10)
    const listed = await byAnn.get(factors)
    assert.equal(hasScript(listed), false)
    assert.match(wordsOf(listed), /It is on: your password works with a security key only\. 10 /)
    assert.match(wordsOf(listed), /added [^·]* · not used yet Remove/)
    assert.match((await elsewhere.get(factors)).headers['location'] ?? '', /^\/user\/login\?/)
    const [row] = await keysOf(setup)
    assert.partialDeepStrictEqual(row, {
      name: evil,
      credential_id: key.id.toString('base64url'),
      sign_count: 1,
    })
    assert.equal(await countOf(setup), 1)
  })

  test('are asked for by a browser as the standard has it', async (t) => {
    const setup = await startWithAccount(t)
    const { byAnn } = setup
    const offer = await offeredTo(byAnn)
    assert.partialDeepStrictEqual(offer, {
      rp: { id: 'codestead.test', name: 'Codestead' },
      user: { name: 'ann', displayName: 'ann' },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [],
      attestation: 'none',
    })
    assert.match(offer.challenge, /^[\w-]{43}$/)
    assert.notEqual((await offeredTo(byAnn)).challenge, offer.challenge)
    const { key } = await enrol(byAnn)
    const credential = { type: 'public-key', id: key.id.toString('base64url') }

    const again = (await offeredTo(byAnn)) as unknown
    assert.partialDeepStrictEqual(again, { excludeCredentials: [credential] })
    const asked = (await askedOf(byAnn)) as unknown
    assert.partialDeepStrictEqual(asked, {
      rpId: 'codestead.test',
      allowCredentials: [credential],
    })
  })

  test('are refused when anything about them is not right', async (t) => {
    const setup = await startWithAccount(t, generous)
    const { app, byAnn } = setup
    const otherSession = await signIn(app, 'ann')
    const foreign = (await offeredTo(otherSession)).challenge
    const lies: Record<string, Lie> = {
      'another question': { type: 'webauthn.get' },
      'another challenge': { challenge: 'A'.repeat(43) },
      'the challenge of another browser': { challenge: foreign },
      'a challenge for something else': { challenge: (await askedOf(byAnn)).challenge },
      'no JSON': { clientData: Buffer.from('[') },
      nothing: { clientData: Buffer.from('null') },
      'another origin': { origin: 'http://evil.test' },
      'a frame': { crossOrigin: true },
      'another site': { site: 'evil.test' },
      nobody: { flags: 0x40 },
      'no id': { flags: 0x01 },
      'an empty id': { credentialId: Buffer.alloc(0) },
      'an endless id': { credentialId: Buffer.alloc(1024) },
      'too little': { authenticatorData: Buffer.alloc(10) },
    }

    for (const [what, lie] of Object.entries(lies)) {
      const answer = await tryEnrol(byAnn, new TestKey(), {}, lie)
      assert.equal(answer.status, 422, what)
    }
    const site = Buffer.from(
      new TestKey().enrol({ challenge: '' })['new_key_authenticator_data'] ?? '',
      'base64url',
    )
    for (const length of [37, 54, 60]) {
      const lie = { authenticatorData: site.subarray(0, length) }
      assert.equal((await tryEnrol(byAnn, new TestKey(), {}, lie)).status, 422, String(length))
    }
    assert.deepEqual(await keysOf(setup), [])
    assert.equal(await countOf(setup), 0)
  })

  test('answer once, within five minutes', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    const post = (fields: Readonly<Record<string, string>>) =>
      byAnn.post(`${factors}/keys/new`, { key_name: 'Blue', password: PASSWORD, ...fields })
    const old = await offeredTo(byAnn)
    app.passTime(300)
    const late = await post(new TestKey().enrol(old))
    assertStatus(late, 422)
    assert.match(wordsOf(late), /The security key was asked too long ago\./)

    const offer = await offeredTo(byAnn)
    const key = new TestKey()
    assertStatus(await post({ ...key.enrol(offer), password: 'wrong' }), 422)
    assertStatus(await post(key.enrol(offer)), 422)
    assert.deepEqual(await keysOf(setup), [])
  })

  test('have a name that can be shown, and need the password', async (t) => {
    const setup = await startWithAccount(t)
    const { byAnn } = setup
    const wrong = [
      [{ key_name: '  ' }, /^key_name: This is needed/],
      [{ key_name: 'x'.repeat(61) }, /^key_name: This is too long/],
      [{ key_name: 'a\u0007b' }, /^key_name: This name cannot be shown/],
      [{ password: 'wrong' }, /^password: The password or the second factor is wrong/],
      [{ password: '' }, /^password: /],
    ] as const
    for (const [fields, complaint] of wrong) {
      const refused = await tryEnrol(byAnn, new TestKey(), fields)
      assertStatus(refused, 422)
      assert.match(complaintIn(refused.text), complaint)
    }
    assert.deepEqual(await keysOf(setup), [])
  })

  test('are of kinds that are safe to trust', async (t) => {
    const setup = await startWithAccount(t)
    const spki = ({ publicKey }: { publicKey: KeyObject }) =>
      publicKey.export({ type: 'spki', format: 'der' })
    const bad: Record<string, Buffer> = {
      'P-384': spki(generateKeyPairSync('ec', { namedCurve: 'secp384r1' })),
      secp256k1: spki(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })),
      ed448: spki(generateKeyPairSync('ed448')),
      x25519: spki(generateKeyPairSync('x25519')),
      'short RSA': spki(generateKeyPairSync('rsa', { modulusLength: 1024 })),
      'odd RSA': spki(generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })),
      'RSA-PSS': spki(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })),
      'point at infinity': Buffer.from(
        '3019301306072a8648ce3d020106082a8648ce3d03010703020000',
        'hex',
      ),
      'no key': Buffer.from('key'),
      nothing: Buffer.alloc(0),
    }

    for (const [kind, publicKey] of Object.entries(bad)) {
      const answer = await tryEnrol(setup.byAnn, new TestKey(), {}, { publicKey })
      assert.equal(answer.status, 422, kind)
      assert.match(wordsOf(answer), /A security key of this kind is not taken\./, kind)
    }
    assert.deepEqual(await keysOf(setup), [])
  })

  test('are enrolled once, whoever has them', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    await app.addPerson('bob')
    const byBob = await signIn(app, 'bob')
    const { key, codes } = await enrol(byAnn)
    const [code = ''] = codes

    const same = new TestKey('ES256', { id: key.id })
    const twice = await tryEnrol(byAnn, same, { one_time_code: code })
    const ofBob = await tryEnrol(byBob, same)

    for (const answer of [twice, ofBob]) {
      assertStatus(answer, 422)
      assert.match(wordsOf(answer), /This security key is enrolled already\./)
    }
    assert.equal((await keysOf(setup)).length, 1)
    assert.equal(await countOf(setup), 1)
    assert.match(wordsOf(await byBob.get(factors)), /It is off\./)
    assertStatus(await finishWith(await startHalf(app), key), 303)
  })

  test('are added to others by who shows one of these', async (t) => {
    const setup = await startWithAccount(t, generous)
    const { byAnn } = setup
    const { key } = await enrol(byAnn)
    const red = { key_name: 'Red' }
    const page = await byAnn.get(`${factors}/keys/new`)
    assert.match(page.text, /<security-key question="[^"]+" offer="[^"]+" code="one_time_code"/)

    assertStatus(await tryEnrol(byAnn, new TestKey(), red), 422)
    const wrong = key.answer(await askedOf(byAnn), { flags: 0 })
    assertStatus(await tryEnrol(byAnn, new TestKey(), { ...red, ...wrong }), 422)
    const right = key.answer(await askedOf(byAnn))
    const added = await tryEnrol(byAnn, new TestKey(), { ...red, ...right })

    assert.equal(added.headers['location'], `${factors}?saved=yes`)
    assert.equal(await countOf(setup), 2)
    assert.equal((await codesOf(setup)).length, 10)
  })

  test('are twenty at most, however many are added at the same moment', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    const { codes } = await enrol(byAnn)
    const add = (number: number) =>
      addKey(app.ctx, callerOf(ann.account), {
        name: `key ${number}`,
        credentialId: `id${number}`,
        publicKey: '',
        signCount: 0,
      })
    for (let number = 0; number < 17; number += 1) await add(number)

    const together = await Promise.allSettled([20, 21, 22, 23, 24, 25].map(add))

    assert.equal(together.filter(({ status }) => status === 'fulfilled').length, 2)
    assert.equal((await keysOf(setup)).length, 20)
    assert.equal(await countOf(setup), 20)
    // They have ended the session.
    const [first = '', second = ''] = codes
    const form = { user_name: 'ann', password: PASSWORD, one_time_code: first }
    const signedIn = await new Visitor(app).post('/user/login', form)
    const cookie = (signedIn.headers['set-cookie'] ?? '').split(';')[0] ?? ''
    const again = new Visitor(app, { cookie })
    const refused = await tryEnrol(again, new TestKey(), { one_time_code: second })
    assertStatus(refused, 422)
    assert.match(wordsOf(refused), /An account has 20 security keys at most\./)
  })

  test('are removed by who shows the password and a second factor', async (t) => {
    const setup = await startWithAccount(t, generous)
    const { app, ann, byAnn } = setup
    const { key, codes } = await enrol(byAnn)
    await app.addPerson('bob')
    const byBob = await signIn(app, 'bob')
    const path = await keyPath(setup)
    await assertOwn(setup, path, `${path}/delete`, { password: PASSWORD })
    assert.match(wordsOf(await byAnn.get(path)), /It is the last second factor/)
    for (const other of [path, `${factors}/keys/0`, `${factors}/keys/x`]) {
      assertStatus(await byBob.get(other), 404)
      assertStatus(await byBob.post(`${other}/delete`, { password: PASSWORD }), 404)
    }
    const [code = ''] = codes
    for (const fields of [
      { password: PASSWORD },
      { password: 'wrong', one_time_code: code },
      { password: PASSWORD, ...key.answer(await askedOf(byAnn), { flags: 0 }) },
    ]) {
      assertStatus(await byAnn.post(`${path}/delete`, fields), 422)
    }
    assert.equal((await keysOf(setup)).length, 1)

    const answer = key.answer(await askedOf(byAnn))
    const removed = await byAnn.post(`${path}/delete`, { password: PASSWORD, ...answer })

    assert.equal(removed.headers['location'], `${factors}?saved=yes`)
    assert.deepEqual(await keysOf(setup), [])
    assert.deepEqual(await codesOf(setup), [])
    assert.equal(await countOf(setup), 0)
    assertStatus(await app.get(app.withPassword(ann.account), '/user'), 200)
    assertStatus(await byAnn.get(path), 404)
  })

  test('are removed once, however many ask at the same moment', async (t) => {
    const setup = await startWithAccount(t, generous)
    const { byAnn } = setup
    const { codes } = await enrol(byAnn)
    const path = await keyPath(setup)

    const answers = await Promise.all(
      codes
        .slice(0, 4)
        .map((one_time_code) =>
          byAnn.post(`${path}/delete`, { password: PASSWORD, one_time_code }),
        ),
    )

    assert.equal(answers.filter(({ status }) => status === 303).length, 1)
    assert.equal(await countOf(setup), 0)
  })

  test('and one-time codes stand beside each other, with one set of recovery codes', async (t) => {
    const setup = await startWithAccount(t, generous)
    const { byAnn } = setup
    const { key, codes } = await enrol(byAnn)
    const [first = '', second = '', third = ''] = codes
    const page = `${factors}/codes`
    await assertOwn(setup, page, factors)
    assert.match(wordsOf(await byAnn.get(factors)), /They are off\. Set up an authenticator app/)

    assertStatus(await addCodes(setup, page), 422)
    const on = await addCodes(setup, page, key.answer(await askedOf(byAnn)))
    assert.equal(on.headers['location'], `${factors}?saved=yes`)
    assert.match(
      wordsOf(await byAnn.get(factors)),
      /works with a one-time code or a security key only\. 10 recovery codes are left/,
    )
    const path = await keyPath(setup)
    assert.doesNotMatch(wordsOf(await byAnn.get(path)), /last second factor/)
    const off = { password: PASSWORD, wish: 'off', one_time_code: first }
    assertStatus(await byAnn.post(`${factors}/change`, off), 303)
    assert.match(wordsOf(await byAnn.get(factors)), /with a security key only\. 9 recovery codes/)
    const again = await addCodes(setup, page, { recovery_code: second })
    assertStatus(again, 303)
    const removal = { password: PASSWORD, one_time_code: third }
    assertStatus(await byAnn.post(`${path}/delete`, removal), 303)
    assert.match(wordsOf(await byAnn.get(factors)), /a one-time code only\. 7 recovery codes/)
  })

  test('give recovery codes to who has one-time codes without any', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    const on = await addCodes(setup, factors)
    const [code = ''] = codesIn(on)
    await app.ctx.db
      .deleteFrom('recovery_code')
      .where(
        'hash',
        '<>',
        app.ctx.secrets.hash('recovery-code', `${setup.ann.id} ${code.replace('-', '')}`),
      )
      .execute()

    const added = await tryEnrol(byAnn, new TestKey(), { one_time_code: code })

    assertStatus(added, 200)
    assert.equal(codesIn(added).length, 10)
  })
})
