import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { upload } from '../attachments/form.ts'
import type { TestAnswer } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import { startWithRelease, storedKeys } from './setup.ts'

const OCTETS = { 'content-type': 'application/octet-stream' }
const names = ({ body }: TestAnswer) => (body as { name: string }[]).map(({ name }) => name)

/** What the contract does not have. */
suite('the files of a release, beyond the contract', () => {
  test('an upload compares a hash that the client names, and keeps nothing that differs', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const sha256 = hash('sha256', 'hello')
    const base64 = Buffer.from(sha256, 'hex').toString('base64')
    const send = (query: string, headers = {}) =>
      app.post(ann, `${assets}?name=x${query}`, 'hello', { ...OCTETS, ...headers })

    assertStatus(await send(`&sha256=${sha256.toUpperCase()}`), 201)
    assertStatus(await send('', { 'repr-digest': `md5=:x:, sha-256=:${base64}:` }), 201)
    assertStatus(await send('', { 'repr-digest': 'md5=:x:' }), 201)
    for (const answer of [
      await send(`&sha256=${hash('sha256', 'other')}`),
      await send('&sha256=short'),
      await send('', { 'repr-digest': `sha-256=:${base64.slice(4)}:` }),
      await upload(app, ann, `${assets}?sha256=${hash('sha256', 'other')}`),
      await app.post(ann, `${assets}?name=x&sha256=${sha256}`, '', OCTETS),
    ]) {
      assertError(answer, 422, 'digest mismatch')
    }
    assert.equal((await storedKeys(app)).length, 3)
  })

  test('an upload stays within the quota, also when uploads race for the rest of it', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t, {
      quota: { per_repository: 1, per_owner: 2 },
    })
    const send = (to: string) => app.post(ann, `${to}?name=x`, Buffer.alloc(400_000), OCTETS)

    const answers = await Promise.all(Array.from({ length: 6 }, () => send(assets)))

    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [201, 201, 413, 413, 413, 413])
    assertError(await send(assets), 413, 'quota exceeded')
    assert.equal((await storedKeys(app)).length, 2)
    assertStatus(await app.delete(ann, path), 204)
    assert.deepEqual(await storedKeys(app), [])
  })

  test('are checked by sha256sum', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)
    const folder = mkdtempSync(join(tmpdir(), 'codestead-sums-'))
    t.after(() => rmSync(folder, { recursive: true }))
    for (const name of ['a b.txt', 'ü.bin', 'empty']) {
      const content = name === 'empty' ? '' : randomBytes(1000)
      await app.post(ann, `${assets}?name=${encodeURIComponent(name)}`, content, OCTETS)
      writeFileSync(join(folder, name), content)
    }

    const sums = await app.get(undefined, `${release}/SHA256SUMS`)

    assert.match(sums.headers['content-type'] ?? '', /^text\/plain/)
    const said = execFileSync('sha256sum', ['-c', '--strict'], { cwd: folder, input: sums.text })
    assert.equal(said.toString(), 'a b.txt: OK\nempty: OK\nü.bin: OK\n')
  })
})

suite('PUT /repos/{owner}/{repo}/releases/{id}/assets', () => {
  test('puts a file in place of those of its name', async (t) => {
    const { app, ann, bob, assets } = await startWithRelease(t)
    const put = (who: typeof ann, content: string) =>
      app.put(who, `${assets}?name=a.txt`, content, OCTETS)
    await upload(app, ann, assets, { filename: 'other' })

    const first = await put(ann, 'one')
    await upload(app, ann, assets, { filename: 'a.txt' })
    const second = await put(ann, 'second')
    const racing = await Promise.all(['x', 'y', 'z'].map((content) => put(ann, content)))

    assertStatus(first, 201)
    assertStatus(second, 200)
    assert.notEqual(second.body.uuid, first.body.uuid)
    assert.deepEqual(
      racing.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.deepEqual(names(await app.get(ann, assets)), ['a.txt', 'other'])
    assert.equal((await storedKeys(app)).length, 2)
    assertError(await put(bob, 'x'), 403)
  })
})
