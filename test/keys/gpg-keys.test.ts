import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import {
  armorTogether,
  forge,
  gpgKey,
  signText,
  toTestKey,
  withoutAgreement,
  type TestGpgKey,
} from './gpg-support.ts'

const PATH = '/user/gpg_keys'

async function addKey(app: TestApp, who: TestCaller, key: TestGpgKey): Promise<TestAnswer> {
  return app.post(who, PATH, { armored_public_key: key.armored })
}

async function tokenOf(app: TestApp, who: TestCaller): Promise<string> {
  const answer = await app.get(who, '/user/gpg_key_token')
  assertStatus(answer, 200)
  return answer.text
}

suite('POST /user/gpg_keys', () => {
  test('adds a key that names an address of the caller', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['Ann@example.org', 'ann@elsewhere.example'])

    const { status, body } = await addKey(app, ann, key)

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body as object), [
      'id',
      'primary_key_id',
      'key_id',
      'public_key',
      'emails',
      'subkeys',
      'can_sign',
      'can_encrypt_comms',
      'can_encrypt_storage',
      'can_certify',
      'verified',
      'created_at',
      'expires_at',
    ])
    assert.partialDeepStrictEqual(body, {
      primary_key_id: '',
      key_id: key.keyId,
      can_sign: true,
      can_encrypt_comms: false,
      can_encrypt_storage: false,
      can_certify: true,
      verified: false,
      created_at: key.privateKey.getCreationTime().toISOString().replace('.000', ''),
      expires_at: '1970-01-01T00:00:00Z',
    })
    assert.deepEqual(body.emails, [{ email: 'ann@example.org', verified: true }])
    assert.match(body.public_key, /^-----BEGIN PGP PUBLIC KEY BLOCK-----/)
  })

  test('shows what its subkeys are for', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'], { subkeys: [{}, { sign: true }] })
    const [encrypting, signing] = key.privateKey.subkeys

    const { body } = await addKey(app, ann, key)

    assert.equal(body.subkeys.length, 2)
    assert.partialDeepStrictEqual(body.subkeys, [
      {
        primary_key_id: key.keyId,
        key_id: encrypting?.getKeyID().toHex().toUpperCase(),
        can_sign: false,
        can_encrypt_comms: true,
        can_encrypt_storage: true,
        can_certify: false,
      },
      {
        primary_key_id: key.keyId,
        key_id: signing?.getKeyID().toHex().toUpperCase(),
        can_sign: true,
        can_encrypt_comms: false,
      },
    ])
    assert.deepEqual(body.subkeys[0].emails, [])
    assert.deepEqual(body.subkeys[0].subkeys, [])
  })

  test('lets a subkey sign only when it has agreed to belong to the key', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'], { subkeys: [{ sign: true }] })

    const { status, body } = await app.post(ann, PATH, {
      armored_public_key: await withoutAgreement(key),
    })

    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body.subkeys, [{ can_sign: false }])
  })

  test('keeps a subkey that has expired', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const subkeys = [{ sign: true, keyExpirationTime: 60 }]
    const key = await gpgKey(['ann@example.org'], { subkeys })

    const { body } = await addKey(app, ann, key)

    const [subkey] = body.subkeys
    assert.equal(subkey.can_sign, true)
    assert.equal(Date.parse(subkey.expires_at) - Date.parse(subkey.created_at), 60_000)
  })

  test('shows when the key expires', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'], { keyExpirationTime: 86_400 })

    const { body } = await addKey(app, ann, key)

    const seconds = (Date.parse(body.expires_at) - Date.parse(body.created_at)) / 1000
    assert.equal(seconds, 86_400)
  })

  test('takes a key of another address when it has signed the token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@elsewhere.example'])
    const signature = await signText(key, await tokenOf(app, ann))

    const { status, body } = await app.post(ann, PATH, {
      armored_public_key: key.armored,
      armored_signature: signature,
    })

    assert.equal(status, 201)
    assert.equal(body.verified, true)
    assert.equal(body.subkeys[0].verified, true)
    assert.deepEqual(body.emails, [])
  })

  test('knows no key of another address without that, and says what to sign', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    const key = await gpgKey(['bob@example.org'])

    const answer = await addKey(app, ann, key)

    assertError(answer, 404, /^None of the emails attached to the GPG key could be found/)
    assert.ok((answer.body.message as string).endsWith(await tokenOf(app, ann)))
  })

  test('refuses a signature of another text, by another key, or for another account', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const key = await gpgKey(['ann@example.org'])
    const token = await tokenOf(app, ann)
    const stranger = await gpgKey(['ann@example.org'])

    const signatures = [
      await signText(key, 'something else'),
      await signText(stranger, token),
      await signText(key, await tokenOf(app, bob)),
      'nonsense',
    ]
    for (const armored_signature of signatures) {
      const body = { armored_public_key: key.armored, armored_signature }
      assertError(
        await app.post(ann, PATH, body),
        404,
        /^The provided GPG key, signature and token/,
      )
    }

    assert.deepEqual((await app.get(ann, PATH)).body, [])
  })

  test('refuses a key that anybody has', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const key = await gpgKey(['ann@example.org', 'bob@example.org'])
    assertStatus(await addKey(app, ann, key), 201)

    for (const who of [ann, bob]) {
      assertError(await addKey(app, who, key), 422, 'A key with the same id already exists')
    }
  })

  test('takes one of the same key posted five times at once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'])

    const answers = await Promise.all(Array.from({ length: 5 }, () => addKey(app, ann, key)))

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 422, 422, 422, 422],
    )
    const { body } = await app.get(ann, PATH)
    assert.equal(body.length, 1)
    assert.equal(body[0].subkeys.length, 1)
  })

  test('refuses what is no single public key', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'])
    const other = await gpgKey(['ann@example.org'])

    const cases: [string, RegExp][] = [
      ['nonsense', /^failed to parse gpg key: /],
      [key.armored.slice(0, 200), /^failed to parse gpg key: /],
      [armorTogether(key, other), /^failed to parse gpg key: expected one key$/],
      [key.privateKey.armor(), /^failed to parse gpg key: this is a private key/],
    ]
    for (const [armored_public_key, message] of cases) {
      assertError(await app.post(ann, PATH, { armored_public_key }), 422, message)
    }
    assertError(await app.post(ann, PATH, {}), 422, '[ArmoredKey]: Required')
    const long = { armored_public_key: 'x'.repeat(131_073) }
    assertError(await app.post(ann, PATH, long), 422, '[ArmoredKey]: MaxSize')
  })

  test('refuses a revoked key', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const { privateKey } = await gpgKey(['ann@example.org'])
    const revoked = toTestKey(await privateKey.revoke())
    app.passTime(60)

    const answer = await addKey(app, ann, revoked)

    assertError(answer, 422, 'failed to parse gpg key: the key is revoked')
  })

  test('counts no name and no subkey that the key has not signed', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const annKey = await gpgKey(['ann@example.org'])
    const bobKey = await gpgKey(['bob@example.org'])
    const armored = forge(annKey, bobKey)

    const refused = await app.post(bob, PATH, { armored_public_key: armored })
    const { body } = await app.post(ann, PATH, { armored_public_key: armored })

    assertError(refused, 404, /^None of the emails/)
    assert.deepEqual(
      (body.subkeys as { key_id: string }[]).map(({ key_id }) => key_id),
      annKey.privateKey.subkeys.map((one) => one.getKeyID().toHex().toUpperCase()),
    )
    assertStatus(await addKey(app, bob, bobKey), 201)
  })
})

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
