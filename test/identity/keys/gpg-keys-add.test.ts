import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import {
  PATH,
  addKey,
  tokenOf,
  armorTogether,
  forge,
  gpgKey,
  signText,
  toTestKey,
  withoutAgreement,
  withLinesOf,
} from './gpg-support.ts'

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

  test('shows a key as it was given, its lines as long as they were', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'])
    const armored = withLinesOf(64, key.armored)
    assert.notEqual(armored, key.armored)

    const { body } = await addKey(app, ann, { ...key, armored })

    assert.equal(body.public_key, armored)
    assert.equal((await app.get(ann, `${PATH}/${body.id}`)).body.public_key, armored)
  })

  test('keeps nothing of what is said around a key, such as the private one', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const key = await gpgKey(['ann@example.org'])
    const around = `Keep this!\n${key.armored}\n${key.privateKey.armor()}`

    const { body } = await addKey(app, ann, { ...key, armored: around })

    assert.equal(body.public_key, key.armored)
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
