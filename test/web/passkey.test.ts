import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSWORD, type TestAnswer, type TestApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { TestKey, type Lie, type Question } from '../support/security-key.ts'
import { startWithAccount } from './account/setup.ts'
import { wordsOf } from './repository/support.ts'
import { cookieIn, enrol, factors, liesOf, startHalf, askedInHalf } from './security-keys.ts'
import { fromElsewhere, Visitor } from './support.ts'

const PATH = '/user/login/passkey'
const REFUSED = /This passkey does not sign anybody in here\./
const generous = { security: { failures_per_address: 1000, failures_per_account: 1000 } }

async function startWithPasskey(
  t: Parameters<typeof startWithAccount>[0],
  changes: Parameters<typeof startWithAccount>[1] = generous,
) {
  const setup = await startWithAccount(t, changes)
  const key = new TestKey()
  key.count = 7
  await enrol(setup.byAnn, key)
  return { ...setup, key }
}

async function askedOfAnybody(app: TestApp): Promise<Question> {
  const answer = await new Visitor(app).post(`${PATH}/question`)
  assertStatus(answer, 200)
  return answer.body as Question
}

async function signInBy(app: TestApp, key: TestKey, lie?: Lie): Promise<TestAnswer> {
  const answer = key.answerAlone(await askedOfAnybody(app), lie)
  return new Visitor(app).post(PATH, { ...answer, redirect_to: '/ann?tab=x' })
}

suite(PATH, () => {
  test('signs in whoever has the passkey, without name and password', async (t) => {
    const { app, key } = await startWithPasskey(t)

    const page = await new Visitor(app).get('/user/login?redirect_to=%2Fann')
    const asked = await askedOfAnybody(app)
    const answer = await signInBy(app, key)

    assert.match(page.text, /<security-key question="\/user\/login\/passkey\/question"/)
    assert.partialDeepStrictEqual(asked, {
      rpId: 'codestead.test',
      allowCredentials: [],
      userVerification: 'required',
    })
    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/ann?tab=x')
    const byAnn = new Visitor(app, { cookie: cookieIn(answer, 'codestead_session') ?? '' })
    assert.match(wordsOf(await byAnn.get(factors)), /Blue added [^·]* · used /)
  })

  test('takes none but a right answer of its owner, and counts the others', async (t) => {
    const { app, key } = await startWithPasskey(t)
    const lies: Readonly<Record<string, Lie>> = {
      ...liesOf(key),
      'a key that nobody has unlocked': { flags: 0x01 },
      'a key of somebody else': { userHandle: Buffer.alloc(32).toString('base64url') },
      'a key of nobody': { userHandle: '' },
    }

    for (const [what, lie] of Object.entries(lies)) {
      const answer = await signInBy(app, key, lie)
      assert.equal(answer.status, 422, what)
      assert.match(wordsOf(answer), REFUSED, what)
      assert.equal(cookieIn(answer, 'codestead_session'), undefined, what)
    }
    const rows = await app.ctx.db.selectFrom('sign_in_failure').select('failures').execute()
    // One by the address, one by the name, one by the key that is nobody's.
    const most = Object.keys(lies).length
    assert.deepEqual(
      rows.map(({ failures }) => failures).toSorted((one, other) => one - other),
      [1, most - 1, most],
    )
    assertStatus(await signInBy(app, key), 303)
  })

  test('takes an answer once, within five minutes', async (t) => {
    const { app, byAnn } = await startWithAccount(t, generous)
    // Most of those in phones and computers do not count, so that nothing else tells two answers
    // apart.
    const key = new TestKey('ES256', { counts: false })
    await enrol(byAnn, key)
    const answer = key.answerAlone(await askedOfAnybody(app))
    const send = () => new Visitor(app).post(PATH, answer)

    const atOnce = await Promise.all([send(), send(), send()])
    const again = await send()
    const late = key.answerAlone(await askedOfAnybody(app))
    app.passTime(301)
    const tooLate = await new Visitor(app).post(PATH, late)

    const statuses = atOnce.map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [303, 422, 422],
    )
    assertStatus(again, 422)
    assertStatus(tooLate, 422)
    assertStatus(await signInBy(app, key), 303)
  })

  test('is no way around being kept out', async (t) => {
    const { app, ann, key } = await startWithPasskey(t)
    const root = await app.addAdmin()
    const path = `/admin/users/${ann.name}`
    assertStatus(await app.patch(root, path, { prohibit_login: true }), 200)

    const prohibited = await signInBy(app, key)
    await app.patch(root, path, { prohibit_login: false, active: false })
    const inactive = await signInBy(app, key)
    await app.patch(root, path, { active: true, password: PASSWORD, must_change_password: true })
    const changing = await signInBy(app, key)

    for (const answer of [prohibited, inactive]) {
      assertStatus(answer, 422)
      assert.match(wordsOf(answer), REFUSED)
    }
    assertStatus(changing, 303)
    assert.equal(changing.headers['location'], '/user/change_password')
    for (const answer of [prohibited, inactive, changing]) {
      assert.equal(cookieIn(answer, 'codestead_session'), undefined)
    }
  })

  test('takes no answer to another question, and its question answers no other', async (t) => {
    const { app, key } = await startWithPasskey(t)
    const half = await startHalf(app)

    const byHalf = key.answerAlone(await askedInHalf(half))
    const alone = await new Visitor(app).post(PATH, byHalf)
    const second = await half.post('/user/login/second-factor', {
      ...key.answer(await askedOfAnybody(app)),
    })

    assertStatus(alone, 422)
    assertStatus(second, 422)
  })

  test('is asked and answered from pages of this server only, and not too often', async (t) => {
    const limits = { failures_per_address: 3, failures_per_account: 1000 }
    const { app, key } = await startWithPasskey(t, { security: limits })
    const stranger = new Visitor(app, fromElsewhere)

    assertStatus(await stranger.post(`${PATH}/question`), 403)
    assertStatus(await stranger.post(PATH, key.answerAlone(await askedOfAnybody(app))), 403)
    for (let attempt = 0; attempt < 3; attempt++) {
      assertStatus(await signInBy(app, key, { flags: 0x01 }), 422)
    }
    const limited = await signInBy(app, key)

    assertStatus(limited, 429)
    assert.ok(Number(limited.headers['retry-after']) > 0)
  })
})
