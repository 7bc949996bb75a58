import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { FORM, formBody, upload } from '../../repositories/attachments/form.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
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
      quota: { per_repository: '1MiB', per_owner: '2MiB' },
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

  test('all that hangs on a repository counts for its quota, and all repositories for that of the owner', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t, {
      quota: { per_repository: '1MiB', per_owner: '2MiB' },
    })
    const bob = await app.addCaller('carol')
    const size = (bytes: number) => ({ content: Buffer.alloc(bytes) })
    const open = async (who: typeof ann, place: string) => {
      const { number } = (await app.post(who, `${place}/issues`, { title: 'x' })).body
      const { id } = (await app.post(who, `${place}/issues/${number}/comments`, { body: 'x' })).body
      return [`${place}/issues/${number}/assets`, `${place}/issues/comments/${id}/assets`] as const
    }
    const [ofIssue, ofComment] = await open(ann, path)

    for (const place of [ofIssue, ofComment, assets])
      assertStatus(await upload(app, ann, place, size(300_000)), 201)
    for (const place of [ofIssue, ofComment, assets])
      assertError(await upload(app, ann, place, size(300_000)), 413, 'quota exceeded')
    // What it takes the place of counts no longer; what is in git does.
    const { git_size: ofGit } = await app.ctx.db
      .selectFrom('repository')
      .select('git_size')
      .executeTakeFirstOrThrow()
    const room = 448_576 - ofGit
    const put = (name: string, bytes: number) =>
      app.put(ann, `${assets}?name=${name}`, Buffer.alloc(bytes), OCTETS)
    assertStatus(await put('file.txt', room), 200)
    assertError(await put('file.txt', room + 1), 413, 'quota exceeded')
    assertError(await put('other', 1), 413, 'quota exceeded')
    assert.equal((await app.get(ann, assets)).body[0].size, room)

    await app.post(ann, '/user/repos', { name: 'two' })
    await app.post(ann, '/user/repos', { name: 'three' })
    await app.post(bob, '/user/repos', { name: 'four' })
    const [ofSecond] = await open(ann, '/repos/ann/two')
    assertStatus(await upload(app, ann, ofSecond, size(1_000_000)), 201)
    const [ofThird] = await open(ann, '/repos/ann/three')
    assertError(await upload(app, ann, ofThird, size(100_000)), 413, 'quota exceeded')
    const [ofAnother] = await open(bob, '/repos/carol/four')
    assertStatus(await upload(app, bob, ofAnother, size(100_000)), 201)
    assertStatus(await app.delete(ann, '/repos/ann/two'), 204)
    assertStatus(await upload(app, ann, ofThird, size(100_000)), 201)
    assert.equal((await storedKeys(app)).length, 5)
  })

  test('are checked by sha256sum', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)
    const folder = mkdtempSync(join(tmpdir(), 'codestead-sums-'))
    t.after(() => rmSync(folder, { recursive: true }))
    await app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.server.address() as AddressInfo
    const download = async (url: string) =>
      (await fetch(url.replace('http://codestead.test', `http://127.0.0.1:${port}`))).bytes()
    for (const name of ['a b.txt', 'back\\slash', 'ü.bin', 'empty']) {
      const content = name === 'empty' ? '' : randomBytes(100_000)
      await app.post(ann, `${assets}?name=${encodeURIComponent(name)}`, content, OCTETS)
    }
    const files = (await app.get(undefined, assets)).body as Record<string, string>[]
    for (const { name = '', browser_download_url: url = '' } of files)
      writeFileSync(join(folder, name), await download(url))
    const check = (input: string) =>
      execFileSync('sha256sum', ['-c', '--strict'], { cwd: folder, input, stdio: 'pipe' })

    const sums = await app.get(undefined, `${release}/SHA256SUMS`)

    assert.match(sums.headers['content-type'] ?? '', /^text\/plain/)
    // Some versions of it write the name with the backslashes doubled, some as it is.
    const said = /^a b\.txt: OK\n\\?back\\{1,2}slash: OK\nempty: OK\nü\.bin: OK\n$/
    assert.match(check(sums.text).toString(), said)
    writeFileSync(join(folder, 'empty'), 'x')
    assert.throws(() => check(sums.text), /1 computed checksum did NOT match/)
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

  test('leaves what is there where the new one is refused, and shows one at any time', async (t) => {
    const { app, ann, assets } = await startWithRelease(t, {
      release: { allowed_types: '.txt', max_size: '1MiB' },
    })
    const put = (query: string, content: string | Buffer) =>
      app.put(ann, `${assets}?${query}`, content, OCTETS)
    const form = formBody([{ name: 'attachment', filename: 'a.txt', content: 'of a form' }])
    const sums = { right: hash('sha256', 'kept'), wrong: hash('sha256', 'other') }
    assertStatus(await put(`name=a.txt&sha256=${sums.right}`, 'kept'), 201)
    const [kept] = (await app.get(ann, assets)).body

    assertError(await put(`name=a.txt&sha256=${sums.wrong}`, 'new'), 422, 'digest mismatch')
    assertError(await put('name=a.txt', Buffer.alloc(1_048_577)), 500, '')
    assertError(await put('name=a.exe', 'new'), 400, /^This file cannot be uploaded/)
    assertError(await put('', 'new'), 400, 'Could not determine name of attachment.')
    assertError(await app.put(ann, assets, formBody([]), FORM), 500, '')
    assertError(await app.put(undefined, assets, 'x', OCTETS), 401)
    assertError(await app.put(ann, assets.replace(/\d+/, '999'), 'x', OCTETS), 404, 'not found')
    assert.deepEqual((await app.get(ann, assets)).body, [kept])
    assert.equal((await storedKeys(app)).length, 1)

    const writes = Array.from({ length: 8 }, (_, turn) => put('name=a.txt', `${turn}`))
    const reads = Array.from({ length: 16 }, () => app.get(undefined, assets))
    await Promise.all(writes)
    for (const read of await Promise.all(reads)) assert.deepEqual(names(read), ['a.txt'])
    assertStatus(await app.put(ann, assets, form, FORM), 200)
    const file = await app.get(undefined, '^/ann/one/releases/download/v1/a.txt')
    assert.equal(file.text, 'of a form')
  })

  test('makes a new file, or replaces a certain one, where the client says so', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const put = (content: string, headers: Record<string, string>) =>
      app.put(ann, `${assets}?name=a.txt`, content, { ...OCTETS, ...headers })
    const racing = async (headers: Record<string, string>) => {
      const answers = await Promise.all(['1', '2', '3'].map((content) => put(content, headers)))
      return answers.map(({ status }) => status).toSorted((a, b) => a - b)
    }
    const etag = async () => {
      const [{ id }] = (await app.get(ann, assets)).body
      return (await app.get(ann, `${assets}/${id}`)).headers['etag'] ?? ''
    }

    assertError(await put('x', { 'if-match': '*' }), 412)
    assert.deepEqual(await racing({ 'if-none-match': '*' }), [201, 412, 412])
    const first = await etag()
    assertError(await put('x', { 'if-none-match': first }), 412)
    assertStatus(await put('x', { 'if-none-match': '"other"' }), 200)
    assertError(await put('y', { 'if-match': first }), 412)
    assert.deepEqual(await racing({ 'if-match': await etag() }), [200, 412, 412])
    assertStatus(await put('z', { 'if-match': '*' }), 200)
    assert.deepEqual(names(await app.get(ann, assets)), ['a.txt'])
    assert.equal((await storedKeys(app)).length, 1)
  })
})
