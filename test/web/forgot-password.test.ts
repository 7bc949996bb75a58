// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import { updateTotpSecret } from '../../src/identity/auth/queries.ts'
import { totpCode } from '../../src/identity/auth/totp.ts'
import { PASSWORD, startApp, type TestAnswer, type TestApp } from '../support/app.ts'
import type { ConfigChanges } from '../../src/platform/config/config.ts'
import { assertStatus } from '../support/expect.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { enrol } from './security-keys.ts'
import { fromElsewhere, signIn, Visitor, type Fields } from './support.ts'

const next = 'another 1'

async function withMail(t: TestContext, changes: ConfigChanges = {}, log?: FastifyBaseLogger) {
  const mail = await startMailServer(t)
  const app = await startApp(t, { ...changes, mail: { ...mail.settings, ...changes.mail } }, log)
  const visitor = new Visitor(app)
  const ask = (fields: Fields) => visitor.post('/user/forgot_password', fields)
  const recover = (code: string, changed: Record<string, string> = {}) =>
    visitor.post('/user/recover_account', { code, password: next, retype: next, ...changed })
  return { mail, app, visitor, ask, recover }
}

/** What is not about this very request. */
function contentOf({ text }: TestAnswer): string {
  return /<main.*<\/main>/s.exec(text)?.[0] ?? ''
}

/** The code of the last mail that has arrived. */
async function codeOf(app: TestApp, mail: MailServer): Promise<string> {
  await app.ctx.jobs.runDue()
  const [received] = mail.take().slice(-1)
  const [, code = ''] = /recover_account\?code=([\w-]{43})\n/.exec(received?.text ?? '') ?? []
  assert.notEqual(code, '', 'there is no mail with a code')
  return code
}

async function signsIn(app: TestApp, name: string, password: string): Promise<boolean> {
  const fields = { user_name: name, password }
  return (await new Visitor(app).post('/user/login', fields)).status === 303
}

suite('/user/forgot_password', () => {
  test('mails a link to the stored address, by which a new password is set', async (t) => {
    const { mail, app, visitor, ask, recover } = await withMail(t)
    await app.addPerson('ann', { email: 'Ann@example.org' })
    const before = await signIn(app, 'ann')
    const signInPage = await visitor.get('/user/login')
    assert.match(signInPage.text, /href="\/user\/forgot_password"/)
    assert.match((await visitor.get('/user/forgot_password')).text, /name="email"/)

    assertStatus(await ask({ email: 'ann@EXAMPLE.org' }), 200)
    await app.ctx.jobs.runDue()
    const [received] = mail.mails
    assert.deepEqual(received?.to, ['Ann@example.org'])
    assert.match(received?.text ?? '', /the account ann at http:\/\/codestead\.test\./)
    const code = await codeOf(app, mail)
    const page = await visitor.get(`/user/recover_account?code=${code}`)
    assertStatus(page, 200)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['referrer-policy'], 'same-origin')
    assert.doesNotMatch(page.text, /one_time_code/)
    const done = await recover(code)

    assertStatus(done, 200)
    assert.match(done.text, /Your password is changed/)
    assert.deepEqual(
      [await signsIn(app, 'ann', PASSWORD), await signsIn(app, 'ann', next)],
      [false, true],
    )
    assertStatus(await before.get('/user/settings'), 303)
  })

  test('says the same whoever has the address, and mails only people who have confirmed it', async (t) => {
    const { mail, app, ask } = await withMail(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/emails', { emails: ['unconfirmed@example.org'] })
    await app.post(ann, '/orgs', { username: 'org', email: 'org@example.org' })
    // Of the address that was added.
    await app.ctx.jobs.runDue()
    mail.take()
    await app.addPerson('barred')
    await app.addPerson('inactive')
    const { db } = app.ctx
    const set = (name: string, state: object) =>
      db.updateTable('account').set(state).where('name', '=', name).execute()
    await set('barred', { prohibit_login: 1 })
    await set('inactive', { is_active: 0 })
    await db
      .updateTable('email_address')
      .set({ is_activated: 0 })
      .where('address', '=', 'unconfirmed@example.org')
      .execute()

    const said = await ask({ email: 'ann@example.org' })
    await app.ctx.jobs.runDue()
    assert.equal(mail.take().length, 1)
    for (const name of ['nobody', 'unconfirmed', 'barred', 'inactive', 'org', 'ann+x', 'xann']) {
      const answer = await ask({ email: `${name}@example.org` })
      assert.deepEqual([answer.status, contentOf(answer)], [said.status, contentOf(said)], name)
    }
    await app.ctx.jobs.runDue()

    assert.deepEqual(mail.take(), [])
    assert.deepEqual(await db.selectFrom('job').selectAll().execute(), [])
  })

  test('mails the primary address, whichever of somebody’s is typed, and no more often', async (t) => {
    const { mail, app, ask, recover } = await withMail(t, { mail: { codes_per_hour: 2 } })
    const ann = await app.addPerson('ann', { isAdmin: true })
    const token = await app.withToken(ann, ['write:user'])
    const added = ['eve@example.org', 'eve@example.net']
    assertStatus(await app.post(token, '/user/emails', { emails: added }), 201)
    await app.ctx.jobs.runDue()
    mail.take()

    for (const email of [...added, ...added]) assertStatus(await ask({ email }), 200)
    await app.ctx.jobs.runDue()

    const resets = mail.mails.filter(({ text }) => text.includes('recover_account'))
    assert.deepEqual(
      resets.map(({ to }) => to),
      [['ann@example.org'], ['ann@example.org']],
    )
    assertStatus(await ask({ email: 'ann@example.org' }), 429)
    assertStatus(await recover(await codeOf(app, mail)), 200)
  })

  test('takes one address, and no list', async (t) => {
    const { mail, app, ask } = await withMail(t)
    for (const name of ['ann', 'eve']) await app.addPerson(name)
    const [ann, eve] = ['ann@example.org', 'eve@example.org']
    const wrong: Fields[] = [
      [
        ['email', ann],
        ['email', eve],
      ],
      [
        ['email[]', ann],
        ['email[]', eve],
      ],
      { email: `${ann},${eve}` },
      { email: `${ann}\r\nBcc: ${eve}` },
      { email: `${ann}\0` },
      { email: '' },
      {},
    ]

    for (const fields of wrong) assertStatus(await ask(fields), 422)
    await app.ctx.jobs.runDue()

    assert.deepEqual(mail.take(), [])
  })

  test('takes nothing from elsewhere', async (t) => {
    const { mail, app, visitor, ask } = await withMail(t)
    await app.addPerson('ann')
    const ann = { email: 'ann@example.org' }

    assertStatus(await visitor.post('/user/forgot_password', ann, fromElsewhere), 403)
    await app.ctx.jobs.runDue()
    assert.deepEqual(mail.take(), [])
    assertStatus(await ask(ann), 200)
    const code = await codeOf(app, mail)
    const fields = { code, password: next, retype: next }
    assertStatus(await visitor.post('/user/recover_account', fields, fromElsewhere), 403)
    assert.equal(await signsIn(app, 'ann', PASSWORD), true)
  })

  test('makes its links from the settings, whatever host is asked for', async (t) => {
    const { mail, app, visitor } = await withMail(t)
    await app.addPerson('ann')

    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    await visitor.post('/user/forgot_password', { email: 'ann@example.org' }, headers)
    await app.ctx.jobs.runDue()

    const [received] = mail.take()
    assert.match(received?.text ?? '', /http:\/\/codestead\.test\/user\/recover_account/)
    assert.doesNotMatch(received?.raw ?? '', /evil/)
  })

  test('is limited for each address, and for each network, as signing in is', async (t) => {
    const security = { failures_per_address: 5 }
    const { mail, app, ask } = await withMail(t, { security, mail: { codes_per_hour: 2 } })
    await app.addPerson('ann')

    for (const status of [200, 200, 429]) {
      assertStatus(await ask({ email: 'ann@example.org' }), status)
      await app.ctx.jobs.runDue()
    }
    assert.equal(mail.take().length, 2)
    for (const status of [200, 200, 429]) {
      assertStatus(await ask({ email: `nobody${status}@example.org` }), status)
    }
    const refused = await ask({ email: 'other@example.org' })
    assert.match(refused.headers['retry-after'] ?? '', /^\d+$/)
    assert.match(refused.text, /Too many tries/)
    assert.equal(await signsIn(app, 'ann', PASSWORD), true)
    app.passTime(3600)
    assertStatus(await ask({ email: 'ann@example.org' }), 200)
  })

  test('leaves no code in the database, nor in the log', async (t) => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
    const { mail, app, ask, visitor, recover } = await withMail(t, {}, log)
    await app.addPerson('ann')
    await ask({ email: 'ann@example.org' })
    const jobs = JSON.stringify(await app.ctx.db.selectFrom('job').selectAll().execute())
    const code = await codeOf(app, mail)
    await visitor.get(`/user/recover_account?code=${code}`)

    const codes = await app.ctx.db.selectFrom('mail_code').selectAll().execute()
    await recover(code)
    const after = await app.ctx.db.selectFrom('mail_code').selectAll().execute()

    assert.equal(codes.length, 1)
    assert.deepEqual(after, [])
    assert.match(lines.join(), /recover_account/)
    for (const text of [jobs, JSON.stringify(codes), lines.join()]) assert.ok(!text.includes(code))
  })

  test('says that administrators set passwords where no mail is sent', async (t) => {
    const app = await startApp(t)
    const visitor = new Visitor(app)

    const page = await visitor.get('/user/forgot_password')
    const asked = await visitor.post('/user/forgot_password', { email: 'ann@example.org' })

    assertStatus(page, 200)
    assertStatus(asked, 403)
    for (const { text } of [page, asked]) assert.match(text, /administrators: they set passwords/)
    assert.match((await visitor.get('/user/login')).text, /href="\/user\/forgot_password"/)
    assert.deepEqual(await app.ctx.db.selectFrom('job').selectAll().execute(), [])
  })
})

suite('/user/recover_account', () => {
  test('shows who is signed in, as long as they are', async (t) => {
    const { mail, app, ask } = await withMail(t)
    await app.addPerson('ann')
    await app.addPerson('bob')
    const [byAnn, byBob] = [await signIn(app, 'ann'), await signIn(app, 'bob')]
    await ask({ email: 'ann@example.org' })
    const code = await codeOf(app, mail)
    const path = '/user/recover_account'
    const wish = { code, password: next, retype: next }

    for (const shown of [
      await byBob.get(`${path}?code=${code}`),
      await byBob.get(`${path}?code=none`),
      await byBob.post(path, { ...wish, retype: 'x' }),
      await byBob.post(path, wish, fromElsewhere),
    ]) {
      assert.match(shown.text, /Signed in as <b>bob<\/b>/)
    }
    assert.match((await byAnn.get(`${path}?code=${code}`)).text, /Signed in as <b>ann<\/b>/)
    const done = await byAnn.post(path, wish)
    assert.match(done.text, /Your password is changed/)
    assert.doesNotMatch(done.text, /Signed in as/)
    assertStatus(await byBob.get('/user/settings'), 200)
  })

  test('takes each code once, also when it comes twice at once', async (t) => {
    const { mail, app, ask, recover } = await withMail(t)
    await app.addPerson('ann')
    await ask({ email: 'ann@example.org' })
    const code = await codeOf(app, mail)

    const answers = await Promise.all(
      ['first 11', 'second 2', 'third 33'].map((password) =>
        recover(code, { password, retype: password }),
      ),
    )

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 404, 404],
    )
    const late = await recover(code)
    assertStatus(late, 404)
    assert.match(late.text, /does not work any more/)
    assert.equal(await signsIn(app, 'ann', next), false)
  })

  test('takes no code that is older than an hour, of others, or of an address that is gone', async (t) => {
    const { mail, app, ask, recover, visitor } = await withMail(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.addPerson('eve')
    const fresh = async (email: string) => {
      await ask({ email })
      return codeOf(app, mail)
    }
    const removed = await fresh('ann@example.org')
    assertStatus(await app.patch(root, '/admin/users/ann', { email: 'further@example.org' }), 200)
    assertStatus(await recover(removed), 404)
    await app.patch(root, '/admin/users/ann', { email: 'ann@example.org' })
    const old = await fresh('ann@example.org')
    app.passTime(3000)
    assertStatus(await visitor.get(`/user/recover_account?code=${old}`), 200)
    app.passTime(600)
    const ofEve = await fresh('eve@example.org')

    for (const code of [removed, old, ofEve.toLowerCase(), `${ofEve}x`, '', 'x']) {
      assertStatus(await recover(code), 404)
      const query = encodeURIComponent(code)
      assertStatus(await visitor.get(`/user/recover_account?code=${query}`), 404)
    }
    assertStatus(await recover(ofEve, { user_name: 'ann' }), 200)
    assert.deepEqual(
      [await signsIn(app, 'ann', PASSWORD), await signsIn(app, 'eve', next)],
      [true, true],
    )
    await app.ctx.schedule.runNow('forget_expired_credentials')
    await app.ctx.schedule.stop()
    assert.deepEqual(await app.ctx.db.selectFrom('mail_code').selectAll().execute(), [])
  })

  test('takes no code from before the password was changed, by whomever', async (t) => {
    const { mail, app, ask, recover, visitor } = await withMail(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    const changes: (() => Promise<unknown>)[] = [
      () => app.patch(root, '/admin/users/ann', { password: 'by root 1' }),
      () =>
        visitor.post('/user/change_password', {
          user_name: 'ann',
          old_password: 'by root 1',
          password: 'by ann 1',
          retype: 'by ann 1',
        }),
    ]

    for (const change of changes) {
      await ask({ email: 'ann@example.org' })
      const code = await codeOf(app, mail)
      await change()
      assertStatus(await recover(code), 404)
    }
    await ask({ email: 'ann@example.org' })
    const one = await codeOf(app, mail)
    await ask({ email: 'ann@example.org' })
    const another = await codeOf(app, mail)
    assertStatus(await recover(one), 200)
    assertStatus(await recover(another), 404)
    assert.equal(await signsIn(app, 'ann', next), true)
  })

  test('takes no code of an account that may not be used any more', async (t) => {
    const { mail, app, ask, recover } = await withMail(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await ask({ email: 'ann@example.org' })
    const code = await codeOf(app, mail)

    for (const state of [{ active: false }, { active: true, prohibit_login: true }]) {
      await app.patch(root, '/admin/users/ann', state)
      assertStatus(await recover(code), 404)
    }
  })

  test('asks for the second factor, which cannot be guessed, and for a password that is good', async (t) => {
    const { mail, app, ask, recover, visitor } = await withMail(t, {
      security: { failures_per_account: 2 },
    })
    const ann = await app.addPerson('ann')
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    await updateTotpSecret(app.ctx.db, ann.id, app.ctx.secrets.seal('totp', secret))
    await ask({ email: 'ann@example.org' })
    const code = await codeOf(app, mail)
    const page = await visitor.get(`/user/recover_account?code=${code}`)
    assert.match(page.text, /name="one_time_code"/)
    const factor = () => ({ one_time_code: totpCode(secret, Math.floor(app.ctx.now() / 30)) })

    const bad: [Record<string, string>, RegExp][] = [
      [{ password: 'short', retype: 'short' }, /The password must have at least 6 characters\./],
      [{ retype: 'other' }, /The two passwords differ\./],
      [{}, /This one-time code is not the one\./],
      [{ one_time_code: '000000x' }, /This one-time code is not the one\./],
    ]
    for (const [changed, why] of bad) {
      const refused = await recover(code, changed)
      assertStatus(refused, 422)
      assert.match(refused.text, why)
      assert.doesNotMatch(refused.text, /another 1/)
    }
    const locked = await recover(code, factor())
    assertStatus(locked, 429)
    assert.match(locked.text, /Too many tries/)
    assert.match(locked.headers['retry-after'] ?? '', /^\d+$/)
    app.passTime(900)
    assertStatus(await recover(code, factor()), 200)
  })

  test('asks who has a security key for a recovery code', async (t) => {
    const { mail, app, ask, recover, visitor } = await withMail(t)
    await app.addPerson('ann')
    const { codes } = await enrol(await signIn(app, 'ann'))
    await ask({ email: 'ann@example.org' })
    const code = await codeOf(app, mail)

    assert.match((await visitor.get(`/user/recover_account?code=${code}`)).text, /one_time_code/)
    assertStatus(await recover(code), 422)
    assertStatus(await recover(code, { one_time_code: codes[0] ?? '' }), 200)
  })
})
