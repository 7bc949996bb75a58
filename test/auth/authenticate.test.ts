import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { totpCode } from '../../src/auth/totp.ts'
import { updateTotpSecret } from '../../src/auth/queries.ts'
import { basic, PASSWORD, startApp, type TestApp, type TestCaller } from '../support/app.ts'
import { assertBareError, assertError, assertStatus } from '../support/expect.ts'
import { countStatements } from '../support/statements.ts'

const REFUSED = 'invalid username, password or token'
const secretOf = ({ headers }: TestCaller) => (headers['authorization'] ?? '').replace('token ', '')
const with_ = (authorization: string) => ({ authorization })

const PROHIBITED =
  'This account is prohibited from signing in, please contact your site administrator.'

suite('credentials', () => {
  test('a password, or a token in any of its forms, opens the account', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const token = secretOf(ann)

    for (const authorization of [
      basic('ann', PASSWORD),
      basic('ANN', PASSWORD),
      basic('ann@example.org', PASSWORD),
      basic('Ann@Example.org', PASSWORD),
      `token ${token}`,
      `Token ${token}`,
      `bearer ${token}`,
      `BEARER ${token}`,
      `Bearer  ${token}`,
      basic('anything', token),
      basic(token, ''),
      basic(token, 'x-oauth-basic'),
    ]) {
      const answer = await app.get(undefined, '/user', with_(authorization))
      assertStatus(answer, 200)
      assert.equal(answer.body.login, 'ann')
    }
  })

  test('a wrong credential is refused on every route, in the same words', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const token = secretOf(ann)
    const answers = []

    for (const authorization of [
      basic('ann', 'wrong'),
      basic('ann', ''),
      basic('nobody', PASSWORD),
      basic('', ''),
      basic('ann', 'x'.repeat(100_000)),
      'token wrong',
      `token ${'0'.repeat(40)}`,
      `token ${token.toUpperCase()}`,
      `token ${token.slice(0, 39)}`,
      'Bearer a.b.c',
    ]) {
      answers.push(await app.get(undefined, '/version', with_(authorization)))
    }

    for (const answer of answers) {
      assertError(answer, 401, REFUSED)
      assert.equal(answer.headers['www-authenticate'], undefined)
      assert.equal(answer.text, answers[0]?.text)
    }
  })

  test('a header that cannot be read counts as none', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')

    for (const value of [
      'Bearer a b c',
      'Digest abc',
      'token',
      'Basic !!!',
      `${basic('ann', PASSWORD)}*`,
      basic('ann', PASSWORD).replace(/=+$/, ''),
      `Basic ${Buffer.from('nocolon').toString('base64')}`,
      '',
    ]) {
      assertStatus(await app.get(undefined, '/version', with_(value)), 200)
      assertError(await app.get(undefined, '/user', with_(value)), 401, 'token is required')
    }
  })

  test('a token in the query signs in, hides one in the header, and carries a warning', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    for (const name of ['token', 'access_token']) {
      const answer = await app.get(undefined, `/user?${name}=${secretOf(ann)}`)
      assert.equal(answer.body.login, 'ann')
      assert.match(answer.headers['x-service-warning'] ?? '', /deprecated/)
    }
    assert.equal((await app.get(bob, `/user?token=${secretOf(ann)}`)).body.login, 'ann')
    assertError(await app.get(bob, '/user?token=wrong'), 401, REFUSED)
    const later = await app.get(bob, `/user?token=&access_token=${secretOf(ann)}`)
    assert.equal(later.body.login, 'ann')
    const empty = await app.get(bob, '/user?token=&access_token=')
    assert.deepEqual([empty.body.login, empty.headers['x-service-warning']], ['bob', undefined])
    assert.equal((await app.get(bob, '/user')).headers['x-service-warning'], undefined)
  })

  test('a right password makes up for a wrong token in the query', async (t) => {
    const app = await startApp(t)
    await app.addCaller('ann')

    const answer = await app.get(undefined, '/user?token=wrong', with_(basic('ann', PASSWORD)))

    assert.equal(answer.body.login, 'ann')
  })

  test('query tokens can be switched off, and are then ignored with the same warning', async (t) => {
    const app = await startApp(t, { security: { query_tokens: false } })
    const ann = await app.addCaller('ann')

    const answer = await app.get(undefined, `/user?token=${secretOf(ann)}`)

    assertError(answer, 401, 'token is required')
    assert.match(answer.headers['x-service-warning'] ?? '', /deprecated/)
    assertStatus(await app.get(ann, '/user?token=wrong'), 200)
  })

  test('passwords in Basic can be switched off; tokens keep working there', async (t) => {
    const app = await startApp(t, { security: { basic_password: false } })
    const ann = await app.addCaller('ann')

    assertError(
      await app.get(undefined, '/user', with_(basic('ann', PASSWORD))),
      401,
      'token is required',
    )
    assertStatus(await app.get(undefined, '/user', with_(basic('ann', secretOf(ann)))), 200)
  })

  test('an address that is not activated does not sign in', async (t) => {
    const app = await startApp(t)
    await app.addCaller('ann')
    await app.ctx.db.updateTable('email_address').set({ is_activated: 0 }).execute()

    assertError(
      await app.get(undefined, '/user', with_(basic('ann@example.org', PASSWORD))),
      401,
      REFUSED,
    )
  })

  test('an organization does not sign in', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme', email: 'info@acme.example' })

    assertError(await app.get(undefined, '/user', with_(basic('acme', ''))), 401, REFUSED)
    const { passwordHash } = ann.account
    await app.ctx.db.updateTable('account').set({ password_hash: passwordHash }).execute()
    assertError(await app.get(undefined, '/user', with_(basic('acme', PASSWORD))), 401, REFUSED)
  })

  test('the session cookie and headers of proxies are no credentials', async (t) => {
    const app = await startApp(t)
    await app.addAdmin()

    const answer = await app.get(undefined, '/user', {
      cookie: 'session=1',
      'x-webauth-user': 'root',
      'x-forwarded-for': '127.0.0.1',
    })

    assertError(answer, 401, 'token is required')
  })

  test('a token stops working when it or its owner is deleted', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    assertStatus(await app.delete(ann, '/token'), 204)
    assertStatus(await app.delete(root, '/admin/users/bob'), 204)

    assertError(await app.get(ann, '/user'), 401, REFUSED)
    assertError(await app.get(bob, '/user'), 401, REFUSED)
  })

  test('tokens are stored as hashes only', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const row = await app.ctx.db.selectFrom('access_token').selectAll().executeTakeFirstOrThrow()

    assert.equal(row.hash.includes(secretOf(ann)), false)
    assert.equal(row.last_eight, secretOf(ann).slice(-8))
    assertError(
      await app.get(undefined, '/user', with_(`token ${row.hash.slice(0, 40)}`)),
      401,
      REFUSED,
    )
  })

  test('"last used" is written later, without the request waiting for it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addCaller('bob')
    const lastUsed = async () => {
      const tokens = app.ctx.db.selectFrom('access_token').select('last_used_at').orderBy('id')
      return (await tokens.execute()).map(({ last_used_at: at }) => at)
    }

    await app.get(ann, '/user')
    const before = await lastUsed()
    await app.ctx.lastUse.settle()

    assert.deepEqual(before, [0, 0])
    const [used = 0, unused] = await lastUsed()
    assert.ok(used >= app.ctx.now() - 5)
    assert.equal(unused, 0)
  })

  test('"last used" of many tokens is written by one statement, and never goes back', async (t) => {
    const app = await startApp(t)
    for (const name of ['ann', 'bob', 'cat']) await app.addCaller(name)
    const tokens = app.ctx.db.selectFrom('access_token').selectAll().orderBy('id')
    const [first = 0, second = 0, third = 0] = (await tokens.execute()).map(({ id }) => id)
    const { lastUse } = app.ctx
    lastUse.note(second, 500)
    await lastUse.settle()
    const countFor = countStatements(t, app)
    lastUse.note(first, 300)
    lastUse.note(second, 400)
    lastUse.note(third + 1, 400)

    const count = await countFor(async () => {
      await Promise.all([lastUse.settle(), lastUse.settle()])
    })

    assert.equal(count, 1)
    const written = (await tokens.execute()).map(({ last_used_at: at }) => at)
    assert.deepEqual(written, [300, 500, 0])
    for (let id = third + 1; id <= third + 1000; id++) lastUse.note(id, 600)
    lastUse.note(third, 600)
    await lastUse.settle()
    assert.equal((await tokens.execute()).at(-1)?.last_used_at, 600)
  })
})

suite('the state of an account', () => {
  const change = async (app: TestApp, fields: object) => {
    const root = await app.addAdmin()
    assertStatus(await app.patch(root, '/admin/users/ann', fields), 200)
    return root
  }

  test('who may not sign in is 403 with a token, 401 with a password', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await change(app, { prohibit_login: true })

    assertBareError(await app.get(ann, '/version'), 403, PROHIBITED)
    assertError(await app.get(app.withPassword(ann.account), '/user'), 401, REFUSED)
    assertStatus(await app.patch(root, '/admin/users/ann', { prohibit_login: false }), 200)
    assertStatus(await app.get(ann, '/user'), 200)
  })

  test('an inactive account is 403, in other words where accounts are confirmed by e-mail', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await change(app, { active: false })
    const confirming = await startApp(t, { security: { email_confirmation: true } })
    const eve = await confirming.addCaller('ann')
    await change(confirming, { active: false })

    assertBareError(await app.get(ann, '/user'), 403, PROHIBITED)
    assertBareError(await app.get(app.withPassword(ann.account), '/user'), 403, PROHIBITED)
    assertBareError(await confirming.get(eve, '/user'), 403, 'This account is not activated.')
  })

  test('who must change the password is told where', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await change(app, { must_change_password: true })

    const answer = await app.get(ann, '/version')

    assertBareError(
      answer,
      403,
      'You must change your password. Change it at: http://codestead.test/user/change_password',
    )
  })
})

suite('sudo', () => {
  test('an administrator acts for somebody else, by parameter or header; the parameter wins', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addPerson('ann')
    await app.addPerson('bob')

    assert.equal((await app.get(root, '/user?sudo=ANN')).body.id, ann.id)
    assert.equal((await app.get(root, '/user', { sudo: 'ann' })).body.login, 'ann')
    assert.equal((await app.get(root, '/user?sudo=ann', { sudo: 'bob' })).body.login, 'ann')
    assert.equal(
      (await app.get(app.withPassword(root.account), '/user', { sudo: 'bob' })).body.login,
      'bob',
    )
    assert.equal((await app.get(root, '/user?sudo=')).body.login, 'root')
    // An empty value asks for nobody, whoever it comes from; then the header counts.
    assert.equal((await app.get(root, '/user', { sudo: '' })).body.login, 'root')
    assert.equal((await app.get(root, '/user?sudo=', { sudo: 'bob' })).body.login, 'bob')
    assert.equal((await app.get(root, '/user?sudo=ann', { sudo: '' })).body.login, 'ann')
    assertStatus(await app.get(undefined, '/version?sudo=', { sudo: '' }), 200)
  })

  test('the rights are those of the other account, the scopes those of the token', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    const reader = await app.withToken(root.account, ['read:user'])

    assertError(await app.get(root, '/admin/users?sudo=ann'), 403, 'user should be the site admin')
    assertStatus(await app.get(reader, '/user?sudo=ann'), 200)
    assertError(await app.patch(reader, '/user/settings?sudo=ann', {}), 403, /write:user/)
  })

  test('nobody else may, and nobody with a public-only token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addCaller('root', { isAdmin: true }, ['public-only', 'all'])
    const message = 'Only administrators allowed to sudo.'

    assertBareError(await app.get(ann, '/user?sudo=root'), 403, message)
    assertBareError(await app.get(ann, '/user', { sudo: 'ann' }), 403, message)
    assertBareError(await app.get(undefined, '/version', { sudo: 'ann' }), 403, message)
    assertBareError(await app.get(root, '/user?sudo=ann'), 403, message)
  })

  test('can be kept to tokens that have a scope of administration', async (t) => {
    const app = await startApp(t, { security: { sudo_scope: true } })
    const root = await app.addAdmin()
    await app.addPerson('ann')
    const narrow = await app.withToken(root.account, ['write:user'])
    const reader = await app.withToken(root.account, ['read:user', 'read:admin'])

    assertError(await app.get(narrow, '/user?sudo=ann'), 403, /required=\[read:admin\]/)
    assertError(await app.get(narrow, '/user?sudo=nobody'), 403, /required=\[read:admin\]/)
    assertStatus(await app.get(narrow, '/user'), 200)
    for (const who of [reader, root, app.withPassword(root.account)])
      assert.equal((await app.get(who, '/user?sudo=ann')).body.login, 'ann')
  })

  test('an account that is disabled, unknown or no person cannot be acted for', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.post(root, '/orgs', { username: 'acme' })
    await app.patch(root, '/admin/users/ann', { prohibit_login: true })

    assertError(await app.get(root, '/user?sudo=nobody'), 404, 'not found')
    assertError(await app.get(root, '/user?sudo=ann'), 403)
    assertError(await app.get(root, '/user?sudo=acme'), 403)
    await app.patch(root, '/admin/users/ann', { prohibit_login: false, active: false })
    assertError(await app.get(root, '/user?sudo=ann'), 403)
  })
})

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
    assertError(await signIn('12'), 401, REFUSED)
    assertStatus(await signIn(code()), 200)
    assertStatus(await app.get(ann, '/user'), 200)
  })

  test('a code works once, one step early or late, and not later', async (t) => {
    const { app, code, signIn } = await startWithFactor(t)
    const current = code()

    assertStatus(await signIn(current), 200)
    assertError(await signIn(current), 401, REFUSED)
    app.passTime(60)
    assertStatus(await signIn(code(-1)), 200)
    assertError(await signIn(code(-2)), 401, REFUSED)
    assertStatus(await signIn(code(1)), 200)
    const bob = await app.addPerson('bob')
    await updateTotpSecret(app.ctx.db, bob.id, app.ctx.secrets.seal('totp', secret))
    const ofBob = await app.get(app.withPassword(bob), '/user', { 'x-gitea-otp': code() })
    assert.equal(ofBob.body.login, 'bob')
    assertError(await signIn(code()), 401, REFUSED)
  })

  test('of many requests with one code at the same moment one succeeds', async (t) => {
    const { code, signIn } = await startWithFactor(t)
    const current = code()

    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(current)))

    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 401).length, 19)
  })
})

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
    await fail(app, 'ann', '10.0.0.1', 3)

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

    assertStatus(
      await app.get(undefined, '/user', { ...with_(basic('ann', PASSWORD)), ...from('10.0.0.2') }),
      200,
    )
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
    await fail(app, 'b', '2001:db8:1:2::2', 2)
    await fail(app, 'c', '2001:db8:1:2:ffff::3', 2)
    const signIn = (address: string) =>
      app.get(undefined, '/user', { ...with_(basic('ann', PASSWORD)), ...from(address) })

    assertError(await signIn('2001:db8:1:2::77'), 429)
    assertStatus(await signIn('2001:db8:1:3::1'), 200)
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
  })
})
