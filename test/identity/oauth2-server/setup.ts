import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import {
  startApp,
  type Headers,
  type TestAnswer,
  type TestApp,
  type TestCaller,
} from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { signIn, type Fields, type Visitor } from '../../web/support.ts'

export const AUTHORIZE = '/login/oauth/authorize'
export const TOKEN = '/login/oauth/access_token'
export const REDIRECT = 'https://ci.example/authorize'

/** What a program without a secret proves by that it was the one to ask. */
export const verifier = 'a-verifier-of-at-least-43-characters-0123456789'
export const pkce = {
  code_challenge: hash('sha256', verifier, 'base64url'),
  code_challenge_method: 'S256',
}

export interface Client {
  readonly client_id: string
  readonly client_secret: string
}

export interface Setup {
  readonly app: TestApp
  /** Who is asked. */
  readonly ann: TestCaller
  /** Who has registered the application. */
  readonly bob: TestCaller
  readonly byAnn: Visitor
  readonly client: Client
}

export async function startWithClient(
  t: TestContext,
  settings: object = { confidential_client: true },
  changes?: ConfigChanges,
): Promise<Setup> {
  const app = await startApp(t, changes)
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  const client = await register(app, bob, settings)
  return { app, ann, bob, byAnn: await signIn(app, 'ann'), client }
}

export async function register(app: TestApp, owner: TestCaller, settings: object): Promise<Client> {
  const answer = await app.post(owner, '/user/applications/oauth2', {
    name: 'ci',
    redirect_uris: [REDIRECT],
    ...settings,
  })
  assertStatus(answer, 201)
  const { client_id, client_secret } = answer.body as Client
  return { client_id, client_secret }
}

type Texts = Readonly<Record<string, string>>

/** What the application sends somebody with to where they are asked. */
export function wishOf({ client_id }: Client, more: Texts = {}): Texts {
  return { client_id, redirect_uri: REDIRECT, response_type: 'code', state: 's1', ...more }
}

export function pathOf(wish: Texts): string {
  return `${AUTHORIZE}?${new URLSearchParams(wish).toString()}`
}

export function agree(by: Visitor, wish: Texts): Promise<TestAnswer> {
  return by.post(AUTHORIZE, { ...wish, decision: 'agree' })
}

/** The query of where the browser is led. */
export function ledTo(answer: TestAnswer): URLSearchParams {
  assertStatus(answer, 303)
  const url = new URL(answer.headers['location'] ?? '')
  assert.equal(url.origin + url.pathname, REDIRECT)
  return url.searchParams
}

export async function codeFor(by: Visitor, wish: Texts): Promise<string> {
  return ledTo(await agree(by, wish)).get('code') ?? ''
}

export function post(
  app: TestApp,
  path: string,
  fields: Fields,
  headers: Headers = {},
): Promise<TestAnswer> {
  const form = new URLSearchParams(fields as Record<string, string>).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.post(undefined, `^${path}`, form, { ...type, ...headers })
}

export function exchange(app: TestApp, client: Client, code: string, more: Texts = {}) {
  const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT, code }
  return post(app, TOKEN, { ...client, ...fields, ...more })
}

export function refresh(app: TestApp, client: Client, token: string): Promise<TestAnswer> {
  return post(app, TOKEN, { ...client, grant_type: 'refresh_token', refresh_token: token })
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token?: string
}

export async function tokensFor({ app, byAnn, client }: Setup, more: Texts = {}): Promise<Tokens> {
  const answer = await exchange(app, client, await codeFor(byAnn, wishOf(client, more)))
  assertStatus(answer, 200)
  return answer.body as Tokens
}

export function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` }
}

export function assertRefused({ status, body, headers }: TestAnswer, error: string): void {
  assert.deepEqual([status, body.error], [400, error])
  assert.deepEqual(Object.keys(body as object), ['error', 'error_description'])
  assert.equal(headers['cache-control'], 'no-store')
}
