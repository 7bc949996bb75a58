import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { gpgKey, signBytes, signText, type TestGpgKey } from '../../identity/keys/gpg-support.ts'
import { assertStatus } from '../../support/expect.ts'
import { folderOf, startWithRepository } from './setup.ts'
import { rawCommit, type CommitParts } from './signing.ts'

const noKey = { verified: false, reason: 'gpg.error.no_gpg_keys_found', signer: null }
const unreadable = { verified: false, reason: 'gpg.error.extract_sign', signer: null }
const bad = { verified: false, reason: 'gpg.error.probable_bad_signature', signer: null }

async function startSigning(t: TestContext) {
  const { app, ann, bob, path } = await startWithRepository(t)
  const folder = await folderOf(app, 'one')
  const tree = await app.ctx.git.text(folder, ['rev-parse', 'refs/heads/main^{tree}'])
  const show = async (content: Buffer) => {
    const write = ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally']
    const id = await app.ctx.git.text(folder, write, { input: content })
    const { body } = await app.get(undefined, `${path}/git/commits/${id}`)
    return body.commit.verification as { signature: string; payload: string }
  }
  const commit = (parts: Partial<CommitParts>) => rawCommit({ tree, ...parts })
  /** What is said of a commit with this signature, or with one by this key. */
  const verify = async (by: TestGpgKey | string, parts: Partial<CommitParts> = {}) => {
    const signature = typeof by === 'string' ? by : await signBytes(by, commit(parts))
    return show(commit({ ...parts, headers: [['gpgsig', signature]] }))
  }
  const addKey = async (who: typeof ann, key: TestGpgKey) => {
    const answer = await app.post(who, '/user/gpg_keys', { armored_public_key: key.armored })
    assertStatus(answer, 201)
    return answer.body as { readonly id: number }
  }
  return { app, ann, bob, commit, show, verify, addKey }
}

suite('a commit signed with an OpenPGP key', () => {
  test('is verified by a key of its committer, or a subkey of it', async (t) => {
    const { app, ann, commit, verify, addKey } = await startSigning(t)
    const key = await gpgKey(['ann@example.org'])
    const withSubkey = await gpgKey(['ann@example.org'], { subkeys: [{ sign: true }] })
    const { id } = await addKey(ann, key)
    await addKey(ann, withSubkey)
    const signer = { name: 'ann', email: 'ann@example.org', username: 'ann' }

    const shown = await verify(key)
    assert.partialDeepStrictEqual(shown, {
      verified: true,
      reason: `ann / ${key.keyId}`,
      signer,
      payload: commit({}).toString(),
    })
    assert.match(
      shown.signature,
      /^-----BEGIN PGP SIGNATURE-----\n[^]*\n-----END PGP SIGNATURE-----$/,
    )
    const subkeyId = withSubkey.privateKey.subkeys[0]?.getKeyID().toHex().toUpperCase()
    assert.partialDeepStrictEqual(await verify(withSubkey), {
      verified: true,
      reason: `ann / ${subkeyId}`,
    })
    const notUtf8 = { message: Buffer.from('caf\xe9\n', 'latin1') }
    assert.partialDeepStrictEqual(await verify(key, notUtf8), { verified: true })
    assertStatus(await app.delete(ann, `/user/gpg_keys/${id}`), 204)
    assert.partialDeepStrictEqual(await verify(key), noKey)
  })

  test('is verified only for the addresses of the key, or of its owner when that is proved', async (t) => {
    const { app, ann, bob, verify, addKey } = await startSigning(t)
    await app.post(ann, '/user/emails', { emails: ['second@example.org'] })
    const key = await gpgKey(['ann@example.org', 'bob@example.org'])
    await addKey(ann, key)
    const bobKey = await gpgKey(['bob@example.org', 'ann@example.org'])
    await addKey(bob, bobKey)
    const second = { committer: 'Ann <Second@example.org>' }

    assert.partialDeepStrictEqual(await verify(key), { verified: true })
    assert.partialDeepStrictEqual(await verify(key, second), noKey)
    assert.partialDeepStrictEqual(await verify(bobKey), noKey)
    assert.partialDeepStrictEqual(await verify(key, { committer: 'B <bob@example.org>' }), noKey)
    assert.partialDeepStrictEqual(await verify(key, { committer: 'N <no@example.org>' }), noKey)
    assert.partialDeepStrictEqual(await verify(await gpgKey(['ann@example.org'])), noKey)
    const { text: token } = await app.get(ann, '/user/gpg_key_token')
    const proof = { key_id: key.keyId, armored_signature: await signText(key, token) }
    assertStatus(await app.post(ann, '/user/gpg_key_verify', proof), 201)
    assert.partialDeepStrictEqual(await verify(key, second), {
      verified: true,
      signer: { name: 'ann', email: 'Second@example.org', username: 'ann' },
    })
  })

  test('is not verified by the signature of another commit, by two, or by what is none', async (t) => {
    const { ann, commit, show, verify, addKey } = await startSigning(t)
    const key = await gpgKey(['ann@example.org'])
    await addKey(ann, key)
    const signature = (await signBytes(key, commit({}))).trim()
    const header = ['gpgsig', signature] as const

    assert.partialDeepStrictEqual(await verify(signature), { verified: true })
    assert.partialDeepStrictEqual(await verify(signature, { message: 'other\n' }), bad)
    const none = [
      'nonsense',
      '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----',
      '-----BEGIN SIGNED MESSAGE-----\nabc\n-----END SIGNED MESSAGE-----',
      `${signature}\nmore`,
      `more\n${signature}`,
      `${signature}\n${signature}`,
      key.armored,
    ]
    for (const text of none) assert.partialDeepStrictEqual(await verify(text), unreadable)
    const twice = commit({ headers: [header, header] })
    assert.partialDeepStrictEqual(await show(twice), unreadable)
  })

  test('stays verified when its key has expired', async (t) => {
    const { ann, verify, addKey } = await startSigning(t)
    const expired = await gpgKey(['ann@example.org'], { keyExpirationTime: 60 })
    await addKey(ann, expired)

    assert.partialDeepStrictEqual(await verify(expired), { verified: true })
  })
})
