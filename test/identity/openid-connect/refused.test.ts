// One database is enough: nothing of this reaches it.
import assert from 'node:assert/strict'
import { constants, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { suite, test } from 'node:test'
import { configWith } from '../../../src/platform/config/config.ts'
import { Visitor } from '../../web/support.ts'
import {
  assertNotLetIn,
  begin,
  byRsa,
  CALLBACK,
  client,
  come,
  ownKey,
  signedInAs,
  startWithProvider,
  zoe,
  type Provider,
} from './setup.ts'
import { trustCertificate } from './tls.ts'

const registering = { auto_registration: true }
const SILENT = /Acme does not sign anybody in at the moment/

const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const short = generateKeyPairSync('rsa', { modulusLength: 1024 })

/** All that we know, by the names that RFC 7518 and RFC 8037 give them. */
function waysToSign() {
  const pair = { dsaEncoding: 'ieee-p1363' } as const
  const pss = (saltLength: number) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength })
  const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
  return {
    RS256: { hash: 'sha256', key: other, options: {} },
    RS384: { hash: 'sha384', key: other, options: {} },
    RS512: { hash: 'sha512', key: other, options: {} },
    PS256: { hash: 'sha256', key: other, options: pss(32) },
    PS384: { hash: 'sha384', key: other, options: pss(48) },
    PS512: { hash: 'sha512', key: other, options: pss(64) },
    ES256: { hash: 'sha256', key: curve('P-256'), options: pair },
    ES384: { hash: 'sha384', key: curve('P-384'), options: pair },
    ES512: { hash: 'sha512', key: curve('P-521'), options: pair },
    EdDSA: { hash: null, key: generateKeyPairSync('ed25519'), options: {} },
  }
}

suite('a token of the provider', () => {
  const now = Math.floor(Date.now() / 1000)
  const lies: Readonly<Record<string, (provider: Provider) => void>> = {
    'is of somebody else': (provider) => (provider.token = { iss: 'https://evil.example' }),
    'is for somebody else': (provider) => (provider.token = { aud: 'another' }),
    'was asked for by somebody else': (provider) =>
      (provider.token = { aud: [client.client_id, 'another'], azp: 'another' }),
    'is for several without saying who asked': (provider) =>
      (provider.token = { aud: [client.client_id, 'another'] }),
    'is for another attempt': (provider) => (provider.token = { nonce: 'n' }),
    'is for any attempt': (provider) => (provider.token = { nonce: undefined }),
    'has expired': (provider) => (provider.token = { exp: now - 61 }),
    'never expires': (provider) => (provider.token = { exp: undefined }),
    'is of the future': (provider) => (provider.token = { iat: now + 600 }),
    'is about nobody': (provider) => (provider.token = { sub: '' }),
    'is about what no database holds': (provider) => (provider.token = { sub: 'z\0' }),
    'is about a number': (provider) => (provider.token = { sub: 7 }),
    'is signed by another key': (provider) => (provider.signing = byRsa(other.privateKey)),
    'names a key that is not there': (provider) =>
      (provider.signing = byRsa(undefined, { kid: 'two' })),
    'says that it is signed otherwise': (provider) =>
      (provider.signing = byRsa(undefined, { alg: 'RS512' })),
    'is not signed': (provider) =>
      (provider.signing = { head: { alg: 'none' }, sign: () => Buffer.from('x') }),
    'is signed with what everybody knows': (provider) =>
      (provider.signing = {
        head: { alg: 'HS256', kid: 'one' },
        sign: (text) =>
          createHmac('sha256', ownKey().n ?? '')
            .update(text)
            .digest(),
      }),
    'is signed with the secret of both': (provider) =>
      (provider.signing = {
        head: { alg: 'HS256', kid: 'one' },
        sign: (text) => createHmac('sha256', client.client_secret).update(text).digest(),
      }),
    'is signed with a key for something else': (provider) =>
      (provider.keys = [{ ...ownKey(), use: 'enc' }]),
    'is signed with a key that is not for that': (provider) =>
      (provider.keys = [{ ...ownKey(), key_ops: ['encrypt'] }]),
    'is signed with a short key': (provider) => {
      provider.keys = [{ ...short.publicKey.export({ format: 'jwk' }), kid: 'one' }]
      provider.signing = byRsa(short.privateKey)
    },
    'has something critical that we do not know': (provider) =>
      (provider.signing = byRsa(undefined, { crit: ['b64'], b64: true })),
    'does not say which of several keys it is': (provider) => {
      provider.keys = [ownKey(), { ...other.publicKey.export({ format: 'jwk' }), kid: 'two' }]
      provider.signing = byRsa(undefined, { kid: undefined })
    },
    'is told of with another person': (provider) => {
      provider.person = { sub: 'z-1' }
      provider.userInfo = { ...zoe, sub: 'z-2' }
    },
  }
  test('is refused when it lies', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    for (const [what, lie] of Object.entries(lies)) {
      Object.assign(provider, { token: {}, signing: byRsa(), keys: [ownKey()] })
      Object.assign(provider, { person: zoe, userInfo: undefined })
      lie(provider)
      assertNotLetIn(await come(setup), 503, SILENT, what)
    }
    const accounts = await app.ctx.db.selectFrom('account').select('name').execute()
    assert.deepEqual(
      accounts.map(({ name }) => name),
      ['root'],
    )
  })

  test('may be signed in every way that is safe, by a key that came meanwhile', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    assert.equal(await signedInAs(app, await come(setup)), 'zoe')
    for (const [alg, { hash, key, options }] of Object.entries(waysToSign())) {
      provider.keys = [
        { kty: 'oct', k: 'AAAA', kid: 'odd' },
        ownKey(),
        { ...key.publicKey.export({ format: 'jwk' }), kid: alg },
      ]
      provider.signing = {
        head: { alg, kid: alg },
        sign: (text) => sign(hash, Buffer.from(text), { key: key.privateKey, ...options }),
      }
      assert.equal(await signedInAs(app, await come(setup)), 'zoe', alg)
    }
    const wide = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    provider.keys = [{ ...wide.publicKey.export({ format: 'jwk' }), kid: 'wide' }]
    provider.signing = {
      head: { alg: 'ES256', kid: 'wide' },
      sign: (text) =>
        sign('sha256', Buffer.from(text), { key: wide.privateKey, dsaEncoding: 'ieee-p1363' }),
    }
    assertNotLetIn(await come(setup), 503, SILENT)
  })
})

suite('a provider', () => {
  test('that does not answer as it should signs nobody in, and can come back', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    const by = new Visitor(app)
    const start = () => by.get('/user/openid')
    provider.description = { issuer: 'https://evil.example' }
    assertNotLetIn(await start(), 503, SILENT)
    provider.description = { token_endpoint: 'file:///etc/passwd' }
    assertNotLetIn(await start(), 503, SILENT)
    provider.description = {}
    for (const [status, body] of [
      [500, ''],
      [200, 'no json'],
      [200, '[]'],
      [302, ''],
      [200, `{"issuer":"${'x'.repeat(300_000)}"}`],
    ] as const) {
      provider.instead = (_request, response) => {
        response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body)
        return true
      }
      assertNotLetIn(await start(), 503, SILENT)
    }
    provider.instead = undefined

    assert.equal(await signedInAs(app, await come(setup)), 'zoe')
  })

  test('that is asked over TLS sends nobody to an address without it', async (t) => {
    trustCertificate(t)
    const setup = await startWithProvider(t, registering, {}, true)
    const { app, provider } = setup
    const by = new Visitor(app)
    provider.userInfo = zoe
    const plain = provider.url.replace('https:', 'http:')
    for (const endpoint of ['authorization', 'token', 'userinfo']) {
      provider.description = { [`${endpoint}_endpoint`]: `${plain}/${endpoint}` }
      assertNotLetIn(await by.get('/user/openid'), 503, SILENT, endpoint)
    }
    provider.description = { jwks_uri: `${plain}/keys` }
    assertNotLetIn(await by.get('/user/openid'), 503, SILENT, 'jwks_uri')
    assert.deepEqual([...new Set(provider.calls)], ['/.well-known/openid-configuration'])
    provider.description = {}

    assert.equal(await signedInAs(app, await come(setup)), 'zoe')
  })

  test('that refuses the code, or whoever was asked, signs nobody in', async (t) => {
    const { app, provider } = await startWithProvider(t, registering)
    const by = new Visitor(app)
    const back = async (answer: Record<string, string>) => {
      const { address, cookies } = await begin(by)
      return by.get(provider.ask(address, answer), cookies)
    }

    assertNotLetIn(await back({ code: 'c-2' }), 503, SILENT)
    assertNotLetIn(await back({}), 503, SILENT)
    assertNotLetIn(await back({ error: 'access_denied' }), 422, /Acme was told not to sign you in/)
    assertNotLetIn(await back({ error: '<b>' }), 503, SILENT)
  })
})

suite('coming back from a provider', () => {
  test('is for the browser that began, with what it was given, for ten minutes', async (t) => {
    const { app, provider } = await startWithProvider(t, registering)
    const by = new Visitor(app)
    const NOT_BEGUN = /This browser has not begun to sign in/
    const { address, cookies } = await begin(by)
    const path = provider.ask(address)
    const ofAnother = await begin(by)

    assertNotLetIn(await by.get(path), 422, NOT_BEGUN)
    assertNotLetIn(await by.get(path, ofAnother.cookies), 422, NOT_BEGUN)
    assertNotLetIn(await by.get(`${CALLBACK}?code=c-1`, cookies), 422, NOT_BEGUN)
    const forged = { cookie: `codestead_openid=${Buffer.from('{}').toString('base64')}` }
    assertNotLetIn(await by.get(path, forged), 422, NOT_BEGUN)
    app.passTime(601)
    assertNotLetIn(await by.get(path, cookies), 422, NOT_BEGUN)
    app.passTime(-601)
    provider.ask(address)
    assert.equal(await signedInAs(app, await by.get(path, cookies)), 'zoe')
  })

  test('leads to the start where a browser would not keep the way', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { cookies } = await begin(
      new Visitor(setup.app),
      `/user/openid?redirect_to=/${'a'.repeat(1990)}`,
    )
    assert.ok((cookies['cookie']?.length ?? 0) < 4000)

    const answer = await come(setup, `/user/openid?redirect_to=/${'a'.repeat(3000)}`)

    assert.equal(await signedInAs(setup.app, answer), 'zoe')
    assert.equal(answer.headers['location'], '/')
  })

  test('leads to no other site', async (t) => {
    const setup = await startWithProvider(t, registering)

    const answer = await come(setup, '/user/openid?redirect_to=//evil.example/')

    assert.equal(answer.headers['location'], '/')
  })
})

suite('the settings of a provider', () => {
  test('are refused where anybody could speak for it, or half of them is missing', () => {
    const withProvider = (openid: object) => () => configWith('.', { openid })

    assert.throws(withProvider({ issuer: 'http://sso.example', client_id: 'a' }), /https address/)
    assert.throws(withProvider({ issuer: 'https://sso.example' }), /client_id has to be set/)
    withProvider({ issuer: 'https://sso.example/realm/', client_id: 'a' })()
    withProvider({ issuer: 'http://localhost:9000', client_id: 'a' })()
  })
})
