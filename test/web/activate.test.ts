import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../src/platform/config/config.ts'
import { basic, PASSWORD, startApp, type TestApp, type TestCaller } from '../support/app.ts'
import { assertBareError, assertError, assertStatus } from '../support/expect.ts'
import { startMailServer, type MailServer, type Received } from '../support/mail-server.ts'
import { fromElsewhere, signIn, Visitor } from './support.ts'

const ann = { user_name: 'ann', email: 'ann@example.org', password: PASSWORD, retype: PASSWORD }

async function withConfirmation(t: TestContext, changes: ConfigChanges = {}) {
  const mail = await startMailServer(t)
  const app = await startApp(t, {
    users: { sign_up: true },
    ...changes,
    security: { email_confirmation: true, ...changes.security },
    mail: { ...mail.settings, ...changes.mail },
  })
  const root = await app.addAdmin()
  const visitor = new Visitor(app)
  const confirm = (code: string) => visitor.post('/user/activate', { code })
  const call = (name: string) =>
    app.get(undefined, '/user', { authorization: basic(name, PASSWORD) })
  return { mail, app, root, visitor, confirm, call }
}

/** Without what owners are told of the security of their accounts. */
function confirmationsIn(mail: MailServer): readonly Received[] {
  return mail.take().filter(({ headers }) => headers['subject'] === 'Confirm your e-mail address')
}

/** The codes that have arrived, by the address that they went to. */
async function codesOf(app: TestApp, mail: MailServer): Promise<Readonly<Record<string, string>>> {
  await app.ctx.jobs.runDue()
  return Object.fromEntries(
    confirmationsIn(mail).map(({ to, text }) => {
      const link = /http:\/\/codestead\.test\/user\/activate\?code=([\w-]{43})\n/.exec(text)
      return [to.join(), link?.[1] ?? '']
    }),
  )
}

async function codeFor(app: TestApp, mail: MailServer, address: string): Promise<string> {
  const code = (await codesOf(app, mail))[address] ?? ''
  assert.notEqual(code, '', `nothing was mailed to ${address}`)
  return code
}

suite('/user/activate', () => {
  test('lets nobody in who signs up until the button of the mailed page was pressed', async (t) => {
    const { mail, app, visitor, confirm, call } = await withConfirmation(t)

    const signedUp = await visitor.post('/user/sign_up', ann)
    assertStatus(signedUp, 303)
    assert.equal(signedUp.headers['location'], '/user/activate')
    assert.equal(signedUp.headers['set-cookie'], undefined)
    assert.match((await visitor.get('/user/activate')).text, /We have sent a mail/)
    const code = await codeFor(app, mail, 'ann@example.org')
    const early = await visitor.post('/user/login', { user_name: 'ann', password: PASSWORD })
    assert.deepEqual([early.status, early.headers['location']], [303, '/user/activate'])
    const page = await visitor.get(`/user/activate?code=${code}`)
    assertStatus(page, 200)
    assert.match(page.text, /ann@example\.org is to be an address of the account ann/)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['referrer-policy'], 'same-origin')
    assertBareError(await call('ann'), 403, 'This account is not activated.')
    assertStatus(await visitor.post('/user/activate', { code }, fromElsewhere), 403)
    assertBareError(await call('ann'), 403, 'This account is not activated.')
    const done = await confirm(code)

    assertStatus(done, 200)
    assert.match(done.text, /Your address is confirmed/)
    assertStatus(await call('ann'), 200)
    await signIn(app, 'ann')
    assertStatus(await confirm(code), 404)
    assertStatus(await visitor.get(`/user/activate?code=${code}`), 404)
  })

  test('takes each code once, for a day, and none of another kind', async (t) => {
    const { mail, app, visitor, confirm, call } = await withConfirmation(t)
    await visitor.post('/user/sign_up', ann)
    const old = await codeFor(app, mail, 'ann@example.org')
    app.passTime(86_400)
    await visitor.post('/user/forgot_password', { email: 'root@example.org' })
    await app.ctx.jobs.runDue()
    const [, reset = ''] = /code=([\w-]{43})/.exec(mail.take()[0]?.text ?? '') ?? []
    assert.notEqual(reset, '')

    for (const code of [old, reset, '', 'x'.repeat(43)]) assertStatus(await confirm(code), 404)
    assertBareError(await call('ann'), 403, 'This account is not activated.')
    await visitor.post('/user/activate/resend', { email: 'ann@example.org' })
    const code = await codeFor(app, mail, 'ann@example.org')
    const answers = await Promise.all([confirm(code), confirm(code), confirm(code)])

    const statuses = answers.map(({ status }) => status)
    assert.deepEqual(
      statuses.sort((a, b) => a - b),
      [200, 404, 404],
    )
    assertStatus(await call('ann'), 200)
    assertStatus(await visitor.get(`/user/recover_account?code=${reset}`), 200)
  })

  test('mails again, saying the same to everybody, and not without end', async (t) => {
    const limits = { mail: { codes_per_hour: 3 } }
    const { mail, app, visitor } = await withConfirmation(t, limits)
    await visitor.post('/user/sign_up', ann)
    const again = (email: string) => visitor.post('/user/activate/resend', { email })

    const answers = []
    for (const name of ['ann', 'ann', 'nobody', 'root'])
      answers.push(await again(`${name}@example.org`))
    await app.ctx.jobs.runDue()

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const contents = answers.map(({ text }) => /<main.*<\/main>/s.exec(text)?.[0])
    assert.equal(new Set(contents).size, 1)
    assert.deepEqual(
      mail.take().map(({ to }) => to.join()),
      Array(3).fill('ann@example.org'),
    )
    const refused = await again('ann@example.org')
    assertStatus(refused, 429)
    assert.match(refused.text, /Too many tries/)
    for (const wrong of ['', 'x', 'a@b,c@d']) assertStatus(await again(wrong), 422)
    assertStatus(await visitor.post('/user/activate/resend', {}, fromElsewhere), 403)
  })

  test('does not switch on what an administrator has switched off', async (t) => {
    const { mail, app, root, visitor, confirm, call } = await withConfirmation(t)
    await visitor.post('/user/sign_up', ann)
    const first = await codeFor(app, mail, 'ann@example.org')
    assertStatus(await app.patch(root, '/admin/users/ann', { active: true }), 200)
    assertStatus(await call('ann'), 200)
    assertStatus(await app.patch(root, '/admin/users/ann', { active: false }), 200)

    assertStatus(await confirm(first), 404)
    await visitor.post('/user/activate/resend', { email: 'ann@example.org' })
    assert.deepEqual(await codesOf(app, mail), {})
    const refused = await visitor.post('/user/login', { user_name: 'ann', password: PASSWORD })
    assertStatus(refused, 422)
    assertBareError(await call('ann'), 403, 'This account is not activated.')
  })

  test('follows an address that an administrator corrects', async (t) => {
    const { mail, app, root, visitor, confirm, call } = await withConfirmation(t)
    await visitor.post('/user/sign_up', { ...ann, email: 'anm@example.org' })
    const wrong = await codeFor(app, mail, 'anm@example.org')

    await app.patch(root, '/admin/users/ann', { email: 'ann@example.org' })

    assertStatus(await confirm(wrong), 404)
    assertStatus(await confirm(await codeFor(app, mail, 'ann@example.org')), 200)
    assertStatus(await call('ann'), 200)
  })

  test('is asked neither of the first account nor of those that administrators make', async (t) => {
    const mail = await startMailServer(t)
    const app = await startApp(t, {
      users: { sign_up: true },
      security: { email_confirmation: true },
      mail: mail.settings,
    })
    const visitor = new Visitor(app)

    const first = await visitor.post('/user/sign_up', ann)
    assert.deepEqual([first.status, first.headers['location']], [303, '/'])
    const headers = { authorization: basic('ann', PASSWORD) }
    const bob = { username: 'bob', email: 'bob@example.org', password: PASSWORD }
    assertStatus(
      await app.post(undefined, '/admin/users', { ...bob, must_change_password: false }, headers),
      201,
    )

    const called = await app.get(undefined, '/user', { authorization: basic('bob', PASSWORD) })
    assertStatus(called, 200)
    assert.deepEqual(await codesOf(app, mail), {})
  })

  test('is not there where nothing is confirmed', async (t) => {
    const app = await startApp(t)
    const visitor = new Visitor(app)

    assertStatus(await visitor.get('/user/activate'), 404)
    assertStatus(await visitor.post('/user/activate/resend', { email: 'a@example.org' }), 404)
  })
})

async function addressesOf(app: TestApp, who: TestCaller): Promise<readonly string[]> {
  const { body } = await app.get(who, '/user/emails')
  return (body as { email: string }[]).map(({ email }) => email)
}

suite('an address that several say is theirs', () => {
  const address = 'ann@example.org'

  /** Two strangers before her: one signed up with it, one added it. */
  async function withStrangers(t: TestContext) {
    const world = await withConfirmation(t, { mail: { codes_per_hour: 10 } })
    const { app, visitor } = world
    const mallory = await app.addCaller('mallory')
    assertStatus(await visitor.post('/user/sign_up', { ...ann, user_name: 'eve' }), 303)
    assertStatus(await app.post(mallory, '/user/emails', { emails: [address] }), 201)
    assertStatus(await visitor.post('/user/sign_up', { ...ann, email: 'ANN@example.org' }), 303)
    return { ...world, mallory }
  }

  /** From the last mail, by the account that each is for. */
  async function codesByName(app: TestApp, mail: MailServer): Promise<Record<string, string>> {
    await app.ctx.jobs.runDue()
    const { text = '', to = [] } = confirmationsIn(mail).at(-1) ?? {}
    assert.equal(to.join().toLowerCase(), address)
    const each = text.matchAll(/The account (\w+) at .*?code=([\w-]{43})\n/gs)
    return Object.fromEntries([...each].map(([, name = '', code = '']) => [name, code]))
  }

  test('is whose who confirms it, and then nobody else can', async (t) => {
    const { mail, app, root, visitor, mallory, confirm, call } = await withStrangers(t)
    const codes = await codesByName(app, mail)
    assert.deepEqual(Object.keys(codes), ['ann', 'mallory', 'eve'])

    assertStatus(await confirm(codes['ann'] ?? ''), 200)

    assertStatus(await call('ann'), 200)
    for (const name of ['mallory', 'eve']) {
      const code = codes[name] ?? ''
      assertStatus(await visitor.get(`/user/activate?code=${code}`), 404)
      assertStatus(await confirm(code), 404)
    }
    assert.deepEqual(await addressesOf(app, mallory), ['mallory@example.org'])
    const again = await app.post(mallory, '/user/emails', { emails: [address] })
    assertError(again, 422, `Email address has been used: ${address}`)
    await visitor.post('/user/activate/resend', { email: address })
    assert.deepEqual(await codesOf(app, mail), {})
    const on = await app.patch(root, '/admin/users/eve', { active: true })
    assertError(on, 400, `e-mail already in use [email: ${address}]`)
    assertBareError(await call('eve'), 403, 'This account is not activated.')
    const other = { email: 'eve@example.org', active: true }
    assertStatus(await app.patch(root, '/admin/users/eve', other), 200)
    assertStatus(await call('eve'), 200)
  })

  test("is one person's when all confirm it at once", async (t) => {
    const { mail, app, root, confirm } = await withStrangers(t)
    const codes = Object.values(await codesByName(app, mail))

    const answers = await Promise.all(codes.map(confirm))

    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [200, 404, 404])
    const { body } = await app.get(root, `/admin/emails/search?q=${address}`)
    const verified = body.filter((one: { verified: boolean }) => one.verified)
    assert.equal(verified.length, 1)
  })

  test('goes to whom an administrator gives it', async (t) => {
    const { mail, app, root, mallory, confirm } = await withStrangers(t)
    const codes = await codesByName(app, mail)

    assertStatus(await app.patch(root, '/admin/users/mallory', { email: address }), 200)

    for (const name of ['ann', 'eve']) assertStatus(await confirm(codes[name] ?? ''), 404)
    const { body } = await app.get(mallory, '/user/emails')
    assert.deepEqual(body, [
      { email: address, verified: true, primary: true, user_id: 0, username: '' },
    ])
    const taken = await app.patch(root, '/admin/users/eve', { active: true })
    assertError(taken, 400, `e-mail already in use [email: ${address}]`)
  })

  test('is nobody else\u2019s when an administrator has made somebody with it', async (t) => {
    const { app, root, mallory } = await withStrangers(t)
    const cat = { username: 'cat', email: address, password: PASSWORD }

    assertStatus(await app.post(root, '/admin/users', cat), 201)

    assert.deepEqual(await addressesOf(app, mallory), ['mallory@example.org'])
  })

  test('is added once to an account', async (t) => {
    const { app, mallory } = await withStrangers(t)

    const again = await app.post(mallory, '/user/emails', { emails: ['Ann@Example.org'] })

    assertError(again, 422, 'Email address has been used: Ann@Example.org')
  })
})

suite('further addresses', () => {
  test('count when they are confirmed, however they were added', async (t) => {
    const { mail, app, visitor, confirm } = await withConfirmation(t)
    const eve = await app.addCaller('eve')
    const browser = await signIn(app, 'eve')
    const one = 'one@example.org'
    const two = 'two@example.org'
    const signsInAs = async (name: string) =>
      (await visitor.post('/user/login', { user_name: name, password: PASSWORD })).status === 303

    const added = await app.post(eve, '/user/emails', { emails: [one] })
    assertStatus(added, 201)
    assert.deepEqual(added.body, [
      { email: 'eve@example.org', verified: true, primary: true, user_id: 0, username: '' },
      { email: one, verified: false, primary: false, user_id: 0, username: '' },
    ])
    assertStatus(await browser.post('/user/settings/emails', { email: two }), 303)
    const codes = await codesOf(app, mail)
    assert.deepEqual(Object.keys(codes).sort(), [one, two])
    assert.deepEqual([await signsInAs(one), await signsInAs(two)], [false, false])
    assertStatus(await confirm(codes[one] ?? ''), 200)

    assert.deepEqual([await signsInAs(one), await signsInAs(two)], [true, false])
    const { body } = await app.get(eve, '/user/emails')
    assert.deepEqual(
      body.map(({ email, verified }: { email: string; verified: boolean }) => [email, verified]),
      [
        ['eve@example.org', true],
        [one, true],
        [two, false],
      ],
    )
    await app.delete(eve, '/user/emails', { emails: [two] })
    assertStatus(await confirm(codes[two] ?? ''), 404)
  })

  test('are confirmed by somebody who is shown as signed in', async (t) => {
    const { app, mail } = await withConfirmation(t)
    await app.addPerson('ann')
    const byAnn = await signIn(app, 'ann')
    await byAnn.post('/user/settings/emails', { email: 'second@example.org' })
    const code = await codeFor(app, mail, 'second@example.org')

    for (const shown of [
      await byAnn.get(`/user/activate?code=${code}`),
      await byAnn.get('/user/activate'),
      await byAnn.post('/user/activate', { code }),
      await byAnn.post('/user/activate', { code }),
      await byAnn.post('/user/activate/resend', { email: 'x' }),
    ]) {
      assert.match(shown.text, /Signed in as <b>ann<\/b>/)
    }
  })

  test('are mailed again from the settings, to their owner alone', async (t) => {
    const { mail, app, confirm } = await withConfirmation(t)
    const eve = await app.addCaller('eve')
    await app.addPerson('bob')
    await app.post(eve, '/user/emails', { emails: ['one@example.org'] })
    await codesOf(app, mail)
    const [byEve, byBob] = [await signIn(app, 'eve'), await signIn(app, 'bob')]
    const again = (by: Visitor, email: string) =>
      by.post('/user/settings/emails/confirm', { email })

    assert.match(
      (await byEve.get('/user/settings/emails')).text,
      /Further, not confirmed.*Mail me again/s,
    )
    assertStatus(await again(byBob, 'one@example.org'), 404)
    assertStatus(await again(byEve, 'eve@example.org'), 404)
    assert.deepEqual(await codesOf(app, mail), {})
    assertStatus(await again(byEve, 'one@example.org'), 303)
    assertStatus(await confirm(await codeFor(app, mail, 'one@example.org')), 200)
    assert.doesNotMatch((await byEve.get('/user/settings/emails')).text, /Mail me again/)
  })

  test('do not make the server flood anybody', async (t) => {
    const { mail, app } = await withConfirmation(t, { mail: { codes_per_hour: 2 } })
    const eve = await app.addCaller('eve')
    const bob = await app.addCaller('bob')
    const victim = { emails: ['victim@example.org'] }

    for (const who of [eve, bob, eve]) {
      assertStatus(await app.post(who, '/user/emails', victim), 201)
      assertStatus(await app.delete(who, '/user/emails', victim), 204)
      await app.post(who, '/user/emails', victim)
      await app.ctx.jobs.runDue()
      await app.delete(who, '/user/emails', victim)
    }
    const others = [1, 2, 3].map((number) => `other${number}@example.org`)
    assertStatus(await app.post(bob, '/user/emails', { emails: others }), 201)
    await app.ctx.jobs.runDue()

    assert.equal(confirmationsIn(mail).length, 2)
  })

  test('count at once where nothing is confirmed', async (t) => {
    const mail = await startMailServer(t)
    const app = await startApp(t, { mail: mail.settings })
    const eve = await app.addCaller('eve')

    const { body } = await app.post(eve, '/user/emails', { emails: ['one@example.org'] })
    await app.ctx.jobs.runDue()

    assert.equal(body[1].verified, true)
    assert.deepEqual(confirmationsIn(mail), [])
  })
})
