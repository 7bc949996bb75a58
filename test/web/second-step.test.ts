// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addKey } from '../../src/identity/auth/security-keys/enrol.ts'
import { updateTotpSecret } from '../../src/identity/auth/queries.ts'
import { totpCode } from '../../src/identity/auth/totp.ts'
import { callerOf } from '../../src/platform/context.ts'
import { PASSWORD, type TestApp } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import { doOnceVerified } from '../support/meanwhile.ts'
import { kinds, TestKey } from '../support/security-key.ts'
import { startWithAccount, type Setup } from './account/setup.ts'
import { wordsOf } from './repository/support.ts'
import {
  askedInHalf,
  askedOf,
  cookieIn,
  enrol,
  factors,
  finishWith,
  liesOf,
  secondStep,
  signInWithKey,
  startHalf,
} from './security-keys.ts'
import { fromElsewhere, signIn, Visitor } from './support.ts'

const REFUSED = /That was not right\. Try again\./
const generous = { security: { failures_per_address: 1000, failures_per_account: 1000 } }

async function startWithKey(t: Parameters<typeof startWithAccount>[0], changes = generous) {
  const setup = await startWithAccount(t, changes)
  const key = new TestKey()
  key.count = 7
  const { codes } = await enrol(setup.byAnn, key)
  return { ...setup, key, codes }
}

const countSessions = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('session').selectAll().execute()).length

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

async function addCodes({ app, ann }: Setup): Promise<() => string> {
  await updateTotpSecret(app.ctx.db, ann.id, app.ctx.secrets.seal('totp', secret))
  return () => totpCode(secret, Math.floor(app.ctx.now() / 30))
}

suite(secondStep, () => {
  test('asks who has a key for it after the password, and lets in who has both', async (t) => {
    const { app, key } = await startWithKey(t)
    const form = { user_name: 'ann', password: PASSWORD, redirect_to: '/ann?tab=x' }

    const first = await new Visitor(app).post('/user/login', form)

    const there = `${secondStep}?redirect_to=%2Fann%3Ftab%3Dx`
    assert.equal(first.headers['location'], there)
    assert.match(
      String(first.headers['set-cookie']),
      /^codestead_sign_in=[\w-]{43}; Path=\/; Max-Age=300; SameSite=Lax; HttpOnly$/,
    )
    const half = new Visitor(app, { cookie: cookieIn(first, 'codestead_sign_in') ?? '' })
    const page = await half.get(there)
    assertStatus(page, 200)
    assert.match(page.text, /<security-key question="\/user\/login\/second-factor\/question"/)
    assert.match(wordsOf(page), /A security key needs script/)
    assert.match(page.text, /name="redirect_to" value="\/ann\?tab=x"/)
    const asked = await askedInHalf(half)
    assert.partialDeepStrictEqual(asked, {
      rpId: 'codestead.test',
      allowCredentials: [{ type: 'public-key', id: key.id.toString('base64url') }],
    })
    const last = await half.post(secondStep, { ...key.answer(asked), redirect_to: '/ann?tab=x' })
    assertStatus(last, 303)
    assert.equal(last.headers['location'], '/ann?tab=x')
    assert.equal(cookieIn(last, 'codestead_sign_in'), 'codestead_sign_in=')
    const byAnn = new Visitor(app, { cookie: cookieIn(last, 'codestead_session') ?? '' })
    assert.match(wordsOf(await byAnn.get(factors)), /Blue added [^·]* · used /)
    const elsewhere = await half.post(secondStep, { redirect_to: '//evil.example' })
    assert.equal(elsewhere.headers['location'], '/user/login?redirect_to=%2F')
  })

  for (const kind of kinds) {
    test(`takes the signatures of ${kind}, and no others`, async (t) => {
      const { app, byAnn } = await startWithAccount(t, generous)
      const key = new TestKey(kind)
      await enrol(byAnn, key)
      const other = new TestKey(kind, { id: key.id })
      other.count = 100

      assertStatus(await finishWith(await startHalf(app), other), 422)
      assertStatus(await finishWith(await startHalf(app), key), 303)
    })
  }

  test('refuses every answer that is not right, and counts it', async (t) => {
    const { app, key } = await startWithKey(t)
    const lies = liesOf(key)

    for (const [what, lie] of Object.entries(lies)) {
      const answer = await finishWith(await startHalf(app), key, lie)
      assert.equal(answer.status, 422, what)
      assert.match(wordsOf(answer), REFUSED, what)
      assert.equal(cookieIn(answer, 'codestead_session'), undefined, what)
    }
    assert.equal(await countSessions(app), 1)
    const failures = await app.ctx.db.selectFrom('sign_in_failure').select('failures').execute()
    const expected = Object.keys(lies).length
    assert.deepEqual(
      failures.map((row) => row.failures),
      [expected, expected],
    )
    assertStatus(await finishWith(await startHalf(app), key), 303)
  })

  test('does not believe the Host of a request', async (t) => {
    const { app, key } = await startWithKey(t)
    const half = await startHalf(app)
    const host = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }

    const { body } = await half.post(`${secondStep}/question`, {}, host)
    assert.equal(body.rpId, 'codestead.test')
    const lie = { origin: 'http://evil.test', site: 'evil.test' }
    assertStatus(await half.post(secondStep, key.answer(body, lie), host), 422)
  })

  test('takes each answer once, right or wrong, and from the browser that was asked', async (t) => {
    const { app, byAnn } = await startWithAccount(t, generous)
    const key = new TestKey('ES256', { counts: false })
    await enrol(byAnn, key)
    const [first, second] = [await startHalf(app), await startHalf(app)]
    const right = key.answer(await askedInHalf(first))

    assertStatus(await second.post(secondStep, right), 422)
    assertStatus(await byAnn.post(`${factors}/change`, { ...right, password: PASSWORD }), 422)
    assertStatus(await first.post(secondStep, right), 303)
    assertStatus(await second.post(secondStep, right), 422)

    const asked = await askedInHalf(second)
    const wrong = key.answer(asked, { spoil: () => Buffer.alloc(70) })
    assertStatus(await second.post(secondStep, wrong), 422)
    assertStatus(await second.post(secondStep, key.answer(asked)), 422)

    const change = `${factors}/change`
    const inSession = key.answer(await askedOf(byAnn))
    assertStatus(await second.post(secondStep, inSession), 422)
    const wish = { ...inSession, password: PASSWORD, wish: 'codes' }
    assertStatus(await byAnn.post(change, wish), 200)
    assertStatus(await byAnn.post(change, wish), 422)
    const rows = await app.ctx.db.selectFrom('security_key_challenge').selectAll().execute()
    assert.deepEqual(rows, [])
  })

  test('lets one of many in who bring the same answer at the same moment', async (t) => {
    const { app, byAnn } = await startWithAccount(t, generous)
    const key = new TestKey('ES256', { counts: false })
    await enrol(byAnn, key)
    const half = await startHalf(app)
    const answer = key.answer(await askedInHalf(half))

    const all = await Promise.all(Array.from({ length: 8 }, () => half.post(secondStep, answer)))

    const admitted = all.filter((one) => cookieIn(one, 'codestead_session') !== undefined)
    assert.equal(admitted.length, 1)
    assert.equal(await countSessions(app), 2)
  })

  test('gives five minutes for an answer', async (t) => {
    const { app, key } = await startWithKey(t)
    const byAnn = await signInWithKey(app, key)
    const asked = await askedOf(byAnn)
    const token = { name: 'x', 'scope-user': 'read', password: PASSWORD }

    app.passTime(120)
    const early = await byAnn.post('/user/settings/tokens', { ...token, ...key.answer(asked) })
    assertStatus(early, 200)
    const later = await askedOf(byAnn)
    app.passTime(300)
    const late = { ...token, name: 'y', ...key.answer(later) }
    assertStatus(await byAnn.post('/user/settings/tokens', late), 422)
  })

  test('keeps few questions open for one browser, and those not for ever', async (t) => {
    const { app, byAnn } = await startWithAccount(t, generous)
    const key = new TestKey('ES256', { counts: false })
    await enrol(byAnn, key)
    const half = await startHalf(app)
    const rows = () => app.ctx.db.selectFrom('security_key_challenge').selectAll().execute()
    const first = await askedInHalf(half)
    for (let times = 0; times < 8; times += 1) await askedInHalf(half)

    assert.equal((await rows()).length, 8)
    assertStatus(await half.post(secondStep, key.answer(first)), 422)
    assert.ok(!JSON.stringify(await rows()).includes((await askedInHalf(half)).challenge))
    app.passTime(301)
    await app.ctx.schedule.runDue()
    assert.deepEqual(await rows(), [])
    assert.deepEqual(await app.ctx.db.selectFrom('half_sign_in').selectAll().execute(), [])
  })

  test('refuses a key that counts backwards and says so in the log; 0 stays 0', async (t) => {
    const { app, key } = await startWithKey(t)
    const warn = t.mock.method(app.ctx.log, 'warn')
    const said = () =>
      warn.mock.calls
        .map((call) => [...call.arguments] as unknown[])
        .filter(([, message]) => message === 'a security key counts backwards')
    for (const count of [8, 9]) {
      assertStatus(await finishWith(await startHalf(app), key, { count }), 303)
    }
    assert.equal(warn.mock.callCount(), 0)

    for (const count of [9, 8, 0]) {
      assertStatus(await finishWith(await startHalf(app), key, { count }), 422)
    }

    assert.equal(said().length, 3)
    assert.deepEqual(said()[0]?.[0], { account: 'ann', key: 'Blue' })
    assertStatus(await finishWith(await startHalf(app), key, { count: 2 ** 32 - 1 }), 303)
    await app.addPerson('bob')
    const counting = new TestKey('ES256', { counts: false })
    await enrol(await signIn(app, 'bob'), counting)
    for (let times = 0; times < 2; times += 1) {
      assertStatus(await finishWith(await startHalf(app, { user_name: 'bob' }), counting), 303)
    }
  })

  test('takes no key of somebody else', async (t) => {
    const { app } = await startWithKey(t)
    await app.addPerson('bob')
    const { key } = await enrol(await signIn(app, 'bob'))

    assertStatus(await finishWith(await startHalf(app), key), 422)
    assertStatus(await finishWith(await startHalf(app, { user_name: 'bob' }), key), 303)
  })

  test('asks who has codes alone for one, once the password was right', async (t) => {
    const setup = await startWithAccount(t, generous)
    const { app } = setup
    const code = await addCodes(setup)
    const form = { user_name: 'ann', password: PASSWORD, redirect_to: '/ann' }

    const wrong = await new Visitor(app).post('/user/login', { ...form, password: 'wrong one' })
    const first = await new Visitor(app).post('/user/login', form)
    const visitor = await startHalf(app)
    const page = await visitor.get(secondStep)
    const missed = await visitor.post(secondStep, { one_time_code: '000000', redirect_to: '/ann' })

    assertStatus(wrong, 422)
    assertStatus(first, 303)
    assert.equal(first.headers['location'], `${secondStep}?redirect_to=%2Fann`)
    assert.match(wordsOf(page), /So far all is right, ann\./)
    assert.match(page.text, /name="one_time_code"/)
    assert.doesNotMatch(page.text, /<security-key/)
    assertStatus(missed, 422)
    assert.match(missed.text, REFUSED)
    const before = await countSessions(app)
    const last = await visitor.post(secondStep, { one_time_code: code(), redirect_to: '/ann' })
    assertStatus(last, 303)
    assert.equal(last.headers['location'], '/ann')
    assert.equal(await countSessions(app), before + 1)
  })

  test('takes a code in place of the key, here or with the password', async (t) => {
    const setup = await startWithKey(t)
    const { app, codes } = setup
    const [first = '', second = ''] = codes
    const withCode = async (one_time_code: string) =>
      (await startHalf(app)).post(secondStep, { one_time_code })
    const atOnce = (one_time_code: string) =>
      new Visitor(app).post('/user/login', { user_name: 'ann', password: PASSWORD, one_time_code })
    const page = await (await startHalf(app)).get(secondStep)
    assert.match(wordsOf(page), /Recovery code/)
    assert.doesNotMatch(wordsOf(page), /One-time code/)

    assertStatus(await withCode('123456'), 422)
    assertStatus(await withCode(''), 422)
    assertStatus(await atOnce('123456'), 422)
    assertStatus(await withCode(first), 303)
    assertStatus(await withCode(first), 422)
    assert.equal((await atOnce(second)).headers['location'], '/')
    const code = await addCodes(setup)
    assert.match(wordsOf(await (await startHalf(app)).get(secondStep)), /One-time code/)
    const next = code()
    assertStatus(await withCode(next), 303)
    assertStatus(await withCode(next), 422)
    assertStatus(await atOnce(next), 422)
    assert.equal((await finishWith(await startHalf(app), setup.key)).status, 303)
  })

  test('limits wrong answers as it does wrong passwords', async (t) => {
    const { app, key } = await startWithKey(t, {
      security: { failures_per_address: 3, failures_per_account: 1000 },
    })
    const half = await startHalf(app)
    for (let times = 0; times < 3; times += 1) {
      assertStatus(await finishWith(half, key, { flags: 0 }), 422)
    }

    const limited = await finishWith(half, key)

    assertStatus(limited, 429)
    assert.match(wordsOf(limited), /Too many tries/)
    assert.ok(Number(limited.headers['retry-after']) > 0)
    assert.equal(cookieIn(limited, 'codestead_session'), undefined)
  })

  test('is reached by the right password alone, from pages of this server, and soon', async (t) => {
    const { app, key } = await startWithKey(t)
    const stranger = new Visitor(app)
    const wrong = await stranger.post('/user/login', { user_name: 'ann', password: 'wrong' })
    assertStatus(wrong, 422)
    assert.equal(wrong.headers['set-cookie'], undefined)
    const half = await startHalf(app)
    const answer = key.answer(await askedInHalf(half))

    for (const cookie of ['', 'codestead_sign_in=', `codestead_sign_in=${'a'.repeat(43)}`]) {
      const nobody = new Visitor(app, { cookie })
      assert.match((await nobody.get(secondStep)).headers['location'] ?? '', /^\/user\/login\?/)
      const posted = await nobody.post(secondStep, answer)
      assert.match(posted.headers['location'] ?? '', /^\/user\/login\?/)
      assertError(await nobody.post(`${secondStep}/question`), 401)
    }
    assertStatus(await half.post(secondStep, answer, fromElsewhere), 403)
    assertStatus(await half.post(`${secondStep}/question`, {}, fromElsewhere), 403)
    assert.match((await half.get('/user/settings')).headers['location'] ?? '', /^\/user\/login\?/)
    const cookie = half.headers['cookie'] ?? ''
    const asSession = new Visitor(app, { cookie: cookie.replace('sign_in', 'session') })
    assert.match((await asSession.get(factors)).headers['location'] ?? '', /^\/user\/login\?/)
    app.passTime(300)
    assert.match(
      (await half.post(secondStep, answer)).headers['location'] ?? '',
      /^\/user\/login\?/,
    )
  })

  test('is over when the password, the second factors or the right to sign in change', async (t) => {
    const setup = await startWithKey(t)
    const { app, ann, key, codes } = setup
    const root = await app.addAdmin()
    const edit = (changes: object) => app.patch(root, '/admin/users/ann', changes)
    const another = { name: 'Red', credentialId: 'AA', publicKey: 'AA', signCount: 0 }
    const changes: Record<string, () => Promise<unknown>> = {
      'another key': () => addKey(app.ctx, callerOf(ann.account), another),
      'one-time codes': () => addCodes(setup),
      'not active': () => edit({ active: false }),
      'not allowed': () => edit({ active: true, prohibit_login: true }),
      'another password': () => edit({ prohibit_login: false, password: PASSWORD }),
    }

    for (const [what, change] of Object.entries(changes)) {
      await edit({ active: true, prohibit_login: false })
      const half = await startHalf(app)
      const answer = key.answer(await askedInHalf(half))
      await change()
      const later = await half.post(secondStep, { one_time_code: codes[0] ?? '', ...answer })
      assert.match(later.headers['location'] ?? '', /^\/user\/login\?/, what)
    }
    assertStatus(await finishWith(await startHalf(app), key), 303)
  })

  test('is not left out when the first key is added in the same moment', async (t) => {
    const { app, ann } = await startWithAccount(t)
    const key = { name: 'Blue', credentialId: 'AA', publicKey: 'AA', signCount: 0 }
    doOnceVerified(t, app, () => addKey(app.ctx, callerOf(ann.account), key))

    const form = { user_name: 'ann', password: PASSWORD }
    const answer = await new Visitor(app).post('/user/login', form)

    assertStatus(answer, 422)
    assert.equal(await countSessions(app), 0)
  })

  test('reads no more than a form needs', async (t) => {
    const { app, key } = await startWithKey(t)
    const half = await startHalf(app)
    const asked = await askedInHalf(half)

    assertStatus(await half.post(secondStep, { key_id: 'A'.repeat(70_000) }), 413)
    const clientData = Buffer.from(
      JSON.stringify({
        type: 'webauthn.get',
        challenge: asked.challenge,
        origin: 'http://codestead.test',
        padding: ' '.repeat(7000),
      }),
    )
    assertStatus(await half.post(secondStep, key.answer(asked, { clientData })), 422)
    assertStatus(await half.post(secondStep, key.answer(asked)), 303)
  })
})

suite('a password beside a security key', () => {
  test('is changed with the key by who is signed in, and by who must change it', async (t) => {
    const { app, key } = await startWithKey(t)
    const root = await app.addAdmin()
    const path = '/user/change_password'
    const change = (old_password: string, password: string) => ({
      user_name: 'ann',
      old_password,
      password,
      retype: password,
    })
    const byAnn = await signInWithKey(app, key)
    assert.match((await byAnn.get(path)).text, /<security-key question="\/user\/settings\//)
    assertStatus(await byAnn.post(path, change(PASSWORD, 'another 1')), 422)
    const answer = key.answer(await askedOf(byAnn))
    const stranger = new Visitor(app)
    assert.doesNotMatch((await stranger.get(path)).text, /<security-key/)
    assertStatus(await stranger.post(path, { ...change(PASSWORD, 'another 1'), ...answer }), 422)
    const changed = await byAnn.post(path, { ...change(PASSWORD, 'another 1'), ...answer })
    assertStatus(changed, 200)
    assert.doesNotMatch(changed.text, /Account of ann/)

    await app.patch(root, '/admin/users/ann', { must_change_password: true })
    const first = await stranger.post('/user/login', { user_name: 'ann', password: 'another 1' })
    assert.equal(first.headers['location'], path)
    const half = new Visitor(app, { cookie: cookieIn(first, 'codestead_sign_in') ?? '' })
    assert.match((await half.get(path)).text, /<security-key question="\/user\/login\//)
    assertStatus(await half.post(path, change('another 1', PASSWORD)), 422)
    const early = [await half.get(secondStep), await finishWith(half, key)]
    for (const { headers } of early) assert.equal(headers['location'], path)
    assert.equal(await countSessions(app), 0)
    const second = key.answer(await askedInHalf(half))
    assertStatus(await half.post(path, { ...change('another 1', PASSWORD), ...second }), 200)
    assertStatus(await finishWith(await startHalf(app), key), 303)
  })

  test('makes a token with the key', async (t) => {
    const { app, key } = await startWithKey(t)
    const byAnn = await signInWithKey(app, key)
    const path = '/user/settings/tokens'
    const form = { name: 'x', 'scope-user': 'read', password: PASSWORD }

    assert.match(
      (await byAnn.get(path)).text,
      /<security-key question="[^"]+" code="one_time_code"/,
    )
    assertStatus(await byAnn.post(path, form), 422)
    const asked = await askedOf(byAnn)
    assertStatus(await byAnn.post(path, { ...form, ...key.answer(asked, { flags: 0 }) }), 422)
    const made = await byAnn.post(path, { ...form, ...key.answer(await askedOf(byAnn)) })
    assertStatus(made, 200)
    assert.match(made.text, /[0-9a-f]{40}/)
  })
})
