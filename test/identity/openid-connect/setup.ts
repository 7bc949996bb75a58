import assert from 'node:assert/strict'
import { generateKeyPairSync, hash, sign, type JsonWebKey, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type Headers, type TestAnswer, type TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { Visitor } from '../../web/support.ts'
import { serverCert, serverKey } from './tls.ts'

export const CALLBACK = '/user/openid/callback'
export const client = { client_id: 'codestead', client_secret: 'a secret: with signs' }

type Claims = Readonly<Record<string, unknown>>

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** How a token is signed: by the provider's own key, unless a test wants something else. */
export interface Signing {
  readonly head: Claims
  readonly sign: (text: string) => Buffer
}

export function byRsa(key: KeyObject = rsa.privateKey, head: Claims = {}): Signing {
  return {
    head: { alg: 'RS256', kid: 'one', ...head },
    sign: (written) => sign('sha256', Buffer.from(written), key),
  }
}

export function ownKey(): JsonWebKey {
  return { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }
}

/** Who comes back from the provider, unless a test says otherwise. */
export const zoe = {
  sub: 'z-1',
  preferred_username: 'zoe',
  name: 'Zoe Zimmer',
  email: 'zoe@example.org',
  email_verified: true,
}

/** A provider that holds to the protocol, as far as the test lets it. */
export class Provider {
  readonly url: string
  /** Whom it has asked. */
  person: Claims = zoe
  /** What stands in the token beside who it is. */
  token: Claims = {}
  signing: Signing = byRsa()
  keys: readonly JsonWebKey[] = [ownKey()]
  description: Claims = {}
  /** What it tells whoever asks with the access token; nothing unless it is set. */
  userInfo: Claims | undefined
  /** Answers in its place. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  readonly calls: string[] = []
  #asked = new URLSearchParams()

  constructor(url: string) {
    this.url = url
  }

  /** Asks somebody, and gives where they are led back to. */
  ask(address: string, answer: Readonly<Record<string, string>> = { code: 'c-1' }): string {
    const url = new URL(address)
    assert.equal(url.origin + url.pathname, `${this.url}/authorize`)
    this.#asked = url.searchParams
    const back = new URL(this.#asked.get('redirect_uri') ?? '')
    const state = this.#asked.get('state') ?? ''
    const query = new URLSearchParams({ state, ...answer })
    return `${back.pathname}?${query.toString()}`
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    this.calls.push(path)
    if (this.instead?.(request, response)) return
    if (path === '/.well-known/openid-configuration') return tell(response, this.#describe())
    if (path === '/keys') return tell(response, { keys: this.keys })
    if (path === '/userinfo' && this.userInfo) {
      assert.equal(request.headers.authorization, 'Bearer an-access-token')
      return tell(response, this.userInfo)
    }
    if (path === '/token' && request.method === 'POST') {
      return this.#exchange(request, response, new URLSearchParams(await text(request)))
    }
    response.writeHead(404).end()
  }

  #describe(): Claims {
    return {
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      userinfo_endpoint: `${this.url}/userinfo`,
      jwks_uri: `${this.url}/keys`,
      ...this.description,
    }
  }

  #exchange(request: IncomingMessage, response: ServerResponse, form: URLSearchParams): void {
    const challenge = hash('sha256', form.get('code_verifier') ?? '', 'base64url')
    const isRight =
      form.get('code') === 'c-1' &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === this.#asked.get('redirect_uri') &&
      challenge === this.#asked.get('code_challenge') &&
      credentialsOf(request, form).join() === Object.values(client).join()
    if (!isRight) return void response.writeHead(400).end('{"error":"invalid_grant"}')
    tell(response, { access_token: 'an-access-token', id_token: this.#writeToken() })
  }

  #writeToken(): string {
    const now = Math.floor(Date.now() / 1000)
    const usual = {
      iss: this.url,
      aud: client.client_id,
      iat: now,
      exp: now + 300,
      nonce: this.#asked.get('nonce'),
    }
    const { head, sign: signText } = this.signing
    const written = [head, { ...usual, ...this.person, ...this.token }].map(encode).join('.')
    return `${written}.${signText(written).toString('base64url')}`
  }
}

function encode(part: Claims): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function tell(response: ServerResponse, record: Claims): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(record))
}

function credentialsOf(request: IncomingMessage, form: URLSearchParams): string[] {
  const [, encoded] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  if (encoded === undefined) return [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  return Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent)
}

export async function startProvider(t: TestContext, hasTls = false): Promise<Provider> {
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    void provider.answer(request, response)
  const server = hasTls
    ? createTlsServer({ key: serverKey, cert: serverCert }, answer)
    : createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const scheme = hasTls ? 'https' : 'http'
  const provider = new Provider(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return provider
}

export interface Setup {
  readonly app: TestApp
  readonly provider: Provider
}

export async function startWithProvider(
  t: TestContext,
  settings: ConfigChanges['openid'] = {},
  changes: ConfigChanges = {},
  hasTls = false,
): Promise<Setup> {
  const provider = await startProvider(t, hasTls)
  const openid = { issuer: provider.url, label: 'Acme', ...client, ...settings }
  const app = await startApp(t, { ...changes, openid })
  await app.addPerson('root', { isAdmin: true })
  return { app, provider }
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookiesOf({ headers }: TestAnswer): Headers {
  const set = [headers['set-cookie'] ?? []].flat().filter((one) => !one.includes('Max-Age=0'))
  return { cookie: set.map((one) => one.split(';')[0] ?? '').join('; ') }
}

/** Begins at `path`: where the browser is led, and what it keeps meanwhile. */
export async function begin(
  by: Visitor,
  path = '/user/openid',
): Promise<{ readonly address: string; readonly cookies: Headers }> {
  const answer = await by.get(path)
  assertStatus(answer, 303)
  return { address: answer.headers['location'] ?? '', cookies: cookiesOf(answer) }
}

/** Signs in by the provider, as far as that goes. */
export async function come({ app, provider }: Setup, path?: string): Promise<TestAnswer> {
  const by = new Visitor(app)
  const { address, cookies } = await begin(by, path)
  return by.get(provider.ask(address), { 'sec-fetch-site': 'cross-site', ...cookies })
}

/** Whose session it is that an answer opened. */
export async function signedInAs(app: TestApp, answer: TestAnswer): Promise<string | undefined> {
  assertStatus(answer, 303)
  const page = await new Visitor(app, cookiesOf(answer)).get('/user/settings')
  return /Account of ([\w.-]+)/.exec(page.text)?.[1]
}

/** A page that says why not, and no session. */
export function assertNotLetIn(
  answer: TestAnswer,
  status: number,
  message: RegExp,
  what = answer.text,
): void {
  assert.equal(answer.status, status, what)
  assert.match(answer.text, message)
  assert.doesNotMatch(JSON.stringify(answer.headers), /codestead_session/)
}
