import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { placeholderEmail } from '../../../src/identity/users/present.ts'
import { startGitHost } from '../../platform/git/support.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { makeSshKey, rawCommit, signWith, skipWithoutSshKeygen } from './signing.ts'

const noKey = { verified: false, reason: 'gpg.error.no_gpg_keys_found', signer: null }
const unsigned = {
  verified: false,
  reason: 'gpg.error.not_signed_commit',
  signature: '',
  signer: null,
  payload: '',
}
const repo = '/repos/ann/one'

/** ann's repository, and a machine that signs with SSH keys and pushes to it. */
async function startSigning(t: TestContext, format: 'sha1' | 'sha256' = 'sha1') {
  const host = await startGitHost(t)
  const { app, client } = host
  const ann = await app.addCaller('ann')
  await app.post(ann, '/user/repos', { name: 'one', object_format_name: format })
  const work = await client.makeRepository('work', format)
  const addKey = async (who: TestCaller, name: string, ...type: readonly string[]) => {
    const key = { title: name, key: makeSshKey(client, name, ...type) }
    const answer = await app.post(who, '/user/keys', key)
    assertStatus(answer, 201)
    return answer.body as { readonly id: number; readonly fingerprint: string }
  }
  /** A commit signed with a key, in the name of an address. */
  const commit = async (key: string, email = 'ann@example.org') => {
    await signWith(client, key)
    const parameters = ['commit', '--quiet', '--allow-empty', '-S', '-m', `by ${key}`]
    await client.git(['-c', `user.email=${email}`, ...parameters], work)
    return client.git(['rev-parse', 'HEAD'], work)
  }
  const push = (...refs: string[]) =>
    client.git(['push', '--quiet', host.urlFor('ann', 'ann/one.git'), 'main', ...refs], work)
  const verificationOf = async (id: string) => {
    const { body } = await app.get(undefined, `${repo}/git/commits/${id}`)
    return body.commit.verification as object
  }
  return { host, app, client, ann, work, addKey, commit, push, verificationOf }
}

suite('a commit signed with an SSH key', { skip: skipWithoutSshKeygen }, () => {
  test('is verified by a key of its committer, of any type, wherever it is shown', async (t) => {
    const { app, client, ann, work, addKey, commit, push } = await startSigning(t)
    await app.patch(ann, '/user/settings', { full_name: 'Ann A.' })
    const types = ['ed25519', 'ecdsa 256', 'ecdsa 384', 'ecdsa 521', 'rsa 2048']
    const reasons: string[] = []
    for (const [index, words] of types.entries()) {
      const [type = '', bits = '256'] = words.split(' ')
      const { fingerprint } = await addKey(ann, `key${index}`, '-t', type, '-b', bits)
      await commit(`key${index}`, 'Ann@Example.org')
      reasons.unshift(`ann / ${fingerprint}`)
    }
    await client.git(['tag', '-s', '-m', 'signed', 'v1'], work)
    await client.git(['tag', '-a', '-m', 'plain', 'v2'], work)
    await push('v1', 'v2')

    const { body } = await app.get(undefined, `${repo}/commits`)
    const shown = (body as { commit: { verification: unknown } }[]).map((one) => one.commit)
    const signer = { name: 'Ann A.', email: 'Ann@Example.org', username: 'ann' }
    for (const [index, reason] of reasons.entries()) {
      assert.partialDeepStrictEqual(shown[index]?.verification, { verified: true, reason, signer })
    }
    assert.deepEqual(shown[types.length]?.verification, unsigned)
    const raw = await client.git(['cat-file', 'commit', 'main'], work)
    const [, head = '', signature = '', message = ''] =
      /^([^]*?)gpgsig ([^]*?)\n\n([^]*)$/.exec(raw) ?? []
    const latest = body[0].commit.verification
    assert.equal(latest.payload, `${head}\n${message}\n`)
    assert.equal(latest.signature, signature.replaceAll('\n ', '\n'))
    for (const path of ['branches/main', 'branches']) {
      const answer = await app.get(undefined, `${repo}/${path}`)
      const [branch] = [answer.body].flat() as { commit: { verification: unknown } }[]
      assert.deepEqual(branch?.commit.verification, latest)
    }
    const compared = await app.get(undefined, `${repo}/compare/${body[1].sha}...main`)
    assert.deepEqual(compared.body.commits[0].commit.verification, latest)
    const hidden = await app.get(undefined, `${repo}/commits?verification=false`)
    assert.equal(hidden.body[0].commit.verification, null)

    const tagOf = async (name: string) => {
      const id = await client.git(['rev-parse', name], work)
      return (await app.get(undefined, `${repo}/git/tags/${id}`)).body
    }
    const own = { name: 'Ann A.', email: 'ann@example.org', username: 'ann' }
    const tag = await tagOf('v1')
    assert.equal(tag.message, 'signed\n')
    assert.partialDeepStrictEqual(tag.verification, {
      verified: true,
      reason: reasons[0],
      signer: own,
    })
    assert.match(tag.verification.payload, /^object [^]*\n\nsigned\n$/)
    assert.deepEqual((await tagOf('v2')).verification, unsigned)
  })

  test('is not verified by the keys of others, for other addresses, or when a key is gone', async (t) => {
    const { app, client, ann, addKey, commit, push, verificationOf } = await startSigning(t)
    const bob = await app.addCaller('bob')
    const { id } = await addKey(ann, 'ann')
    await addKey(bob, 'bob')
    makeSshKey(client, 'stranger')
    const placeholder = placeholderEmail(app.ctx.config, ann.account)
    const good = await commit('ann')
    const hidden = await commit('ann', placeholder)
    const bad = [
      await commit('bob'),
      await commit('stranger'),
      await commit('ann', 'bob@example.org'),
      await commit('ann', 'nobody@example.org'),
      await commit('stranger', 'nobody@example.org'),
    ]
    await push()

    assert.partialDeepStrictEqual(await verificationOf(good), { verified: true })
    assert.partialDeepStrictEqual(await verificationOf(hidden), {
      verified: true,
      signer: { name: 'ann', email: placeholder, username: 'ann' },
    })
    for (const one of bad) assert.partialDeepStrictEqual(await verificationOf(one), noKey)
    await app.ctx.db.updateTable('email_address').set({ is_activated: 0 }).execute()
    assert.partialDeepStrictEqual(await verificationOf(good), noKey)
    await app.ctx.db.updateTable('email_address').set({ is_activated: 1 }).execute()
    assertStatus(await app.delete(ann, `/user/keys/${id}`), 204)
    assert.partialDeepStrictEqual(await verificationOf(good), noKey)
  })

  test('is not verified when it is another commit, or was signed for another purpose', async (t) => {
    const { app, client, host, ann, addKey, work, commit, push, verificationOf } =
      await startSigning(t)
    await addKey(ann, 'ann')
    await commit('ann')
    await push()
    const folder = await host.folderOf('ann/one')
    const tree = await client.git(['rev-parse', 'main^{tree}'], work)
    const write = (content: Buffer) =>
      app.ctx.git.text(folder, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input: content })
    const file = join(client.home, 'payload')
    /** What ssh-keygen makes of the commit for a purpose. */
    const sign = (payload: Buffer, purpose: string) => {
      writeFileSync(file, payload)
      const parameters = ['-q', '-Y', 'sign', '-f', join(client.home, 'ann'), '-n', purpose]
      return spawnSync('ssh-keygen', parameters, { input: payload }).stdout.toString()
    }
    const message = Buffer.from('caf\xe9\n', 'latin1')
    const parts = { tree, message }
    const signature = sign(rawCommit(parts), 'git')
    const signed = (...texts: readonly string[]) =>
      texts.map((text): [string, string] => ['gpgsig', text])

    const good = await write(rawCommit({ ...parts, headers: signed(signature) }))
    assert.partialDeepStrictEqual(await verificationOf(good), { verified: true })
    const [first = '', ...lines] = signature.split('\n')
    const wrong = [
      rawCommit({ tree, headers: signed(signature) }),
      rawCommit({ ...parts, headers: signed(sign(rawCommit(parts), 'file')) }),
      rawCommit({ ...parts, headers: signed(signature, signature) }),
      rawCommit({ ...parts, headers: signed(`${signature}more`) }),
      rawCommit({ ...parts, headers: signed([first, ...lines.toReversed()].join('\n')) }),
      rawCommit({ ...parts, headers: signed([first, 'AAAA', ...lines].join('\n')) }),
      rawCommit({ ...parts, headers: signed([first, ...lines.slice(1)].join('\n')) }),
    ]
    for (const content of wrong) {
      assert.partialDeepStrictEqual(await verificationOf(await write(content)), noKey)
    }
    const otherFormat = [['gpgsig-sha256', signature]] as const
    const unread = await write(rawCommit({ ...parts, headers: otherFormat }))
    assert.deepEqual(await verificationOf(unread), unsigned)
  })

  test('is verified in a repository with SHA-256 too', async (t) => {
    const { ann, addKey, commit, push, verificationOf } = await startSigning(t, 'sha256')
    const { fingerprint } = await addKey(ann, 'ann')
    const id = await commit('ann')
    await push()

    assert.equal(id.length, 64)
    assert.partialDeepStrictEqual(await verificationOf(id), {
      verified: true,
      reason: `ann / ${fingerprint}`,
    })
  })
})
