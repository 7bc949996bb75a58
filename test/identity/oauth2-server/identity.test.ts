import assert from 'node:assert/strict'
import { createPublicKey, verify, type JsonWebKey } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { buildApp } from '../../../src/server/app.ts'
import { asWorker, type TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { basePath, baseUrl } from '../../../src/platform/config/urls.ts'
import {
  assertRefused,
  bearer,
  post,
  refresh,
  register,
  startWithClient,
  tokensFor,
} from './setup.ts'

const INTROSPECT = '/login/oauth/introspect'

/** Its claims, when it was signed with the key that the server shows. */
async function readIdentity(app: TestApp, token: string) {
  const { body } = await app.get(undefined, '^/login/oauth/keys')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const { kid, alg } = decode(head)
  const [key] = (body.keys as (JsonWebKey & { kid: string })[]).filter((one) => one.kid === kid)
  assert.ok(key && alg === 'RS256')
  assert.deepEqual(Object.keys(key).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
  const text = Buffer.from(`${head}.${claims}`)
  const publicKey = createPublicKey({ key, format: 'jwk' })
  assert.ok(verify('RSA-SHA256', text, publicKey, Buffer.from(signature, 'base64url')))
  return decode(claims)
}

suite('who somebody is', () => {
  test('is told by a token that anybody can check', async (t) => {
    const setup = await startWithClient(t)
    const { app, ann, client } = setup
    await app.patch(ann, '/user/settings', {
      full_name: 'Ann Archer',
      website: 'https://a.example',
    })
    const scope = 'openid profile email groups'

    const { id_token = '', refresh_token } = await tokensFor(setup, { scope, nonce: 'n1' })

    const { iat, exp, ...claims } = await readIdentity(app, id_token)
    const root = baseUrl(app.ctx.config)
    assert.equal(exp - iat, 3600)
    assert.deepEqual(claims, {
      iss: root,
      sub: String(ann.id),
      aud: client.client_id,
      nonce: 'n1',
      name: 'Ann Archer',
      preferred_username: 'ann',
      profile: `${root}/ann`,
      picture: claims.picture,
      website: 'https://a.example',
      locale: '',
      email: 'ann@example.org',
      email_verified: true,
      groups: [],
    })
    const renewed = await refresh(app, client, refresh_token)
    const again = await readIdentity(app, renewed.body.id_token as string)
    assert.deepEqual([again.sub, again.nonce], [String(ann.id), undefined])
  })

  test('is told as far as it was asked for', async (t) => {
    const setup = await startWithClient(t)
    const keys = async (scope: string) => {
      const { id_token } = await tokensFor(setup, { scope })
      return id_token && Object.keys(await readIdentity(setup.app, id_token))
    }
    const least = ['iss', 'sub', 'aud', 'iat', 'exp']

    assert.equal(await keys('profile email'), undefined)
    assert.deepEqual(await keys('openid'), least)
    assert.deepEqual(await keys('openid email'), [...least, 'email', 'email_verified'])
  })

  test('names organizations and teams', async (t) => {
    const setup = await startWithClient(t)
    const { app, ann } = setup
    await app.post(ann, '/orgs', { username: 'Lab' })
    const { body: team } = await app.post(ann, '/orgs/Lab/teams', {
      name: 'Writers',
      permission: 'write',
      units: ['repo.code'],
    })
    await app.put(ann, `/teams/${team.id}/members/ann`)

    const { id_token = '', access_token } = await tokensFor(setup, { scope: 'openid groups' })

    const groups = ['Lab', 'Lab:owners', 'Lab:writers']
    assert.deepEqual((await readIdentity(app, id_token)).groups, groups)
    const { body } = await app.get(undefined, '^/login/oauth/userinfo', bearer(access_token))
    assert.deepEqual(body.groups, groups)
  })

  test('is signed with one key, also after a new start', async (t) => {
    const { app } = await startWithClient(t)
    const [one, other] = await Promise.all([
      app.get(undefined, '^/login/oauth/keys'),
      app.get(undefined, '^/login/oauth/keys'),
    ])

    assert.deepEqual(one.body, other.body)
    const { private_key } = await app.ctx.db
      .selectFrom('identity_key')
      .selectAll()
      .executeTakeFirstOrThrow()
    assert.ok(!private_key.includes('PRIVATE KEY'))
  })
})

suite('/login/oauth/keys', () => {
  test('is the same everywhere, also where several processes make it at once', async (t) => {
    const { app } = await startWithClient(t)
    const others = await Promise.all(
      [1, 2, 3].map(() => buildApp(app.ctx.config, app.ctx.log, { ...asWorker, now: app.ctx.now })),
    )
    t.after(() => Promise.all(others.map((other) => other.close())))
    const url = '/login/oauth/keys'

    const answers = await Promise.all(others.map(({ server }) => server.inject({ url })))

    const [first = '', ...rest] = answers.map(({ payload }) => payload)
    for (const payload of rest) assert.equal(payload, first)
    assert.equal((await app.get(undefined, `^${url}`)).text, first)
    const rows = await app.ctx.db.selectFrom('identity_key').select('id').execute()
    assert.equal(rows.length, 1)
  })

  test('is there as soon as the database is there again', async (t) => {
    const { app } = await startWithClient(t)
    await sql`ALTER TABLE identity_key RENAME TO hidden_key`.execute(app.ctx.db)
    const missing = await app.get(undefined, '^/login/oauth/keys')
    await sql`ALTER TABLE hidden_key RENAME TO identity_key`.execute(app.ctx.db)

    const found = await app.get(undefined, '^/login/oauth/keys')

    assertStatus(missing, 500)
    assertStatus(found, 200)
  })
})

suite('/login/oauth/userinfo', () => {
  test('tells who the token is for', async (t) => {
    const setup = await startWithClient(t)
    const { app, ann } = setup
    const { access_token } = await tokensFor(setup, { scope: 'openid email read:issue' })

    for (const answer of [
      await app.get(undefined, '^/login/oauth/userinfo', bearer(access_token)),
      await app.post(undefined, '^/login/oauth/userinfo', undefined, bearer(access_token)),
    ]) {
      assertStatus(answer, 200)
      assert.partialDeepStrictEqual(answer.body, {
        sub: String(ann.id),
        name: 'ann',
        preferred_username: 'ann',
        email: 'ann@example.org',
        groups: [],
      })
    }
  })

  test('tells whoever may read the account', async (t) => {
    const setup = await startWithClient(t)
    const { app, ann } = setup
    for (const scope of ['', 'read:user']) {
      const { access_token } = await tokensFor(setup, { scope })
      const { status, body } = await app.get(
        undefined,
        '^/login/oauth/userinfo',
        bearer(access_token),
      )
      assert.deepEqual([status, body.email], [200, 'ann@example.org'])
    }
    assertStatus(await app.get(ann, '^/login/oauth/userinfo'), 200)
    assertStatus(await app.get(app.withPassword(ann.account), '^/login/oauth/userinfo'), 200)
  })

  test('keeps the address where it was not asked for', async (t) => {
    const setup = await startWithClient(t)
    const { access_token } = await tokensFor(setup, { scope: 'openid read:issue' })
    const { body } = await setup.app.get(undefined, '^/login/oauth/userinfo', bearer(access_token))

    assert.match(body.email as string, /^\d+\+ann@noreply\./)
  })

  test('tells nothing to others', async (t) => {
    const setup = await startWithClient(t)
    const { app } = setup
    const { access_token } = await tokensFor(setup, { scope: 'read:issue' })

    const limited = await app.get(undefined, '^/login/oauth/userinfo', bearer(access_token))
    assertStatus(limited, 403)
    assert.match(limited.headers['www-authenticate'] ?? '', /error="insufficient_scope"/)
    for (const headers of [{}, bearer('a.b.c')]) {
      const answer = await app.get(undefined, '^/login/oauth/userinfo', headers)
      assertStatus(answer, 401)
      assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer realm=.*invalid_token/)
    }
  })
})

suite(`POST ${INTROSPECT}`, () => {
  test('tells the application what its tokens are good for', async (t) => {
    const setup = await startWithClient(t)
    const { app, ann, client } = setup
    const tokens = await tokensFor(setup, { scope: 'openid read:user' })
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const { status, body } = await post(app, INTROSPECT, { ...client, token })

      assert.equal(status, 200)
      const { exp, ...rest } = body
      assert.ok(exp > app.ctx.now())
      assert.deepEqual(rest, {
        active: true,
        scope: 'openid read:user',
        username: 'ann',
        iss: baseUrl(app.ctx.config),
        sub: String(ann.id),
        aud: client.client_id,
      })
    }
  })

  test('tells nothing of what is over or of others', async (t) => {
    const setup = await startWithClient(t)
    const { app, bob, client } = setup
    const other = await register(app, bob, { confidential_client: true })
    const tokens = await tokensFor(setup)
    const ask = async (by: object, token: string) =>
      (await post(app, INTROSPECT, { ...by, token })).body as unknown

    for (const token of [tokens.access_token, tokens.refresh_token]) {
      assert.deepEqual(await ask(other, token), { active: false })
    }
    for (const token of ['', 'x', 'a.b.c']) {
      assert.deepEqual(await ask(client, token), { active: false })
    }
    assertRefused(
      await post(app, INTROSPECT, { ...client, client_secret: 'x', token: 'x' }),
      'invalid_client',
    )
    const root = await app.addAdmin()
    for (const state of ['prohibit_login', 'must_change_password']) {
      const set = async (value: boolean) =>
        app.patch(root, '/admin/users/ann', { [state]: value, login_name: '', source_id: 0 })
      assert.equal((await set(true)).status, 200)
      assert.deepEqual(await ask(client, tokens.access_token), { active: false }, state)
      assert.deepEqual(await ask(client, tokens.refresh_token), { active: false }, state)
      await set(false)
    }
    assert.notDeepEqual(await ask(client, tokens.access_token), { active: false })
    app.passTime(3_600)
    assert.deepEqual(await ask(client, tokens.access_token), { active: false })
  })
})

suite('/.well-known/openid-configuration', () => {
  test('names the addresses, which are served', async (t) => {
    const { app } = await startWithClient(t)

    const { status, body } = await app.get(undefined, '^/.well-known/openid-configuration')

    assert.equal(status, 200)
    const root = baseUrl(app.ctx.config)
    assert.equal(body.issuer, root)
    assert.equal(basePath(app.ctx.config), '')
    const served = Object.entries(body as Record<string, string>).filter(([name]) =>
      /_(endpoint|uri)$/.test(name),
    )
    assert.equal(served.length, 5)
    for (const [, address] of served) {
      const path = `^${address.slice(root.length)}`
      const answers = [await app.get(undefined, path), await app.post(undefined, path, {})]
      assert.ok(
        answers.some(({ status: found }) => found !== 404),
        address,
      )
    }
  })
})
