// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateTotpSecret } from '../../src/identity/auth/queries.ts'
import { enableSecondFactor } from '../../src/identity/auth/second-factor.ts'
import { totpCode } from '../../src/identity/auth/totp.ts'
import { configWith } from '../../src/platform/config/config.ts'
import { localPath } from '../../src/web/local-path.ts'
import { PASSWORD, startApp, type Headers, type TestApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { doOnceVerified } from '../support/meanwhile.ts'

const here = { 'sec-fetch-site': 'same-origin' }
const type = { 'content-type': 'application/x-www-form-urlencoded' }
const DAY = 86_400

function submit(app: TestApp, changes: Record<string, string> = {}, headers: Headers = here) {
  const form = new URLSearchParams({ user_name: 'ann', password: PASSWORD, ...changes })
  return app.post(undefined, '^/user/login', form.toString(), { ...type, ...headers })
}

/** The cookie of a session, as a browser sends it back. */
function cookieOf({ headers }: { headers: Readonly<Record<string, unknown>> }): Headers {
  const [cookie = ''] = [headers['set-cookie']].flat()
  return { cookie: String(cookie).split(';')[0] ?? '' }
}

async function isSignedIn(app: TestApp, cookie: Headers): Promise<boolean> {
  // Who is signed in is led away from the form.
  const { status } = await app.get(undefined, '^/user/login', cookie)
  assert.ok(status === 200 || status === 303)
  return status === 303
}

const countSessions = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('session').selectAll().execute()).length

suite('/user/login', () => {
  test('signs in by name or address, with a cookie that scripts and other sites do not get', async (t) => {
    const app = await startApp(t)
    const ann = await app.addPerson('ann')
    const page = await app.get(undefined, '^/user/login')
    assertStatus(page, 200)
    assert.match(page.text, /name="user_name"[^]*name="password"[^]*name="one_time_code"/)

    const answer = await submit(app)

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/')
    assert.match(
      String(answer.headers['set-cookie']),
      /^codestead_session=[\w-]{43}; Path=\/; Max-Age=\d+; SameSite=Lax; HttpOnly$/,
    )
    assert.equal(await isSignedIn(app, cookieOf(answer)), true)
    assert.equal(await isSignedIn(app, {}), false)
    assertStatus(await submit(app, { user_name: 'ANN@example.org' }), 303)
    const row = await app.ctx.db
      .selectFrom('account')
      .select('last_login_at')
      .where('id', '=', ann.id)
      .executeTakeFirstOrThrow()
    assert.ok(row.last_login_at > 0)
  })

  test('keeps its cookie to https and to its own path, by the name where it can', async (t) => {
    const whole = await startApp(t, { server: { url: 'https://forge.example' } })
    const part = await startApp(t, { server: { url: 'https://forge.example/sub' } })
    for (const app of [whole, part]) await app.addPerson('ann')

    const [first, second] = [await submit(whole), await submit(part)]

    assert.match(
      String(first.headers['set-cookie']),
      /^__Host-codestead_session=.*; Path=\/; .*; Secure$/,
    )
    assert.match(
      String(second.headers['set-cookie']),
      /^__Secure-codestead_session=.*; Path=\/sub; .*; Secure$/,
    )
    assert.equal(second.headers['location'], '/sub/')
  })

  test('refuses what is wrong in the same words, and counts it', async (t) => {
    const app = await startApp(t, { security: { failures_per_address: 7 } })
    await app.addPerson('ann')
    for (const [name, state] of Object.entries({
      barred: { prohibit_login: 1 },
      inactive: { is_active: 0 },
    } as const)) {
      const { id } = await app.addPerson(name)
      await app.ctx.db.updateTable('account').set(state).where('id', '=', id).execute()
    }
    const wrong = [
      { password: 'wrong' },
      { password: '' },
      { user_name: 'nobody' },
      { user_name: '"><script>alert(1)</script>' },
      { user_name: 'barred' },
      { user_name: 'inactive' },
    ]

    for (const changes of wrong) {
      const answer = await submit(app, changes)
      assertStatus(answer, 422)
      assert.ok(answer.text.includes('Name, password and one-time code do not fit together.'))
      assert.doesNotMatch(answer.text, /<script>|password1/)
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    assertStatus(await submit(app, { password: 'wrong' }), 422)
    assertStatus(await submit(app, { password: 'wrong' }), 422)
    const limited = await submit(app)
    assertStatus(limited, 429)
    assert.match(limited.text, /Too many tries/)
    assert.ok(Number(limited.headers['retry-after']) > 0)
    assert.equal(await countSessions(app), 0)
  })

  test('asks for the second factor, once for each code', async (t) => {
    const app = await startApp(t)
    const ann = await app.addPerson('ann')
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    await updateTotpSecret(app.ctx.db, ann.id, app.ctx.secrets.seal('totp', secret))
    const code = { one_time_code: totpCode(secret, Math.floor(app.ctx.now() / 30)) }

    assertStatus(await submit(app, { one_time_code: '000000' }), 422)
    assertStatus(await submit(app, code), 303)
    assertStatus(await submit(app, code), 422)
  })

  test('leads those who must change their password there, and lets them in nowhere else', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    const before = cookieOf(await submit(app))
    await app.patch(root, '/admin/users/ann', { must_change_password: true })

    const answer = await submit(app)

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/user/change_password')
    assert.equal(answer.headers['set-cookie'], undefined)
    assert.equal(await isSignedIn(app, before), false)
  })

  test('leads to paths of this server only', async (t) => {
    const app = await startApp(t, { server: { url: 'http://codestead.test/sub' } })
    await app.addPerson('ann')
    const corpus = [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '/sub/../\\evil.example',
      '/sub/%5cevil.example',
      '/sub/%09/evil.example',
      '/\t/evil.example',
      '/sub/\r\nset-cookie: a=b',
      'https:evil.example',
      'https://evil.example/sub/',
      'javascript:alert(1)',
      'evil.example',
      '/sub/../../other',
      '/other',
      '/sub@evil.example',
      '/sub/%E0%A4%A',
      '/sub/..//evil.example',
      `/sub/${'a'.repeat(5000)}`,
    ]

    for (const path of corpus) {
      const answer = await submit(app, { redirect_to: path })
      assert.equal(answer.headers['location'], '/sub/', path)
      const query = new URLSearchParams({ redirect_to: path }).toString()
      const page = await app.get(undefined, `^/user/login?${query}`)
      assert.match(page.text, /name="redirect_to" value="\/sub\/"/, path)
    }
    const good = await submit(app, { redirect_to: '/sub/ann/r/issues?q=a%20b&state=open' })
    assert.equal(good.headers['location'], '/sub/ann/r/issues?q=a%20b&state=open')
    const plain = configWith('/nowhere', { server: { url: 'http://codestead.test' } })
    assert.equal(localPath(plain, '//evil.example'), '/')
    assert.equal(localPath(plain, '/..//evil.example'), '/')
    assert.equal(localPath(plain, '/ann/r'), '/ann/r')
  })

  test('refuses forms that other sites send', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const cookie = cookieOf(await submit(app))
    const foreign: Headers[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ]

    for (const headers of foreign) assertStatus(await submit(app, {}, headers), 403)
    for (const headers of [...foreign, {}]) {
      const out = await app.post(undefined, '^/user/logout', '', { ...type, ...cookie, ...headers })
      assertStatus(out, 403)
    }
    assert.equal(await isSignedIn(app, cookie), true)
    assertStatus(await submit(app, {}, { origin: 'http://codestead.test' }), 303)
  })

  test('takes the form of a program, which says nothing of where it comes from', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')

    const answer = await submit(app, {}, {})

    assertStatus(answer, 303)
    assert.equal(await isSignedIn(app, cookieOf(answer)), true)
    assertStatus(await submit(app, { password: 'wrong' }, {}), 422)
  })
})

suite('a session', () => {
  test('has a new secret at each sign-in, and the one before is over', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const planted = { cookie: `codestead_session=${'a'.repeat(43)}` }

    const first = cookieOf(await submit(app, {}, { ...here, ...planted }))
    const second = cookieOf(await submit(app, {}, { ...here, ...first }))

    assert.notEqual(first['cookie'], planted['cookie'])
    assert.notEqual(second['cookie'], first['cookie'])
    assert.equal(await isSignedIn(app, planted), false)
    assert.equal(await isSignedIn(app, first), false)
    assert.equal(await isSignedIn(app, second), true)
  })

  test('cannot be made from what the database keeps, nor of anything else', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const [, secret = ''] = (cookieOf(await submit(app))['cookie'] ?? '').split('=')
    const { hash } = await app.ctx.db.selectFrom('session').select('hash').executeTakeFirstOrThrow()

    assert.ok(!hash.includes(secret))
    for (const value of [hash, hash.slice(0, 43), '../../x', '', `${secret}a`, `a; ${secret}`]) {
      assert.equal(await isSignedIn(app, { cookie: `codestead_session=${value}` }), false, value)
    }
    const long = { cookie: `a=${'b'.repeat(9000)}; codestead_session=${secret}` }
    assert.equal(await isSignedIn(app, long), false)
  })

  test('is over after signing out, whoever kept the cookie', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const [cookie, elsewhere] = [cookieOf(await submit(app)), cookieOf(await submit(app))]
    assertStatus(await app.get(undefined, '^/user/logout', cookie), 404)

    const answer = await app.post(undefined, '^/user/logout', '', { ...type, ...here, ...cookie })

    assertStatus(answer, 303)
    assert.match(String(answer.headers['set-cookie']), /^codestead_session=; .*Max-Age=0/)
    assert.equal(await isSignedIn(app, cookie), false)
    assert.equal(await isSignedIn(app, elsewhere), true)
  })

  test('ends with the password, with the right to sign in and with the account', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const edit = (changes: object) => app.patch(root, '/admin/users/ann', changes)
    const change = {
      user_name: 'ann',
      old_password: PASSWORD,
      password: 'another 1',
      retype: 'another 1',
    }
    const ends: Record<string, () => Promise<unknown>> = {
      'own change': () =>
        app.post(undefined, '^/user/change_password', new URLSearchParams(change).toString(), type),
      'change by an administrator': () => edit({ password: 'another 1' }),
      'a second factor': async () => {
        const { ctx } = app
        const ann = ctx.db.selectFrom('account').selectAll().where('name', '=', 'ann')
        const { id } = await ann.executeTakeFirstOrThrow()
        await enableSecondFactor(ctx, { ...root.account, id, totpSecret: '' })
      },
      prohibited: () => edit({ prohibit_login: true }),
      deactivated: () => edit({ active: false }),
      deleted: () => app.delete(root, '/admin/users/ann'),
    }

    for (const [way, end] of Object.entries(ends)) {
      await app.addPerson('ann')
      const cookie = cookieOf(await submit(app))
      assert.equal(await isSignedIn(app, cookie), true, way)
      await end()
      assert.equal(await isSignedIn(app, cookie), false, way)
      assert.equal(await countSessions(app), 0, way)
      await app.delete(root, '/admin/users/ann')
    }
  })

  test('does not begin with a password that is changed in the same moment', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    doOnceVerified(t, app, () => app.patch(root, '/admin/users/ann', { password: 'another 1' }))

    const answer = await submit(app)

    assertStatus(answer, 422)
    assert.equal(await countSessions(app), 0)
  })

  test('lasts thirty days from its last use, and is then forgotten', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const [used, unused] = [cookieOf(await submit(app)), cookieOf(await submit(app))]

    for (const days of [20, 20]) {
      app.passTime(days * DAY)
      assert.equal(await isSignedIn(app, used), true)
    }
    assert.equal(await isSignedIn(app, unused), false)
    assert.equal(await countSessions(app), 2)
    await app.ctx.schedule.runNow('forget_expired_credentials')
    await app.ctx.schedule.stop()
    assert.equal(await countSessions(app), 1)
    app.passTime(31 * DAY)
    assert.equal(await isSignedIn(app, used), false)
  })

  test('is no credential for the API, for git or for programs', async (t) => {
    const app = await startApp(t, { lfs: { enabled: true } })
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'r', private: true, auto_init: true })
    const cookie = { ...here, ...cookieOf(await submit(app)) }

    assertStatus(await app.get(undefined, '/user', cookie), 401)
    assertStatus(await app.get(undefined, '/repos/ann/r', cookie), 404)
    assertStatus(await app.post(undefined, '/user/repos', { name: 'x' }, cookie), 401)
    for (const path of [
      'info/refs?service=git-upload-pack',
      'info/refs?service=git-receive-pack',
    ]) {
      assertStatus(await app.get(undefined, `^/ann/r.git/${path}`, cookie), 401)
    }
    const batch = { operation: 'download', objects: [{ oid: 'a'.repeat(64), size: 1 }] }
    const lfs = { ...cookie, accept: 'application/vnd.git-lfs+json' }
    assertStatus(await app.post(undefined, '^/ann/r.git/info/lfs/objects/batch', batch, lfs), 401)
  })

  test('comes with a new account', async (t) => {
    const app = await startApp(t, { users: { sign_up: true } })
    const form = {
      user_name: 'ann',
      email: 'ann@example.org',
      password: PASSWORD,
      retype: PASSWORD,
    }

    const answer = await app.post(
      undefined,
      '^/user/sign_up',
      new URLSearchParams(form).toString(),
      type,
    )

    assertStatus(answer, 303)
    assert.equal(await isSignedIn(app, cookieOf(answer)), true)
  })
})
