import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { listenForLate } from '../../platform/http/late.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import {
  agree,
  assertRefused,
  bearer,
  codeFor,
  exchange,
  pkce,
  post,
  REDIRECT,
  refresh,
  register,
  startWithClient,
  TOKEN,
  tokensFor,
  verifier,
  wishOf,
  type Client,
} from './setup.ts'

function basic(name: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` }
}

suite(`POST ${TOKEN}`, () => {
  test('gives tokens for a code', async (t) => {
    const { app, byAnn, client } = await startWithClient(t)

    const answer = await exchange(app, client, await codeFor(byAnn, wishOf(client)))

    assertStatus(answer, 200)
    const { access_token, refresh_token, ...rest } = answer.body
    assert.deepEqual(rest, { token_type: 'bearer', expires_in: 3600 })
    assert.match(access_token as string, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    assert.match(refresh_token as string, /^[\w-]{43}$/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const { body } = await app.get(undefined, '/user', bearer(access_token as string))
    assert.equal(body.login, 'ann')
  })

  test('takes JSON, and the client in the header', async (t) => {
    const { app, byAnn, client } = await startWithClient(t)
    const { client_id, client_secret } = client
    const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT }
    const code = () => codeFor(byAnn, wishOf(client))
    const header = basic(client_id, client_secret)

    const json = { ...client, ...fields, code: await code() }
    assertStatus(await app.post(undefined, `^${TOKEN}`, json), 200)
    assertStatus(await post(app, TOKEN, { ...fields, code: await code() }, header), 200)
    const both = { ...client, ...fields, code: await code() }
    assertStatus(await post(app, TOKEN, both, header), 200)
    const wrong = { ...both, client_id: '00000000-0000-4000-8000-000000000000' }
    assertRefused(await post(app, TOKEN, wrong, header), 'invalid_request')
  })

  test('is for the client that it knows', async (t) => {
    const setup = await startWithClient(t)
    const { app, bob, byAnn, client } = setup
    const other = await register(app, bob, { confidential_client: true })
    const open = await register(app, bob, {})
    const code = await codeFor(byAnn, wishOf(client))
    const { refresh_token } = await tokensFor(setup)
    const strangers: readonly [Client, string][] = [
      [{ ...client, client_secret: '' }, 'invalid_client'],
      [{ ...client, client_secret: `${client.client_secret}x` }, 'invalid_client'],
      [{ ...client, client_secret: other.client_secret }, 'invalid_client'],
      [{ client_id: '', client_secret: '' }, 'invalid_client'],
      [{ client_id: 'a\u0001', client_secret: '' }, 'invalid_client'],
      [{ ...open, client_secret: 'wrong' }, 'invalid_client'],
      [other, 'invalid_grant'],
      [open, 'invalid_grant'],
    ]
    for (const [stranger, error] of strangers) {
      assertRefused(await exchange(app, stranger, code), error)
      assertRefused(await refresh(app, stranger, refresh_token), error)
    }
    assertStatus(await exchange(app, client, code), 200)
    assertStatus(await refresh(app, client, refresh_token), 200)
  })

  test('refuses what is no such request', async (t) => {
    const { app, client } = await startWithClient(t)
    const send = (fields: Record<string, string>) => post(app, TOKEN, { ...client, ...fields })

    assertRefused(await send({ grant_type: 'password' }), 'unsupported_grant_type')
    assertRefused(await send({}), 'unsupported_grant_type')
    assertRefused(await send({ grant_type: 'authorization_code' }), 'invalid_grant')
    assertRefused(await send({ grant_type: 'refresh_token' }), 'invalid_grant')
    assertRefused(await app.post(undefined, `^${TOKEN}`, { grant_type: 1 }), 'invalid_request')
    assertRefused(await app.post(undefined, `^${TOKEN}`, '{'), 'invalid_request')
    assertStatus(await send({ code: 'x'.repeat(70_000) }), 413)
  })

  test('takes a code once: what comes twice ends what came of it', async (t) => {
    const { app, byAnn, client } = await startWithClient(t)
    const code = await codeFor(byAnn, wishOf(client))
    const { body } = await exchange(app, client, code)

    assertRefused(await exchange(app, client, code), 'invalid_grant')

    assertStatus(await app.get(undefined, '/user', bearer(body.access_token as string)), 401)
    assertRefused(await refresh(app, client, body.refresh_token as string), 'invalid_grant')
  })

  test('gives tokens once, however many come with a code at the same moment', async (t) => {
    const { app, byAnn, client } = await startWithClient(t)
    const code = await codeFor(byAnn, wishOf(client))

    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(app, client, code)))

    assert.ok(answers.filter(({ status }) => status === 200).length <= 1)
    assert.ok(answers.every(({ status }) => status === 200 || status === 400))
  })

  test('wants the address that the code was given for', async (t) => {
    const { app, bob, byAnn, client } = await startWithClient(t)
    const redirect_uris = [REDIRECT, 'https://two.example/']
    const two = await register(app, bob, { confidential_client: true, redirect_uris })
    const refused = async (redirect_uri: string, by: Client) => {
      const code = await codeFor(byAnn, wishOf(by))
      assertRefused(await exchange(app, by, code, { redirect_uri }), 'invalid_grant')
    }

    await refused('https://evil.example/', client)
    await refused('https://two.example/', two)
    await refused('', two)
    const code = await codeFor(byAnn, wishOf(client))
    assertStatus(await exchange(app, client, code, { redirect_uri: '' }), 200)
  })

  test('wants no port of the loopback: installed programs learn theirs late', async (t) => {
    const redirect_uris = ['http://127.0.0.1', 'https://127.0.0.1/other']
    const installed = { confidential_client: false, redirect_uris }
    const { app, byAnn, client } = await startWithClient(t, installed)
    const asked = wishOf(client, { ...pkce, redirect_uri: 'http://127.0.0.1:4711' })
    const answerTo = async (redirect_uri: string) => {
      const { headers } = await agree(byAnn, asked)
      const code = new URL(headers['location'] ?? '').searchParams.get('code') ?? ''
      return exchange(app, client, code, { redirect_uri, code_verifier: verifier })
    }

    assertStatus(await answerTo('http://127.0.0.1:0'), 200)
    assertStatus(await answerTo('http://127.0.0.1'), 200)
    assertRefused(await answerTo('https://127.0.0.1:4711/other'), 'invalid_grant')
    assertRefused(await answerTo('http://127.0.0.1.evil.example:4711'), 'invalid_grant')
    assertRefused(await answerTo('no address'), 'invalid_grant')
  })

  test('wants the proof that was announced, and no other', async (t) => {
    const { app, bob, byAnn, client } = await startWithClient(t)
    const open = await register(app, bob, {})
    const proofs = [
      [open, pkce, verifier, 200],
      [open, pkce, '', 400],
      [open, pkce, `${verifier}x`, 400],
      [open, pkce, pkce.code_challenge, 400],
      [client, pkce, verifier, 200],
      [client, pkce, '', 400],
      [client, {}, verifier, 400],
    ] as const
    for (const [by, announced, code_verifier, status] of proofs) {
      const code = await codeFor(byAnn, wishOf(by, announced))
      assertStatus(await exchange(app, by, code, { code_verifier }), status)
    }
  })

  test('goes on with a refresh token, for a month', async (t) => {
    const setup = await startWithClient(t)
    const { app, client } = setup
    const first = await tokensFor(setup, { scope: 'read:user' })
    app.passTime(3_600)
    assertStatus(await app.get(undefined, '/user', bearer(first.access_token)), 401)

    const { status, body } = await refresh(app, client, first.refresh_token)

    assert.equal(status, 200)
    assert.notEqual(body.refresh_token, first.refresh_token)
    assertStatus(await app.get(undefined, '/user', bearer(body.access_token as string)), 200)
    assertStatus(
      await app.get(undefined, '/notifications', bearer(body.access_token as string)),
      403,
    )
    app.passTime(730 * 3_600)
    assertRefused(await refresh(app, client, body.refresh_token as string), 'invalid_grant')
  })

  test('takes the refresh token of an installed program once, but for an answer that got lost', async (t) => {
    const setup = await startWithClient(t)
    const { app, bob, byAnn } = setup
    const open = await register(app, bob, {})
    const code = await codeFor(byAnn, wishOf(open, pkce))
    const { body: first } = await exchange(app, open, code, { code_verifier: verifier })
    const { body: second } = await refresh(app, open, first.refresh_token as string)
    assertStatus(await refresh(app, open, first.refresh_token as string), 200)

    app.passTime(120)
    assertRefused(await refresh(app, open, first.refresh_token as string), 'invalid_grant')

    assertRefused(await refresh(app, open, second.refresh_token as string), 'invalid_grant')
    assertStatus(await app.get(undefined, '/user', bearer(second.access_token as string)), 401)
    const closed = await tokensFor(setup)
    await refresh(app, setup.client, closed.refresh_token)
    app.passTime(120)
    assertStatus(await refresh(app, setup.client, closed.refresh_token), 200)
  })

  test('forgets what has expired', async (t) => {
    const setup = await startWithClient(t)
    const { app } = setup
    await tokensFor(setup)
    app.passTime(731 * 3_600)

    assert.ok(await app.ctx.schedule.runNow('forget_expired_credentials'))
    await app.ctx.schedule.stop()

    for (const table of ['oauth2_code', 'oauth2_refresh_token'] as const) {
      assert.deepEqual(await app.ctx.db.selectFrom(table).selectAll().execute(), [])
    }
  })
})

suite('a token of an application', () => {
  test('reaches as far as was agreed, however it is sent', async (t) => {
    const setup = await startWithClient(t)
    const { app } = setup
    const { access_token: token } = await tokensFor(setup, { scope: 'openid read:user' })
    const ways = [
      bearer(token),
      { authorization: `token ${token}` },
      basic('anybody', token),
      basic(token, ''),
      basic(token, 'x-oauth-basic'),
    ]
    for (const way of ways) {
      assertStatus(await app.get(undefined, '/user', way), 200)
      assertStatus(await app.patch(undefined, '/user/settings', {}, way), 403)
      assertStatus(await app.get(undefined, '/notifications', way), 403)
    }
    assertStatus(await app.get(undefined, `/user?access_token=${token}`), 200)
    assertStatus(await app.get(undefined, `/notifications?token=${token}`), 403)
  })

  test('reaches everything where no scope of the API was asked for', async (t) => {
    const setup = await startWithClient(t)
    const { app } = setup
    for (const scope of ['', 'openid profile', 'admin,user,issue']) {
      const { access_token: token } = await tokensFor(setup, { scope })
      assertStatus(await app.patch(undefined, '/user/settings', {}, bearer(token)), 200)
      assertStatus(await app.get(undefined, '/notifications', bearer(token)), 200)
    }
    const { access_token: open } = await tokensFor(setup, { scope: 'public-only' })
    await app.post(setup.ann, '/user/repos', { name: 'hidden', private: true })
    assertStatus(await app.get(undefined, '/repos/ann/hidden', bearer(open)), 404)
  })

  test('is none for managing tokens, nor one of them', async (t) => {
    const setup = await startWithClient(t)
    const { app } = setup
    const { access_token: token } = await tokensFor(setup)

    const made = await app.post(undefined, '/users/ann/tokens', { name: 'x' }, basic('ann', token))

    assertError(made, 401, 'auth required')
    assertError(await app.get(undefined, '/token', bearer(token)), 404, 'invalid access token')
  })

  test('ends with the consent, the application and the account', async (t) => {
    const setup = await startWithClient(t)
    const { app, bob, byAnn, client } = setup
    const isGood = async (token: string) =>
      (await app.get(undefined, '/user', bearer(token))).status === 200
    const first = await tokensFor(setup)
    assert.ok(await isGood(first.access_token))
    const page = await byAnn.get('/user/settings/applications')
    const [, id = ''] = /name="id" value="(\d+)"/.exec(page.text) ?? []

    await byAnn.post('/user/settings/applications/withdraw', { id })
    assert.equal(await isGood(first.access_token), false)
    assertRefused(await refresh(app, client, first.refresh_token), 'invalid_grant')

    const second = await tokensFor(setup)
    const { body } = await app.get(bob, '/user/applications/oauth2')
    await app.delete(bob, `/user/applications/oauth2/${body[0].id}`)
    assert.equal(await isGood(second.access_token), false)
  })

  test('is of no use for a body that comes after the consent was withdrawn', async (t) => {
    const setup = await startWithClient(t)
    const { app, ann } = setup
    const { access_token } = await tokensFor(setup)
    const begin = await listenForLate(app)
    const headers = { ...bearer(access_token), 'content-type': 'application/json' }
    const repository = (name: string) => ({
      method: 'POST',
      path: '/api/v1/user/repos',
      headers,
      body: JSON.stringify({ name }),
    })

    assert.equal((await (await begin(repository('first')))()).status, 201)
    const finish = await begin(repository('second'))
    await app.ctx.db.deleteFrom('oauth2_grant').execute()

    assert.equal((await finish()).status, 401)
    assertStatus(await app.get(ann, '/repos/ann/second'), 404)
  })

  test('does nothing for an account that may not be used', async (t) => {
    const setup = await startWithClient(t)
    const { app, ann } = setup
    const { access_token, refresh_token } = await tokensFor(setup)
    const set = (changes: { prohibit_login: 0 | 1 } | { is_active: 0 | 1 }) =>
      app.ctx.db.updateTable('account').set(changes).where('id', '=', ann.id).execute()
    for (const [off, on] of [
      [{ prohibit_login: 1 }, { prohibit_login: 0 }],
      [{ is_active: 0 }, { is_active: 1 }],
    ] as const) {
      await set(off)
      assertStatus(await app.get(undefined, '/user', bearer(access_token)), 403)
      assertRefused(await refresh(app, setup.client, refresh_token), 'invalid_grant')
      await set(on)
      assertStatus(await app.get(undefined, '/user', bearer(access_token)), 200)
    }
  })

  test('is none that somebody has made up or changed', async (t) => {
    const setup = await startWithClient(t)
    const { app } = setup
    const { access_token: token } = await tokensFor(setup)
    const [head = '', claims = '', signature = ''] = token.split('.')
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      gnt: number
      exp: number
    }
    const forged = [
      [head, encode({ ...read, gnt: read.gnt + 1 }), signature],
      [head, encode({ ...read, exp: read.exp + 1 }), signature],
      [encode({ alg: 'none', typ: 'JWT' }), claims, ''],
      [encode({ alg: 'none', typ: 'JWT' }), claims, signature],
      [head, claims, `${signature}A`],
      [head, claims],
      ['a', 'b', 'c'],
      ['', '', ''],
      ['a'.repeat(5000), 'b', 'c'],
    ]
    for (const parts of forged) {
      assertStatus(await app.get(undefined, '/user', bearer(parts.join('.'))), 401)
    }
  })

  test('is not kept, nor is what it can be renewed with', async (t) => {
    const setup = await startWithClient(t)
    const { access_token, refresh_token } = await tokensFor(setup)
    const { db } = setup.app.ctx
    const rows = JSON.stringify([
      await db.selectFrom('oauth2_grant').selectAll().execute(),
      await db.selectFrom('oauth2_code').selectAll().execute(),
      await db.selectFrom('oauth2_refresh_token').selectAll().execute(),
    ])

    assert.ok(!rows.includes(access_token) && !rows.includes(refresh_token))
  })
})
