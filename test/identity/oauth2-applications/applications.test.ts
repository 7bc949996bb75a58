import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const PATH = '/user/applications/oauth2'
const ci = { name: 'ci', redirect_uris: ['https://ci.example/authorize'] }

async function addApplication(app: TestApp, owner: TestCaller, name = 'ci'): Promise<TestAnswer> {
  const answer = await app.post(owner, PATH, { ...ci, name })
  assertStatus(answer, 201)
  return answer
}

suite('POST /user/applications/oauth2', () => {
  test('registers an application and tells its secret', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { status, body } = await app.post(ann, PATH, { ...ci, confidential_client: true })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body as object), [
      'id',
      'name',
      'client_id',
      'client_secret',
      'confidential_client',
      'skip_secondary_authorization',
      'redirect_uris',
      'created',
    ])
    assert.partialDeepStrictEqual(body, {
      name: 'ci',
      confidential_client: true,
      skip_secondary_authorization: false,
      redirect_uris: ['https://ci.example/authorize'],
    })
    assert.match(body.client_id, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.match(body.client_secret, /^gto_[a-z2-7]{52}$/)
  })

  test('keeps the secret as a hash only', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const { body } = await addApplication(app, ann)

    const row = await app.ctx.db
      .selectFrom('oauth2_application')
      .selectAll()
      .executeTakeFirstOrThrow()

    assert.match(row.secret_hash, /^[0-9a-f]{64}$/)
    assert.ok(!JSON.stringify(row).includes((body.client_secret as string).slice(4)))
  })

  test('takes both flags, and two applications of one name', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const first = await addApplication(app, ann)

    const { status, body } = await app.post(ann, PATH, {
      ...ci,
      skip_secondary_authorization: true,
      confidential_client: false,
    })

    assert.equal(status, 201)
    assert.equal(body.skip_secondary_authorization, true)
    assert.equal(body.confidential_client, false)
    assert.notEqual(body.client_id, first.body.client_id)
  })

  const accepted = [
    'https://ci.example/authorize?next=1',
    'http://127.0.0.1:8000',
    'http://[::1]/callback',
    'tea://callback',
    'com.example.app:/oauth',
  ]
  const refused = [
    '',
    'nonsense',
    '/authorize',
    '//ci.example/authorize',
    'https:ci.example',
    'https://',
    'https:///authorize',
    'https://ci.example/a b',
    'https://ci.example/\nx',
    'https://ci.example/authorize#part',
    'tea://callback#',
    'tea:',
    '1tea://callback',
    'javascript:alert(1)',
    'JavaScript://x/%0aalert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    `https://ci.example/${'x'.repeat(2048)}`,
  ]

  test('takes addresses of the web and of installed programs', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { status, body } = await app.post(ann, PATH, { name: 'ci', redirect_uris: accepted })

    assert.equal(status, 201)
    assert.deepEqual(body.redirect_uris, accepted)
  })

  test('refuses an address that is not absolute, has a fragment or could do harm', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    for (const uri of refused) {
      const answer = await app.post(ann, PATH, { name: 'ci', redirect_uris: [...accepted, uri] })

      assertError(answer, 400, /^invalid redirect URI: /)
    }

    assert.deepEqual((await app.get(ann, PATH)).body, [])
  })

  test('refuses bad bodies', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const cases: [unknown, string | RegExp][] = [
      [{ redirect_uris: ci.redirect_uris }, '[Name]: Required'],
      [{ ...ci, name: '' }, '[Name]: Required'],
      [{ ...ci, name: 'x'.repeat(256) }, '[Name]: MaxSize'],
      [{ name: 'ci' }, '[RedirectURIs]: Required'],
      [{ name: 'ci', redirect_uris: [] }, '[RedirectURIs]: Required'],
      [{ name: 'ci', redirect_uris: 'https://ci.example' }, /^\[\]: /],
      [{ name: 'ci', redirect_uris: [1] }, /^\[\]: /],
      [{ ...ci, confidential_client: 'yes' }, /^\[\]: /],
    ]
    for (const [body, message] of cases) assertError(await app.post(ann, PATH, body), 422, message)
  })
})

suite('GET /user/applications/oauth2', () => {
  test('lists the own applications without their secrets, page by page', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    for (const name of ['one', 'two', 'three']) await addApplication(app, ann, name)

    const { status, headers, body } = await app.get(ann, `${PATH}?limit=2&page=2`)

    assert.equal(status, 200)
    assert.equal(headers['x-total-count'], '3')
    assert.equal(headers['access-control-expose-headers'], 'X-Total-Count')
    assert.equal(body.length, 1)
    assert.partialDeepStrictEqual(body, [{ name: 'three', client_secret: '' }])
    assert.deepEqual((await app.get(bob, PATH)).body, [])
  })
})

suite('GET /user/applications/oauth2/{id}', () => {
  test('shows an own application without its secret', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const made = await addApplication(app, ann)

    const { status, body } = await app.get(ann, `${PATH}/${made.body.id}`)

    assert.equal(status, 200)
    assert.deepEqual(body, { ...made.body, client_secret: '' })
  })

  test('knows none of others, not even for administrators', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const { id } = (await addApplication(app, ann)).body

    assertError(await app.get(root, `${PATH}/${id}`), 404, 'not found')
    for (const other of ['999', '0', 'nonsense']) {
      assertError(await app.get(ann, `${PATH}/${other}`), 404, 'not found')
    }
  })
})

suite('PATCH /user/applications/oauth2/{id}', () => {
  test('replaces the settings and the secret, not the client id', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const made = (await app.post(ann, PATH, { ...ci, confidential_client: true })).body
    const path = `${PATH}/${made.id}`

    const { status, body } = await app.patch(ann, path, {
      name: 'builds',
      redirect_uris: ['https://ci.example/a', 'https://ci.example/b'],
    })

    assert.equal(status, 200)
    assert.match(body.client_secret, /^gto_[a-z2-7]{52}$/)
    assert.notEqual(body.client_secret, made.client_secret)
    assert.deepEqual(body, {
      ...made,
      name: 'builds',
      redirect_uris: ['https://ci.example/a', 'https://ci.example/b'],
      confidential_client: false,
      client_secret: body.client_secret,
    })
    assert.deepEqual((await app.get(ann, path)).body, { ...body, client_secret: '' })
  })

  test('changes nothing when it is refused', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const { id } = (await addApplication(app, ann)).body
    const path = `${PATH}/${id}`
    const find = () => app.ctx.db.selectFrom('oauth2_application').selectAll().execute()
    const before = await find()

    const bad = await app.patch(ann, path, { name: 'x', redirect_uris: ['nonsense'] })
    assertError(bad, 400, 'invalid redirect URI: nonsense')
    assertError(await app.patch(ann, path, { name: 'x' }), 422, '[RedirectURIs]: Required')
    assertError(await app.patch(bob, path, { ...ci, name: 'x' }), 404, 'not found')

    assert.deepEqual(await find(), before)
  })
})

suite('DELETE /user/applications/oauth2/{id}', () => {
  test('deletes an own application once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const { id } = (await addApplication(app, ann)).body

    assertError(await app.delete(bob, `${PATH}/${id}`), 404, 'not found')
    assertStatus(await app.delete(ann, `${PATH}/${id}`), 204)

    assertError(await app.delete(ann, `${PATH}/${id}`), 404, 'not found')
    assertError(await app.get(ann, `${PATH}/${id}`), 404, 'not found')
  })
})

suite('/user/applications/oauth2', () => {
  test('is refused without sign-in, without the scope, and to public-only tokens', async (t) => {
    const app = await startApp(t)
    const ann = await app.addPerson('ann')
    const reader = await app.withToken(ann, ['read:user'])
    const outside = await app.withToken(ann, ['public-only', 'all'])
    const message = 'this endpoint is not available for public-only tokens'

    const calls = [
      ['GET', PATH],
      ['POST', PATH],
      ['GET', `${PATH}/1`],
      ['PATCH', `${PATH}/1`],
      ['DELETE', `${PATH}/1`],
    ] as const
    for (const [method, path] of calls) {
      assertError(await app.send(undefined, method, path), 401, 'token is required')
      assertError(await app.send(outside, method, path), 403, message)
      if (method === 'GET') continue
      assertError(await app.send(reader, method, path), 403, /required=\[write:user\]/)
    }
  })
})
