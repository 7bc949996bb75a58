import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { basic, callerWith, startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const names = (body: { name: string }[]) => body.map(({ name }) => name)

/** An account that calls by password, as token management asks for. */
async function withAnn(app: TestApp): Promise<TestCaller> {
  return app.withPassword(await app.addPerson('ann'))
}

suite('POST /users/{username}/tokens', () => {
  test('shows the new token once, and it works', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)

    const { status, body } = await app.post(ann, '/users/ann/tokens', {
      name: 'laptop',
      scopes: ['all'],
    })

    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, {
      name: 'laptop',
      scopes: ['all'],
      created_at: '0001-01-01T00:00:00Z',
      last_used_at: '0001-01-01T00:00:00Z',
    })
    assert.match(body.sha1, /^[0-9a-f]{40}$/)
    assert.equal(body.token_last_eight, body.sha1.slice(-8))
    assertStatus(await app.get(undefined, '/user', { authorization: `token ${body.sha1}` }), 200)
    const [listed] = (await app.get(ann, '/users/ann/tokens')).body
    assert.ok(Date.parse(listed.last_used_at) / 1000 >= app.ctx.now() - 5)
  })

  test('checks name, then use of the name, then scopes', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)
    const ask = (body: object) => app.post(ann, '/users/ann/tokens', body)
    await ask({ name: 'used', scopes: ['all'] })

    assertError(await ask({ scopes: ['all'] }), 422, '[Name]: Required')
    assertError(
      await ask({ name: 'used', scopes: ['nonsense'] }),
      400,
      'access token name has been used already',
    )
    for (const scope of ['read:everything', 'nonsense', 'user', 'admin:user']) {
      const unknown = `invalid access token scope provided: invalid access token scope: ${scope}`
      assertError(await ask({ name: 'odd', scopes: ['all', scope] }), 400, unknown)
    }
    for (const scopes of [[], undefined, null, [''], ['', '']]) {
      assertError(await ask({ name: 'empty', scopes }), 400, 'access token must have a scope')
    }
    assert.deepEqual(names((await app.get(ann, '/users/ann/tokens')).body), ['used'])
  })

  test('stores scopes without repetition and in a fixed order', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)
    const nine = [
      'activitypub',
      'admin',
      'misc',
      'notification',
      'organization',
      'package',
      'issue',
      'repository',
      'user',
    ]
    const cases: [string[], string[]][] = [
      [['read:issue', 'write:issue', 'read:issue'], ['write:issue']],
      [
        ['read:user', 'public-only', 'read:admin'],
        ['public-only', 'read:admin', 'read:user'],
      ],
      [nine.map((name) => `write:${name}`), ['all']],
      [
        ['all', 'public-only'],
        ['public-only', 'all'],
      ],
      [nine.map((name) => `read:${name}`).toReversed(), nine.map((name) => `read:${name}`)],
    ]

    for (const [index, [scopes, stored]] of cases.entries()) {
      const { body } = await app.post(ann, '/users/ann/tokens', { name: `t${index}`, scopes })
      assert.deepEqual(body.scopes, stored)
    }
  })

  test('limited to what is public and to nothing else is a token', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)

    const { status, body } = await app.post(ann, '/users/ann/tokens', {
      name: 'public',
      scopes: ['public-only', ''],
    })

    assert.equal(status, 201)
    assert.deepEqual(body.scopes, ['public-only'])
    const caller = callerWith(ann.account, { authorization: `token ${body.sha1}` })
    const shown = await app.get(caller, '/token')
    assert.equal(shown.status, 200)
    assert.deepEqual(shown.body.scopes, ['public-only'])
    assertStatus(await app.get(caller, '/user'), 403)
  })

  test('of one name at the same moment makes one', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)

    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        app.post(ann, '/users/ann/tokens', { name: 'x', scopes: ['all'] }),
      ),
    )

    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.equal(answers.filter(({ status }) => status === 400).length, 9)
  })

  test('with a token in place of the password, gives no more than that token has', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)
    const made = await app.post(ann, '/users/ann/tokens', {
      name: 'narrow',
      scopes: ['write:user'],
    })
    const narrow = callerWith(ann.account, { authorization: basic('ann', made.body.sha1) })
    const ask = (name: string, scopes: string[]) =>
      app.post(narrow, '/users/ann/tokens', { name, scopes })
    const broader =
      'cannot create an access token with a broader scope than the authenticating token'

    assertStatus(await ask('reader', ['read:user']), 201)
    assertError(await ask('everything', ['all']), 403, broader)
    assertError(await ask('another', ['read:user', 'read:repository']), 403, broader)
    assert.deepEqual((await ask('limited', ['write:user', 'public-only'])).body.scopes, [
      'public-only',
      'write:user',
    ])
  })

  test('with a public-only token makes public-only tokens', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)
    const made = await app.post(ann, '/users/ann/tokens', {
      name: 'outside',
      scopes: ['public-only', 'all'],
    })
    const outside = callerWith(ann.account, { authorization: basic('ann', made.body.sha1) })

    const { body } = await app.post(outside, '/users/ann/tokens', {
      name: 'child',
      scopes: ['read:user'],
    })

    assert.deepEqual(body.scopes, ['public-only', 'read:user'])
  })
})

suite('tokens of an account', () => {
  test('are listed newest first, without the secret', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)
    const bob = app.withPassword(await app.addPerson('bob'))
    await app.post(bob, '/users/bob/tokens', { name: 'one', scopes: ['all'] })
    for (const name of ['one', 'two', 'three']) {
      await app.post(ann, '/users/ann/tokens', { name, scopes: ['read:user'] })
    }

    const { status, body, headers } = await app.get(ann, '/users/ann/tokens?limit=2')

    assert.equal(status, 200)
    assert.deepEqual(names(body), ['three', 'two'])
    assert.equal(body[0].sha1, '')
    assert.equal(headers['x-total-count'], '3')
    assert.equal(headers['link'], undefined)
    assert.equal(headers['access-control-expose-headers'], 'X-Total-Count')
    assertStatus(await app.delete(ann, '/users/ann/tokens/one'), 204)
    assert.deepEqual(names((await app.get(ann, '/users/ann/tokens')).body), ['three', 'two'])
    assert.deepEqual(names((await app.get(bob, '/users/bob/tokens')).body), ['one'])
    assertError(await app.delete(bob, '/users/bob/tokens/two'), 404)
  })

  test('are deleted by id or by name', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)
    const make = async (name: string) =>
      (await app.post(ann, '/users/ann/tokens', { name, scopes: ['all'] })).body
    const first = await make('first')
    await make('second')

    assertStatus(await app.delete(ann, `/users/ann/tokens/${first.id}`), 204)
    assertStatus(await app.delete(ann, '/users/ann/tokens/second'), 204)

    assertError(
      await app.delete(ann, `/users/ann/tokens/${first.id}`),
      404,
      'access token not found',
    )
    assertError(await app.delete(ann, '/users/ann/tokens/second'), 404, 'not found')
    const beyond = `/users/ann/tokens/${'9'.repeat(25)}`
    assertError(await app.delete(ann, beyond), 404, 'access token not found')
    assertError(await app.get(undefined, '/user', { authorization: `token ${first.sha1}` }), 401)
  })

  test('of somebody else are not reached by id', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)
    const bob = app.withPassword(await app.addPerson('bob'))
    const { body } = await app.post(bob, '/users/bob/tokens', { name: 'his', scopes: ['all'] })

    assertError(await app.delete(ann, `/users/ann/tokens/${body.id}`), 404)
    assertStatus(await app.get(undefined, '/user', { authorization: `token ${body.sha1}` }), 200)
  })

  test('are managed by the owner and by administrators, with Basic only', async (t) => {
    const app = await startApp(t)
    const ann = await withAnn(app)
    const bob = app.withPassword(await app.addPerson('bob'))
    const root = app.withPassword((await app.addAdmin()).account)
    const byToken = await app.withToken(ann.account, ['all'])
    const tokens = '/users/ann/tokens'
    const body = { name: 'x', scopes: ['read:user'] }
    const notAllowed = 'doer should be the site admin or be same as the contextUser'

    for (const who of [bob, undefined]) {
      assertError(await app.get(who, tokens), 403, notAllowed)
      assertError(await app.post(who, tokens, body), 403, notAllowed)
      assertError(await app.delete(who, `${tokens}/x`), 403, notAllowed)
    }
    assertError(await app.get(byToken, tokens), 401, 'auth required')
    assertError(await app.post(byToken, tokens, body), 401, 'auth required')
    assertError(await app.delete(byToken, `${tokens}/x`), 401, 'auth required')
    const secret = byToken.headers['authorization']?.replace('token ', '') ?? ''
    assertError(await app.get(undefined, `${tokens}?token=${secret}`), 401, 'auth required')
    const bearer = { authorization: `Bearer ${secret}` }
    assertError(await app.post(undefined, tokens, body, bearer), 401, 'auth required')
    assertStatus(await app.post(root, tokens, body), 201)
    assertStatus(await app.get(root, tokens), 200)
    assertStatus(await app.delete(root, `${tokens}/x`), 204)
    assertError(await app.get(root, '/users/nobody/tokens'), 404)
  })
})

suite('GET and DELETE /token', () => {
  test('show and revoke the token of the request, whatever its scopes', async (t) => {
    const app = await startApp(t)
    const ann = await app.addPerson('ann')
    const caller = await app.withToken(ann, ['read:misc'])

    const shown = await app.get(caller, '/token')

    assert.partialDeepStrictEqual(shown.body, {
      scopes: ['read:misc'],
      user: { id: ann.id, login: 'ann' },
    })
    assert.ok(Date.parse(shown.body.last_used_at) / 1000 >= app.ctx.now() - 5)
    assertStatus(await app.delete(caller, '/token'), 204)
    assertError(await app.get(caller, '/token'), 401)
  })

  test('need a token in the Authorization header', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const secret = ann.headers['authorization']?.replace('token ', '') ?? ''

    assertError(await app.get(undefined, '/token'), 401, 'token is required')
    assertError(await app.get(app.withPassword(ann.account), '/token'), 404, 'invalid access token')
    assertError(await app.get(undefined, `/token?token=${secret}`), 404, 'invalid access token')
    assertError(
      await app.delete(app.withPassword(ann.account), '/token'),
      404,
      'invalid access token',
    )
    assertStatus(await app.get(ann, '/token'), 200)
  })
})
