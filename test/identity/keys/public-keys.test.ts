import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addKey, ed25519Key, recorded, titles } from './support.ts'

suite('POST /user/keys', () => {
  test('adds a key and shows it with its owner', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { status, body } = await app.post(ann, '/user/keys', { title: 'laptop', key: recorded })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body as object), [
      'id',
      'key',
      'url',
      'title',
      'fingerprint',
      'created_at',
      'last_used_at',
      'user',
      'read_only',
      'key_type',
    ])
    assert.partialDeepStrictEqual(body, {
      key: recorded,
      url: `http://codestead.test/api/v1/user/keys/${body.id}`,
      title: 'laptop',
      fingerprint: 'SHA256:PYlkSN7R6XdjuoilQ5oXUWXH+OFLylU0kqdASBBp4/g',
      last_used_at: '1970-01-01T00:00:00Z',
      user: { login: 'ann', email: 'ann@example.org', active: true },
      read_only: false,
      key_type: 'user',
    })
  })

  test('keeps whether the key may only read', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { body } = await app.post(ann, '/user/keys', {
      title: 'laptop',
      key: ed25519Key(),
      read_only: true,
    })

    assert.equal(body.read_only, true)
    assert.equal((await app.get(ann, `/user/keys/${body.id}`)).body.read_only, true)
  })

  test('refuses a key that anybody has, whatever its comment', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    assertStatus(await app.post(ann, '/user/keys', { title: 'laptop', key: recorded }), 201)
    const again = recorded.replace('alice@laptop', 'another')

    for (const who of [ann, bob]) {
      const answer = await app.post(who, '/user/keys', { title: 'again', key: again })

      assertError(answer, 422, 'Key content has been used as non-deploy key')
    }
  })

  test('refuses a title that the caller has used, not one of others', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await addKey(app, ann, 'laptop')

    const same = await app.post(ann, '/user/keys', { title: 'laptop', key: ed25519Key() })
    const others = await app.post(bob, '/user/keys', { title: 'laptop', key: ed25519Key() })

    assertError(same, 422, 'Key title has been used')
    assertStatus(others, 201)
  })

  test('refuses bad bodies', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = ed25519Key()

    const cases: [unknown, string | RegExp][] = [
      [{ key }, '[Title]: Required'],
      [{ title: 'laptop' }, '[Key]: Required'],
      [{ title: 'laptop', key: '' }, '[Key]: Required'],
      [{ title: 'x'.repeat(256), key }, '[Title]: MaxSize'],
      [{ title: 'laptop', key: `${key} ${'x'.repeat(16_384)}` }, '[Key]: MaxSize'],
      [{ title: 'laptop', key: 'ssh-rsa nonsense' }, /^Invalid key content: /],
      [{ title: 'laptop', key: `${key}\n${ed25519Key()}` }, /^Invalid key content: /],
      [{ title: 'laptop', key, read_only: 'yes' }, /^\[\]: /],
    ]
    for (const [body, message] of cases) {
      assertError(await app.post(ann, '/user/keys', body), 422, message)
    }

    assert.deepEqual(await titles(app, ann, '/user/keys'), [])
  })

  test('takes one of the same key posted ten times at once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bodies = Array.from({ length: 10 }, (_, at) => ({ title: `key ${at}`, key: recorded }))

    const answers = await Promise.all(bodies.map((body) => app.post(ann, '/user/keys', body)))

    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 422)])
    assert.equal((await titles(app, ann, '/user/keys')).length, 1)
  })

  test('is for callers who signed in, with the scope to write', async (t) => {
    const app = await startApp(t)
    const ann = await app.addPerson('ann')
    const reader = await app.withToken(ann, ['read:user'])
    const body = { title: 'laptop', key: ed25519Key() }

    assertError(await app.post(undefined, '/user/keys', body), 401, 'token is required')
    assertError(await app.post(reader, '/user/keys', body), 403, /required=\[write:user\]/)
  })
})

suite('GET /user/keys', () => {
  test('lists the own keys with the total, page by page', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    for (const title of ['one', 'two', 'three']) await addKey(app, ann, title)
    await addKey(app, bob, 'other')

    const { status, headers, body } = await app.get(ann, '/user/keys?limit=2&page=2')

    assert.equal(status, 200)
    assert.deepEqual(
      (body as { title: string }[]).map(({ title }) => title),
      ['three'],
    )
    assert.equal(headers['x-total-count'], '3')
    assert.equal(headers['access-control-expose-headers'], 'X-Total-Count')
    assert.equal(body[0].user.login, 'ann')
  })

  test('finds a key by its fingerprint, among the own ones only', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await addKey(app, ann, 'other')
    const made = await app.post(ann, '/user/keys', { title: 'wanted', key: recorded })
    const query = `?fingerprint=${encodeURIComponent(made.body.fingerprint as string)}`

    assert.deepEqual(await titles(app, ann, `/user/keys${query}`), ['wanted'])
    assert.deepEqual(await titles(app, bob, `/user/keys${query}`), [])
  })

  test('is refused without sign-in and to public-only tokens', async (t) => {
    const app = await startApp(t)
    const outside = await app.addCaller('ann', {}, ['public-only', 'all'])
    const message = 'this endpoint is not available for public-only tokens'

    assertError(await app.get(undefined, '/user/keys'), 401, 'token is required')
    for (const path of ['/user/keys', '/user/keys/1']) {
      assertError(await app.get(outside, path), 403, message)
    }
    assertError(await app.post(outside, '/user/keys', {}), 403, message)
    assertError(await app.delete(outside, '/user/keys/1'), 403, message)
  })
})

suite('GET /user/keys/{id}', () => {
  test('shows any key, and its owner only to the owner and to administrators', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    const id = await addKey(app, ann)

    const [own, others, all] = await Promise.all(
      [ann, bob, root].map((who) => app.get(who, `/user/keys/${id}`)),
    )

    assert.equal(own?.body.user.login, 'ann')
    assert.equal(all?.body.user.login, 'ann')
    assert.equal(all?.body.key_type, 'user')
    assert.equal(others?.status, 200)
    assert.deepEqual(Object.keys(others?.body as object), [
      'id',
      'key',
      'url',
      'title',
      'fingerprint',
      'created_at',
      'last_used_at',
      'read_only',
    ])
  })

  test('knows no key that is not there', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    for (const id of ['1', '0', '-1', 'nonsense', '99999999999999999999']) {
      assertError(await app.get(ann, `/user/keys/${id}`), 404, 'not found')
    }
  })
})

suite('DELETE /user/keys/{id}', () => {
  test('deletes a key once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const id = await addKey(app, ann)

    assertStatus(await app.delete(ann, `/user/keys/${id}`), 204)

    assertError(await app.get(ann, `/user/keys/${id}`), 404, 'not found')
    assertError(await app.delete(ann, `/user/keys/${id}`), 404, 'not found')
  })

  test('is not for keys of others, except for administrators', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    const id = await addKey(app, ann)

    const refused = await app.delete(bob, `/user/keys/${id}`)
    const left = await titles(app, ann, '/user/keys')
    const done = await app.delete(root, `/user/keys/${id}`)

    assertError(refused, 403, 'You do not have access to this key')
    assert.deepEqual(left, ['laptop'])
    assertStatus(done, 204)
  })

  test('makes room for the same key again', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const body = { title: 'laptop', key: recorded }
    const { id } = (await app.post(ann, '/user/keys', body)).body

    assertStatus(await app.delete(ann, `/user/keys/${id}`), 204)

    assertStatus(await app.post(ann, '/user/keys', body), 201)
  })
})

suite('GET /users/{username}/keys', () => {
  test('shows the keys of others without saying whose they are', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    await addKey(app, ann)

    const { status, headers, body } = await app.get(bob, '/users/ANN/keys')

    assert.equal(status, 200)
    assert.equal(headers['x-total-count'], '1')
    assert.equal(body[0].title, 'laptop')
    assert.equal('user' in body[0], false)
    assert.equal('key_type' in body[0], false)
    for (const who of [ann, root]) {
      assert.equal((await app.get(who, '/users/ann/keys')).body[0].user.login, 'ann')
    }
  })

  test('finds a key by its fingerprint', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addKey(app, ann, 'other')
    const made = await app.post(ann, '/user/keys', { title: 'wanted', key: recorded })
    const query = `?fingerprint=${encodeURIComponent(made.body.fingerprint as string)}`

    assert.deepEqual(await titles(app, ann, `/users/ann/keys${query}`), ['wanted'])
    assert.deepEqual(await titles(app, ann, '/users/ann/keys?fingerprint=SHA256:x'), [])
  })

  test('tells first that there is nobody, then that sign-in is needed', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    await app.addPerson('hidden', { visibility: 'private' })
    const bob = await app.addCaller('bob')

    const message = 'user redirect does not exist [name: nobody]'
    assertError(await app.get(undefined, '/users/nobody/keys'), 404, message)
    assertError(await app.get(bob, '/users/hidden/keys'), 404, 'not found')
    assertError(await app.get(undefined, '/users/ann/keys'), 401, 'token is required')
  })

  test('is open to public-only tokens for public accounts alone', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    await app.addPerson('limited', { visibility: 'limited' })
    const outside = await app.addCaller('bob', {}, ['public-only', 'all'])

    assertStatus(await app.get(outside, '/users/ann/keys'), 200)
    const refused = await app.get(outside, '/users/limited/keys')
    assertError(refused, 403, 'token scope is limited to public users')
  })

  test('leads from an old name to the new one', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const root = await app.addAdmin()
    await app.post(root, '/admin/users/ann/rename', { new_username: 'anna' })

    const { status, headers } = await app.get(root, '/users/ann/keys?limit=5')

    assert.equal(status, 307)
    assert.equal(headers['location'], '/api/v1/users/anna/keys?limit=5')
  })
})
