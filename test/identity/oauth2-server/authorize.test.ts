import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../../web/repository/support.ts'
import { askedInHalf, enrol, secondStep, startHalf } from '../../web/security-keys.ts'
import { assertSessionEnded, fromElsewhere, Visitor } from '../../web/support.ts'
import {
  agree,
  AUTHORIZE,
  bearer,
  codeFor,
  exchange,
  ledTo,
  pathOf,
  pkce,
  REDIRECT,
  register,
  startWithClient,
  tokensFor,
  verifier,
  wishOf,
} from './setup.ts'

suite(AUTHORIZE, () => {
  test('says who asks for what, and leads back with a code', async (t) => {
    const { app, byAnn, bob } = await startWithClient(t)
    const client = await register(app, bob, { name: `ci ${evil}` })
    const wish = wishOf(client, { ...pkce, scope: 'openid email read:issue write:repository' })

    const page = await byAnn.get(pathOf(wish))

    assertStatus(page, 200)
    const words = wordsOf(page)
    assert.match(words, /An application of bob asks to act for you, ann\./)
    assert.match(words, /Read and change: Repositories Read: Issues Know your e-mail address/)
    assert.match(words, /You will be led to https:\/\/ci\.example \./)
    assert.equal(hasScript(page), false)
    assert.match(
      page.headers['content-security-policy'] ?? '',
      /form-action 'self' https:\/\/ci\.example;/,
    )
    const answer = ledTo(await agree(byAnn, wish))
    assert.deepEqual([...answer.keys()], ['code', 'state'])
    assert.equal(answer.get('state'), 's1')
    assert.match(answer.get('code') ?? '', /^[\w-]{43}$/)
  })

  test('says what reaches as far as the account does', async (t) => {
    const { byAnn, client } = await startWithClient(t)
    for (const [scope, words] of [
      ['', /settings: Do everything that you may do You/],
      ['openid', /Do everything that you may do Know who you are/],
      ['admin,user public-only', /Do everything that you may do, where that is public/],
    ] as const) {
      assert.match(wordsOf(await byAnn.get(pathOf(wishOf(client, { scope })))), words)
    }
  })

  test('leads back without a code who does not agree', async (t) => {
    const { app, byAnn, client } = await startWithClient(t)

    const refused = ledTo(await byAnn.post(AUTHORIZE, { ...wishOf(client), decision: 'refuse' }))

    assert.deepEqual([refused.get('error'), refused.get('state')], ['access_denied', 's1'])
    const grants = await app.ctx.db.selectFrom('oauth2_grant').selectAll().execute()
    assert.deepEqual(grants, [])
  })

  test('has somebody sign in first, and lets the browser go on from there', async (t) => {
    const { app, client } = await startWithClient(t)
    const visitor = new Visitor(app)
    const path = pathOf(wishOf(client))

    const login = (await visitor.get(path)).headers['location'] ?? ''

    assert.equal(login, `/user/login?redirect_to=${encodeURIComponent(path)}`)
    const policy = /form-action 'self' https:\/\/ci\.example;/
    assert.match((await visitor.get(login)).headers['content-security-policy'] ?? '', policy)
    const form = { user_name: 'ann', redirect_to: path }
    const wrong = await visitor.post('/user/login', { ...form, password: 'wrong' })
    assert.match(wrong.headers['content-security-policy'] ?? '', policy)
    const right = await visitor.post('/user/login', { ...form, password: PASSWORD })
    assert.equal(right.headers['location'], path)
    const elsewhere = await visitor.get('/user/login?redirect_to=%2Fann')
    assert.match(elsewhere.headers['content-security-policy'] ?? '', /form-action 'self';/)
    const unknown = pathOf({ ...wishOf(client), redirect_uri: 'https://evil.example/' })
    const odd = await visitor.get(`/user/login?redirect_to=${encodeURIComponent(unknown)}`)
    assert.match(odd.headers['content-security-policy'] ?? '', /form-action 'self';/)
  })

  test('has who has a security key show it first, and lets the browser go on from there', async (t) => {
    const { app, byAnn, client } = await startWithClient(t)
    const { key } = await enrol(byAnn)
    const path = pathOf(wishOf(client))
    const policy = /form-action 'self' https:\/\/ci\.example;/

    const half = await startHalf(app, { redirect_to: path })

    const query = new URLSearchParams({ redirect_to: path }).toString()
    const page = await half.get(`${secondStep}?${query}`)
    assert.match(page.headers['content-security-policy'] ?? '', policy)
    const wrong = await half.post(secondStep, { redirect_to: path })
    assertStatus(wrong, 422)
    assert.match(wrong.headers['content-security-policy'] ?? '', policy)
    assert.equal((await half.get(path)).headers['location'], `/user/login?${query}`)
    const answer = key.answer(await askedInHalf(half))
    const right = await half.post(secondStep, { ...answer, redirect_to: path })
    assert.equal(right.headers['location'], path)
  })

  test('leads nobody to where the application is not registered', async (t) => {
    const { app, byAnn, bob, client } = await startWithClient(t)
    const two = await register(app, bob, { redirect_uris: [REDIRECT, 'https://two.example/'] })
    const wrong = [
      { ...wishOf(client), client_id: 'unknown' },
      { ...wishOf(client), client_id: '00000000-0000-4000-8000-000000000000' },
      ...[
        'https://evil.example/authorize',
        `${REDIRECT}/more`,
        `${REDIRECT}?more=1`,
        'https://ci.example:444/authorize',
        'http://ci.example/authorize',
        'https://ci.example@evil.example/authorize',
        'https://ci.example\\@evil.example/authorize',
        'javascript:alert(1)',
        '',
      ].map((redirect_uri) => ({ ...wishOf(client), redirect_uri })),
      { client_id: two.client_id, response_type: 'code', ...pkce },
    ]
    for (const wish of wrong) {
      for (const answer of [await byAnn.get(pathOf(wish)), await agree(byAnn, wish)]) {
        assertStatus(answer, 400)
        assert.equal(answer.headers['location'], undefined)
      }
    }
    assertStatus(await byAnn.get(pathOf({ ...wishOf(client), client_id: 'a\0b' })), 400)
    const { redirect_uri: _, ...short } = wishOf(client)
    assert.equal(ledTo(await agree(byAnn, short)).has('code'), true)
  })

  test('tells the application what it asks for in vain', async (t) => {
    const { app, byAnn, bob, client } = await startWithClient(t)
    const open = await register(app, bob, {})
    const cases = [
      [{ ...wishOf(client), response_type: 'token' }, 'unsupported_response_type'],
      [wishOf(open), 'invalid_request'],
      [wishOf(open, { ...pkce, code_challenge_method: 'plain' }), 'invalid_request'],
      [wishOf(open, { code_challenge: pkce.code_challenge }), 'invalid_request'],
      [wishOf(open, { ...pkce, code_challenge: 'short' }), 'invalid_request'],
    ] as const
    for (const [wish, error] of cases) {
      for (const answer of [
        await byAnn.get(pathOf(wish)),
        await new Visitor(app).get(pathOf(wish)),
        await agree(byAnn, wish),
      ]) {
        const told = ledTo(answer)
        assert.deepEqual([told.get('error'), told.get('code')], [error, null])
      }
    }
  })

  test('takes any port of the loopback from a program that is installed', async (t) => {
    const { app, byAnn, bob } = await startWithClient(t)
    const redirect_uris = ['http://127.0.0.1/back', 'http://[::1]', 'app:/back']
    const open = await register(app, bob, { redirect_uris })
    const closed = await register(app, bob, { redirect_uris, confidential_client: true })
    const remote = await register(app, bob, {})
    for (const redirect_uri of ['http://127.0.0.1:4711/back', 'http://[::1]:4711/', 'app:/back']) {
      const wish = wishOf(open, { ...pkce, redirect_uri })
      const { headers } = await agree(byAnn, wish)
      assert.match(headers['location'] ?? '', /[?&]code=/)
      const { origin, protocol } = new URL(redirect_uri)
      const site = protocol === 'app:' ? 'app:' : origin
      const page = await byAnn.get(pathOf(wish))
      assert.ok(page.headers['content-security-policy']?.includes(`form-action 'self' ${site};`))
    }
    for (const wish of [
      wishOf(closed, { redirect_uri: 'http://127.0.0.1:4711/back' }),
      wishOf(remote, { ...pkce, redirect_uri: 'https://ci.example:444/authorize' }),
      wishOf(open, { ...pkce, redirect_uri: 'http://127.0.0.1:4711/' }),
      wishOf(open, { ...pkce, redirect_uri: 'http://127.0.0.2:4711/back' }),
      wishOf(open, { ...pkce, redirect_uri: 'http://localhost:4711/back' }),
    ]) {
      assertStatus(await agree(byAnn, wish), 400)
    }
  })

  test('asks a second time only for something else, or for who cannot keep a secret', async (t) => {
    const setup = await startWithClient(t)
    const { app, byAnn, bob, client } = setup
    await tokensFor(setup, { scope: 'read:user' })

    assert.ok(ledTo(await byAnn.get(pathOf(wishOf(client, { scope: 'read:user' })))).has('code'))
    assertStatus(await byAnn.get(pathOf(wishOf(client, { scope: 'write:user' }))), 200)

    const open = wishOf(await register(app, bob, {}), pkce)
    await agree(byAnn, open)
    assertStatus(await byAnn.get(pathOf(open)), 200)
    const known = { skip_secondary_authorization: true }
    const skipping = wishOf(await register(app, bob, known), pkce)
    assertStatus(await byAnn.get(pathOf(skipping)), 200)
    await agree(byAnn, skipping)
    assert.ok(ledTo(await byAnn.get(pathOf(skipping))).has('code'))
  })

  test('takes no agreement from another site, nor from who is not signed in', async (t) => {
    const { app, byAnn, client } = await startWithClient(t)
    const fields = { ...wishOf(client), decision: 'agree' }

    assertStatus(await byAnn.post(AUTHORIZE, fields, fromElsewhere), 403)
    const visitor = await new Visitor(app).post(AUTHORIZE, fields)
    assertSessionEnded(visitor)
    const grants = await app.ctx.db.selectFrom('oauth2_grant').selectAll().execute()
    assert.deepEqual(grants, [])
  })

  test('what was agreed to last is what holds', async (t) => {
    const setup = await startWithClient(t)
    const { app } = setup
    const first = await tokensFor(setup, { scope: 'write:user' })
    assertStatus(await app.get(undefined, '/user', bearer(first.access_token)), 200)

    await tokensFor(setup, { scope: 'read:issue' })

    assertStatus(await app.get(undefined, '/user', bearer(first.access_token)), 403)
  })

  test('knows the programs that come with their own id, unless they are not wanted', async (t) => {
    const ids = {
      'git-credential-oauth': 'a4792ccc-144e-407e-86c9-5e7d8d9c3269',
      'git-credential-manager': 'e90ee53c-94e2-48ac-9358-a874fb9e0662',
      tea: 'd57cb8c4-630c-4168-8324-ec79935e18d4',
    }
    const wish = (client_id: string) =>
      wishOf({ client_id, client_secret: '' }, { ...pkce, redirect_uri: 'http://127.0.0.1:4711/' })
    const { app, ann, byAnn } = await startWithClient(t)
    for (const [name, id] of Object.entries(ids)) {
      const page = await byAnn.get(pathOf(wish(id)))
      assert.match(wordsOf(page), new RegExp(`Authorize ${name}\\? A program on your machine asks`))
      const { headers } = await agree(byAnn, wish(id))
      const code = new URL(headers['location'] ?? '').searchParams.get('code') ?? ''
      const more = { redirect_uri: 'http://127.0.0.1:4711/', code_verifier: verifier }
      const answer = await exchange(app, { client_id: id, client_secret: '' }, code, more)
      assertStatus(answer, 200)
    }
    const { body } = await app.get(ann, '/user/applications/oauth2')
    assert.deepEqual(body, [])

    const wanted = { oauth2: { built_in_applications: ['tea'] } }
    const other = await startWithClient(t, {}, wanted)
    assertStatus(await other.byAnn.get(pathOf(wish(ids.tea))), 200)
    assertStatus(await other.byAnn.get(pathOf(wish(ids['git-credential-manager']))), 400)
  })

  test('is not there where nobody wants it', async (t) => {
    const { app, byAnn, client } = await startWithClient(t, {}, { oauth2: { enabled: false } })

    assertStatus(await byAnn.get(pathOf(wishOf(client))), 404)
    assertStatus(await byAnn.get('/user/settings/applications'), 404)
    assertStatus(await app.get(undefined, '^/.well-known/openid-configuration'), 404)
    const settings = await byAnn.get('/user/settings')
    assert.doesNotMatch(wordsOf(settings), /Applications/)
  })

  test('gives codes for ten minutes', async (t) => {
    const { app, byAnn, client } = await startWithClient(t)
    const [early, late] = [
      await codeFor(byAnn, wishOf(client)),
      await codeFor(byAnn, wishOf(client)),
    ]

    app.passTime(590)
    assertStatus(await exchange(app, client, early), 200)
    app.passTime(10)
    assertStatus(await exchange(app, client, late), 400)
  })
})
