import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { PATH, addKey, tokenOf, gpgKey, signText } from './gpg-support.ts'

suite('GET /user/gpg_keys and /user/gpg_keys/{id}', () => {
  test('show the own keys, page by page', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const keys = [await gpgKey(['ann@example.org']), await gpgKey(['ann@example.org'])]
    for (const key of keys) assertStatus(await addKey(app, ann, key), 201)

    const { status, headers, body } = await app.get(ann, `${PATH}?limit=1&page=2`)

    assert.equal(status, 200)
    assert.equal(headers['x-total-count'], '2')
    assert.deepEqual(
      (body as { key_id: string }[]).map(({ key_id }) => key_id),
      [keys[1]?.keyId],
    )
    assert.equal(body[0].subkeys.length, 1)
    assert.deepEqual((await app.get(ann, `${PATH}/${body[0].id}`)).body, body[0])
    assert.deepEqual((await app.get(bob, PATH)).body, [])
  })

  test('show an address only as long as the account has it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/emails', { emails: ['second@example.org'] })
    const key = await gpgKey(['ann@example.org', 'second@example.org'])
    const made = await addKey(app, ann, key)
    await app.delete(ann, '/user/emails', { emails: ['second@example.org'] })

    const { body } = await app.get(ann, PATH)

    assert.equal(made.body.emails.length, 2)
    assert.deepEqual(body[0].emails, [{ email: 'ann@example.org', verified: true }])
  })

  test('know no keys of others, no subkeys, and none that are not there', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const { body } = await addKey(app, ann, await gpgKey(['ann@example.org']))

    assertError(await app.get(root, `${PATH}/${body.id}`), 404, 'not found')
    for (const id of [body.subkeys[0].id as number, 999, 'nonsense']) {
      assertError(await app.get(ann, `${PATH}/${id}`), 404, 'not found')
    }
  })
})

suite('DELETE /user/gpg_keys/{id}', () => {
  test('deletes a key with its subkeys, once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const key = await gpgKey(['ann@example.org'])
    const { body } = await addKey(app, ann, key)
    const path = `${PATH}/${body.id}`

    assertError(await app.delete(bob, path), 404, 'not found')
    assertError(await app.delete(ann, `${PATH}/${body.subkeys[0].id}`), 404, 'not found')
    assertStatus(await app.delete(ann, path), 204)

    assertError(await app.delete(ann, path), 404, 'not found')
    assert.deepEqual(await app.ctx.db.selectFrom('gpg_key').selectAll().execute(), [])
    assertStatus(await addKey(app, ann, key), 201)
  })
})

suite('GET /user/gpg_key_token', () => {
  test('is a plain text that differs between accounts and changes with time', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    const { headers, text } = await app.get(ann, '/user/gpg_key_token')
    const others = await tokenOf(app, bob)
    app.passTime(600)
    const later = await tokenOf(app, ann)

    assert.equal(headers['content-type'], 'text/plain;charset=utf-8')
    assert.match(text, /^[0-9a-f]{64}$/)
    assert.equal(new Set([text, others, later]).size, 3)
  })
})

suite('POST /user/gpg_key_verify', () => {
  for (const ending of ['', '\n', '\r\n']) {
    test(`marks a key as verified by the token followed by ${JSON.stringify(ending)}`, async (t) => {
      const app = await startApp(t)
      const ann = await app.addCaller('ann')
      const key = await gpgKey(['ann@example.org'])
      await addKey(app, ann, key)

      const { status, body } = await app.post(ann, '/user/gpg_key_verify', {
        key_id: key.keyId,
        armored_signature: await signText(key, (await tokenOf(app, ann)) + ending),
      })

      assert.equal(status, 201)
      assert.partialDeepStrictEqual(body, { key_id: key.keyId, verified: true })
      assert.equal(body.subkeys[0].verified, true)
      assert.equal((await app.get(ann, PATH)).body[0].verified, true)
    })
  }

  test('knows the key by its fingerprint and by a subkey too', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'], { subkeys: [{ sign: true }] })
    await addKey(app, ann, key)
    const names = [
      key.privateKey.getFingerprint(),
      `0x${key.privateKey.subkeys[0]?.getKeyID().toHex()}`,
    ]

    for (const key_id of names) {
      const armored_signature = await signText(key, await tokenOf(app, ann))
      const answer = await app.post(ann, '/user/gpg_key_verify', { key_id, armored_signature })

      assertStatus(answer, 201)
      assert.equal(answer.body.key_id, key.keyId)
    }
  })

  test('takes the token of a moment ago, not an old one', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'])
    await addKey(app, ann, key)
    const body = {
      key_id: key.keyId,
      armored_signature: await signText(key, await tokenOf(app, ann)),
    }

    app.passTime(120)
    const soon = await app.post(ann, '/user/gpg_key_verify', body)
    app.passTime(600)
    const late = await app.post(ann, '/user/gpg_key_verify', body)

    assertStatus(soon, 201)
    assertError(late, 422, /token is out of date/)
  })

  test('refuses a wrong signature, unknown keys and bad bodies', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const key = await gpgKey(['ann@example.org'])
    await addKey(app, ann, key)
    const verify = (who: TestCaller, body: unknown) => app.post(who, '/user/gpg_key_verify', body)
    const good = await signText(key, await tokenOf(app, bob))

    const wrong = await verify(ann, { key_id: key.keyId, armored_signature: good })
    const foreign = await verify(bob, { key_id: key.keyId, armored_signature: good })

    assertError(wrong, 422, /^The provided GPG key, signature and token do not match/)
    assertError(foreign, 404, 'not found')
    assertError(await verify(ann, { armored_signature: good }), 422, '[KeyID]: Required')
    assertError(await verify(ann, { key_id: key.keyId }), 422, '[Signature]: Required')
    assert.equal((await app.get(ann, PATH)).body[0].verified, false)
  })
})

suite('GET /users/{username}/gpg_keys', () => {
  test('shows the keys of somebody to whoever signed in', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const { body: made } = await addKey(app, ann, await gpgKey(['ann@example.org']))

    const { status, headers, body } = await app.get(bob, '/users/ANN/gpg_keys')

    assert.equal(status, 200)
    assert.equal(headers['x-total-count'], '1')
    assert.deepEqual(body, [made])
  })

  test('tells first that there is nobody, then that sign-in is needed', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('hidden', { visibility: 'private' })

    assertError(await app.get(undefined, '/users/nobody/gpg_keys'), 404)
    assertError(await app.get(ann, '/users/hidden/gpg_keys'), 404, 'not found')
    assertError(await app.get(undefined, '/users/ann/gpg_keys'), 401, 'token is required')
  })
})

suite('/user/gpg_keys', () => {
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
      ['DELETE', `${PATH}/1`],
      ['GET', '/user/gpg_key_token'],
      ['POST', '/user/gpg_key_verify'],
    ] as const
    for (const [method, path] of calls) {
      assertError(await app.send(undefined, method, path), 401, 'token is required')
      assertError(await app.send(outside, method, path), 403, message)
      if (method === 'GET') continue
      assertError(await app.send(reader, method, path), 403, /required=\[write:user\]/)
    }
  })
})
