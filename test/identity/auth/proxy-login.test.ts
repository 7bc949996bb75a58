import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { basic, PASSWORD, startApp, type Headers, type TestApp } from '../../support/app.ts'
import { assertBareError, assertError, assertStatus } from '../../support/expect.ts'
import { REFUSED, with_ } from './setup.ts'

const trusted = { trusted_proxies: ['127.0.0.1'] }

function behindProxy(login: ConfigChanges['proxy_login'] = {}): ConfigChanges {
  return { server: trusted, proxy_login: { api: true, ...login } }
}

const as = (name: string): Headers => ({ 'x-webauth-user': name })
const countAccounts = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('account').select('id').execute()).length

suite('a user header of a trusted proxy', () => {
  test('says who calls the API, whatever the case of the name', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')

    const answer = await app.get(undefined, '/user', as('ANN'))

    assertStatus(answer, 200)
    assert.equal(answer.body.login, 'ann')
  })

  test('is ignored unless it is switched on for the API', async (t) => {
    const app = await startApp(t, { server: trusted, proxy_login: { web: true } })
    await app.addPerson('ann')

    assertError(await app.get(undefined, '/user', as('ann')), 401, 'token is required')
    assertStatus(await app.get(undefined, '/version', as('nobody')), 200)
  })

  test('is 401 for nobody, for an organization and for two names at once', async (t) => {
    const app = await startApp(t, behindProxy())
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)

    for (const name of ['nobody', 'acme', 'ann, ann', 'ann\u00e9']) {
      assertError(await app.get(undefined, '/version', as(name)), 401, REFUSED)
    }
    assert.equal(await countAccounts(app), 2)
  })

  test('may have another name', async (t) => {
    const app = await startApp(t, behindProxy({ user_header: 'Remote-User' }))
    await app.addPerson('ann')

    assertStatus(await app.get(undefined, '/user', { 'remote-user': 'ann' }), 200)
    assertStatus(await app.get(undefined, '/user', as('ann')), 401)
  })

  test('is tried last: a good token or password wins, a wrong one is 401', async (t) => {
    const app = await startApp(t, behindProxy())
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    const loginWith = async (headers: Headers) =>
      (await app.get(undefined, '/user', { ...as('bob'), ...headers })).body.login

    assert.equal(await loginWith(ann.headers), 'ann')
    assert.equal(await loginWith(with_(basic('ann', PASSWORD))), 'ann')
    assert.equal(await loginWith(with_('Negotiate abc')), 'bob')
    for (const name of ['bob', 'nobody']) {
      for (const wrong of [
        `token ${'0'.repeat(40)}`,
        'Bearer no-token',
        'token',
        basic('ann', 'wrong-password'),
        basic('nobody', PASSWORD),
        'Basic !',
      ]) {
        const answer = await app.get(undefined, '/user', { ...as(name), ...with_(wrong) })
        assertStatus(answer, 401)
      }
    }
  })

  test('manages tokens as a password does, and is no token itself', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')
    const body = { name: 'made', scopes: ['read:user'] }

    const made = await app.post(undefined, '/users/ann/tokens', body, as('ann'))

    assertStatus(made, 201)
    assertStatus(await app.get(undefined, '/user', with_(`token ${made.body.sha1}`)), 200)
    assertStatus(await app.get(undefined, '/users/ann/tokens', as('ann')), 200)
    assertError(await app.get(undefined, '/token', as('ann')), 404, 'invalid access token')
    assertStatus(await app.delete(undefined, '/users/ann/tokens/made', undefined, as('ann')), 204)
  })

  test('meets the states of an account, with the words of the contract', async (t) => {
    const app = await startApp(t, behindProxy())
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.addPerson('eve', { mustChangePassword: true })
    const change = { login_name: '', source_id: 0, prohibit_login: true }
    assertStatus(await app.patch(root, '/admin/users/ann', change), 200)

    const answerTo = (name: string) => app.get(undefined, '/user', as(name))
    assertBareError(await answerTo('ann'), 403, /prohibited from signing in/)
    assertBareError(await answerTo('eve'), 403, /must change your password/)
  })

  test('acts for others when it names an administrator', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('root', { isAdmin: true })
    await app.addPerson('ann')

    const answer = await app.get(undefined, '/user?sudo=ann', as('root'))
    assert.equal(answer.body.login, 'ann')
    assertStatus(await app.get(undefined, '/user?sudo=root', as('ann')), 403)
  })

  test('is nothing to git, which takes tokens and passwords', async (t) => {
    const app = await startApp(t, behindProxy({ web: true }))
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'hidden', private: true }), 201)
    const refs = '^/ann/hidden.git/info/refs?service=git-upload-pack'

    assertStatus(await app.get(undefined, refs, as('ann')), 401)
    assertStatus(await app.get(undefined, refs, with_(basic('ann', PASSWORD))), 200)
  })

  test('does not sign in what another site makes a browser send', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')
    const create = (headers: Headers) =>
      app.post(undefined, '/user/repos', { name: 'made' }, { ...as('ann'), ...headers })

    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.test' },
      { origin: 'null' },
    ] as Headers[]) {
      assertError(await create(headers), 401, 'token is required')
    }
    assertStatus(await create({ 'sec-fetch-site': 'same-origin' }), 201)
  })
})

suite('a user header of anybody else', () => {
  test('is ignored: whoever sends it is anonymous, and not refused', async (t) => {
    const elsewhere = { trusted_proxies: ['192.0.2.1', 'linklocal'] }
    const login = { web: true, api: true, auto_registration: true, email: true }
    const app = await startApp(t, { server: elsewhere, proxy_login: login })
    await app.addPerson('root', { isAdmin: true })
    const forged = {
      ...as('root'),
      'x-webauth-email': 'root@example.org',
      'x-forwarded-for': '192.0.2.1',
      'x-real-ip': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
    }

    assertError(await app.get(undefined, '/user', forged), 401, 'token is required')
    assertStatus(await app.get(undefined, '/version', forged), 200)
    assertStatus(await app.get(undefined, '/version', { ...forged, ...as('new') }), 200)
    assertStatus(await app.get(undefined, '^/user/login', forged), 200)
    assert.equal(await countAccounts(app), 1)
  })

  test('is ignored where the connection comes from, whoever is forwarded for', async (t) => {
    const server = { trusted_proxies: ['192.0.2.0/24', 'loopback'] }
    const app = await startApp(t, { server, proxy_login: { api: true } })
    await app.addPerson('ann')
    const from = (remoteAddress: string) =>
      app.server.inject({
        url: '/api/v1/user',
        remoteAddress,
        headers: { ...as('ann'), 'x-forwarded-for': '203.0.113.9' },
      })

    for (const trustedPeer of ['192.0.2.7', '::ffff:192.0.2.7', '127.0.0.2', '::1']) {
      assert.equal((await from(trustedPeer)).statusCode, 200, trustedPeer)
    }
    for (const stranger of ['192.0.3.7', '203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1']) {
      assert.equal((await from(stranger)).statusCode, 401, stranger)
    }
  })
})

suite('an e-mail header of a trusted proxy', () => {
  const ofAnn = { 'x-webauth-email': 'ANN@example.org' }

  test('finds an account where it counts and the name finds none', async (t) => {
    const app = await startApp(t, behindProxy({ email: true }))
    await app.addPerson('ann')
    await app.addPerson('bob')
    const loginOf = async (headers: Headers) =>
      (await app.get(undefined, '/user', headers)).body.login

    assert.equal(await loginOf(ofAnn), 'ann')
    assert.equal(await loginOf({ ...ofAnn, ...as('nobody') }), 'ann')
    assert.equal(await loginOf({ ...ofAnn, ...as('bob') }), 'bob')
    const unknown = { 'x-webauth-email': 'nobody@example.org' }
    assertError(await app.get(undefined, '/user', unknown), 401, REFUSED)
  })

  test('finds nobody by an address that was added to an account', async (t) => {
    const app = await startApp(t, behindProxy({ email: true }))
    const ann = await app.addCaller('ann', { isAdmin: true }, ['write:user'])
    const added = { emails: ['eve@example.org'] }
    assert.equal((await app.post(ann, '/user/emails', added)).status, 201)

    const ofEve = { 'x-webauth-email': 'eve@example.org' }
    assertError(await app.get(undefined, '/user', ofEve), 401, REFUSED)
  })

  test('finds nobody by an address that is not activated', async (t) => {
    const app = await startApp(t, behindProxy({ email: true }))
    await app.addPerson('ann')
    await app.ctx.db.updateTable('email_address').set({ is_activated: 0 }).execute()

    assertError(await app.get(undefined, '/user', ofAnn), 401, REFUSED)
  })

  test('is ignored otherwise', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')

    assertError(await app.get(undefined, '/user', ofAnn), 401, 'token is required')
    assertError(await app.get(undefined, '/user', { ...ofAnn, ...as('nobody') }), 401, REFUSED)
  })
})

suite('somebody whom a trusted proxy names and nobody knows', () => {
  const registering = behindProxy({ auto_registration: true, email: true, full_name: true })
  const new_ = (name: string, more: Headers = {}): Headers => ({ ...as(name), ...more })

  test('gets an active account with the address and the name of the headers', async (t) => {
    const app = await startApp(t, registering)
    const fullName = Buffer.from('Zoë Ünder').toString('latin1')
    const headers = { 'x-webauth-email': 'zoe@example.org', 'x-webauth-fullname': fullName }

    const answer = await app.get(undefined, '/user', new_('Zoe', headers))

    assertStatus(answer, 200)
    assert.partialDeepStrictEqual(answer.body, {
      login: 'Zoe',
      email: 'zoe@example.org',
      full_name: 'Zoë Ünder',
      active: true,
      is_admin: false,
    })
    assertStatus(await app.get(undefined, '/user', new_('zoe')), 200)
    assert.equal(await countAccounts(app), 1)
  })

  test('gets a placeholder for an address that is not said or not asked for', async (t) => {
    const app = await startApp(t, behindProxy({ auto_registration: true }))
    const headers = { 'x-webauth-email': 'zoe@example.org', 'x-webauth-fullname': 'Zoe' }

    const { body } = await app.get(undefined, '/user', new_('Zoe', headers))

    assert.equal(body.email, 'zoe@noreply.codestead.test')
    assert.equal(body.full_name, '')
  })

  test('gets one account for many requests at once', async (t) => {
    const app = await startApp(t, registering)

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.get(undefined, '/user', as('zoe'))),
    )

    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
    assert.equal(await countAccounts(app), 1)
  })

  test('gets none for a name or an address that is not allowed, or that is taken', async (t) => {
    const app = await startApp(t, behindProxy({ auto_registration: true, email: true }))
    await app.addPerson('ann', { email: 'zoe@noreply.codestead.test' })

    for (const headers of [
      as('api'),
      as('-zoe'),
      as('zoe/../ann'),
      as('x'.repeat(41)),
      new_('zoe', { 'x-webauth-email': 'no address' }),
      new_('zoe'),
    ]) {
      assertError(await app.get(undefined, '/user', headers), 401, REFUSED)
    }
    assert.equal(await countAccounts(app), 1)
  })

  test('gets an address that somebody else has not shown to be theirs', async (t) => {
    const app = await startApp(t, behindProxy({ auto_registration: true, email: true }))
    await app.addPerson('eve', { email: 'zoe@example.org', awaitsConfirmation: true })

    const answer = await app.get(
      undefined,
      '/user',
      new_('zoe', { 'x-webauth-email': 'zoe@example.org' }),
    )

    assertStatus(answer, 200)
    assert.partialDeepStrictEqual(answer.body, { login: 'zoe', email: 'zoe@example.org' })
  })
})
