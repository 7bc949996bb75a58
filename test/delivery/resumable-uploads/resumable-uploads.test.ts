import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { expireUploads } from '../../../src/delivery/resumable-uploads/operations.ts'
import { filesFolder } from '../../../src/platform/storage/open-storage.ts'
import { startWithRelease, storedKeys } from '../release-attachments/setup.ts'
import type { TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { until } from '../../support/until.ts'

const PARTIAL = { 'content-type': 'application/partial-upload' }

async function partKeys({ ctx }: TestApp): Promise<number> {
  await ctx.jobs.runDue()
  return (await Array.fromAsync(ctx.files.list('uploads'))).length
}

suite('an upload in parts', () => {
  test('ends as an attachment of all of them', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)
    const uploads = `${release}/uploads`
    const content = randomBytes(300_000)
    const sha256 = hash('sha256', content)
    const part = (from: number, to: number) => content.subarray(from, to)

    const begun = await app.post(
      ann,
      `${uploads}?name=a.bin&sha256=${sha256}`,
      part(0, 100_000),
      PARTIAL,
    )
    const upload = begun.body.url.slice('http://codestead.test/api/v1'.length)
    const more = await app.patch(ann, upload, part(100_000, 250_000), {
      ...PARTIAL,
      'upload-offset': '100000',
    })
    const state = await app.head(ann, upload)
    const done = await app.patch(ann, upload, part(250_000, 300_000), {
      ...PARTIAL,
      'upload-offset': '250000',
      'upload-complete': '?1',
    })

    assertStatus(begun, 201)
    assert.equal(begun.headers['location'], begun.body.url)
    assert.equal(begun.headers['upload-offset'], '100000')
    assert.deepEqual([more.status, more.headers['upload-offset']], [204, '250000'])
    assert.deepEqual(
      [state.status, state.headers['upload-offset'], state.headers['upload-complete']],
      [204, '250000', '?0'],
    )
    assertStatus(done, 201)
    assert.partialDeepStrictEqual(done.body, { name: 'a.bin', size: 300_000 })
    const read = await app.get(ann, `${assets}/${done.body.id}?digest=1`)
    assert.equal(read.body.digest, `sha256:${sha256}`)
    assert.equal(await partKeys(app), 0)
    assertError(await app.get(ann, upload), 404)
  })

  test('is not complete while more of it arrives', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)
    const begun = await app.post(ann, `${release}/uploads?name=a.bin`, 'first', PARTIAL)
    const upload = begun.body.url.slice('http://codestead.test/api/v1'.length)
    const send = (offset: number, content: string, isLast: boolean) =>
      app.patch(ann, upload, content, {
        ...PARTIAL,
        'upload-offset': `${offset}`,
        'upload-complete': isLast ? '?1' : '?0',
      })
    const open = app.ctx.files.open.bind(app.ctx.files)
    const mock = t.mock.method(app.ctx.files, 'open', async (...file: Parameters<typeof open>) => {
      mock.mock.restore()
      assertStatus(await send(11, 'third', false), 204)
      return open(...file)
    })

    const early = await send(5, 'second', true)
    const attached = await app.get(ann, assets)
    const done = await send(16, '', true)

    assertError(early, 409, 'the upload has gone on elsewhere')
    assert.deepEqual(attached.body, [])
    assert.partialDeepStrictEqual(done, { status: 201, body: { size: 16 } })
    assert.deepEqual([await partKeys(app), (await storedKeys(app)).length], [0, 1])
  })

  test('keeps what arrived before the connection broke', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)
    await app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.server.address() as AddressInfo
    const begun = await app.post(ann, `${release}/uploads?name=x`, 'abc', PARTIAL)
    const path = begun.body.url.slice('http://codestead.test'.length)
    const folder = join(filesFolder(app.ctx.config), 'uploads')
    const offset = async () => (await app.get(ann, path.slice(7))).headers['upload-offset']
    const breakOff = async (from: number, text: string, headers: object) => {
      const sent = request(`http://127.0.0.1:${port}${path}`, {
        method: 'PATCH',
        headers: { ...ann.headers, ...headers, 'upload-offset': from, 'content-length': 1000 },
      })
      sent.on('error', () => undefined)
      sent.write(text)
      const { length } = text
      const parts = () => globSync('*/*', { cwd: folder }).map((name) => join(folder, name))
      await until(() => parts().some((part) => statSync(part).size === length))
      sent.destroy()
      await until(async () => (await offset()) === String(from + length))
    }

    await breakOff(3, 'de', {})
    // What was to be the last part and has not come whole ends nothing.
    await breakOff(5, 'f', { 'upload-complete': '?1' })
    await breakOff(6, 'ghij', { 'upload-complete': '?1' })

    assert.deepEqual((await app.get(ann, assets)).body, [])
    const done = await app.patch(ann, path.slice(7), 'kl', {
      'upload-offset': '10',
      'upload-complete': '?1',
    })
    assert.equal(done.body.size, 12)
    assert.equal((await app.get(ann, `^/attachments/${done.body.uuid}`)).text, 'abcdefghijkl')
  })

  test('keeps what a client sent that was too slow then', async (t) => {
    const { app, ann, release } = await startWithRelease(t)
    const url = await app.server.listen({ port: 0, host: '127.0.0.1' })
    const begun = await app.post(ann, `${release}/uploads?name=x`, 'abc', PARTIAL)
    const path = begun.body.url.slice('http://codestead.test'.length)
    const folder = join(filesFolder(app.ctx.config), 'uploads')
    const sizes = () => globSync('*/*', { cwd: folder }).map((name) => statSync(join(folder, name)))
    let passed = 0
    const now = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => now() + passed)

    const headers = { ...ann.headers, 'upload-offset': 3, 'content-length': 1000 }
    const sent = request(url + path, { method: 'PATCH', headers }).on('error', () => undefined)
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    sent.write('de')
    await until(() => sizes().some(({ size }) => size === 2))
    passed += 61_000
    sent.write('f')
    const [{ statusCode }] = await answered

    assert.equal(statusCode, 500)
    const state = await app.get(ann, path.slice(7))
    assertStatus(state, 204)
    assert.equal(state.headers['upload-offset'], '5')
    sent.destroy()
  })

  test('can be completed later when the storage fails at first', async (t) => {
    const { app, ann, release } = await startWithRelease(t)
    const begun = await app.post(ann, `${release}/uploads?name=x`, 'abc', PARTIAL)
    const upload = `${release}/uploads/${begun.body.uuid}`
    const place = join(filesFolder(app.ctx.config), 'attachments')
    const complete = (text: string, offset: number) =>
      app.patch(ann, upload, text, { 'upload-offset': `${offset}`, 'upload-complete': '?1' })

    rmSync(place, { recursive: true, force: true })
    writeFileSync(place, '')
    assertStatus(await complete('def', 3), 500)
    rmSync(place)
    const state = await app.get(ann, upload)
    const done = await complete('', 6)

    assert.equal(state.headers['upload-offset'], '6')
    assertStatus(done, 201)
    assert.equal((await app.get(ann, `^/attachments/${done.body.uuid}`)).text, 'abcdef')
  })

  test('is not begun that would be beyond the limit of size', async (t) => {
    const { app, ann, release } = await startWithRelease(t, { release: { max_size: '1MiB' } })
    const begin = (length: number, body: Buffer) =>
      app.post(ann, `${release}/uploads?name=x`, body, {
        ...PARTIAL,
        'upload-length': String(length),
      })

    assertError(await begin(900_000_000_000, Buffer.alloc(10)), 413, /exceeds limit/)
    assertStatus(await begin(1_048_576, Buffer.alloc(10)), 201)
    assert.equal(await partKeys(app), 1)
  })

  test('may be complete with its first part', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)
    const send = (query: string, headers = {}) =>
      app.post(ann, `${release}/uploads?name=x${query}`, 'abc', {
        ...PARTIAL,
        'upload-complete': '?1',
        ...headers,
      })

    const made = await send(`&sha256=${hash('sha256', 'abc')}&digest=true`)

    assertStatus(made, 200)
    assert.partialDeepStrictEqual(made.body, { name: 'x', size: 3, download_count: 0 })
    assert.deepEqual((await app.get(ann, `${assets}/${made.body.id}?digest=true`)).body, made.body)
    assertError(await send(`&sha256=${hash('sha256', 'x')}`), 422, 'digest mismatch')
    assertError(await send('', { 'upload-length': '4' }), 422, /3 of 4 bytes/)
    assertStatus(await send('', { 'upload-length': '3' }), 200)
    assertStatus(await send('', { 'upload-complete': '?0' }), 201)
    assert.equal((await app.get(ann, assets)).body.length, 2)
    assert.equal((await storedKeys(app)).length, 2)
  })

  test('counts for the quota before it is complete, and once when it is', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t, {
      quota: { per_owner: '1MiB' },
    })
    const octets = { 'content-type': 'application/octet-stream' }
    const begin = (bytes: number, headers = {}) =>
      app.post(ann, `${release}/uploads?name=x`, Buffer.alloc(bytes), { ...octets, ...headers })

    const begun = await begin(600_000)
    assertStatus(begun, 201)
    assertError(await begin(1, { 'upload-length': '500000' }), 413, 'quota exceeded')
    assertError(await begin(500_000), 413, 'quota exceeded')
    const beside = await app.post(ann, `${assets}?name=y`, Buffer.alloc(500_000), octets)
    assertError(beside, 413, 'quota exceeded')
    const racing = await Promise.all([begin(300_000), begin(300_000), begin(300_000)])
    const statuses = racing.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [201, 413, 413])
    assert.equal(await partKeys(app), 2)

    const upload = `${release}/uploads/${begun.body.uuid}`
    const last = { ...octets, 'upload-offset': '600000', 'upload-complete': '?1' }
    assertStatus(await app.patch(ann, upload, Buffer.alloc(100_000), last), 201)
    assert.equal((await app.get(ann, assets)).body[0].size, 700_000)
  })

  test('is refused where it does not fit, and to others', async (t) => {
    const { app, ann, bob, path, release } = await startWithRelease(t, {
      release: { max_size: '1MiB' },
    })
    const uploads = `${release}/uploads`
    const root = await app.addAdmin()
    const begin = async (query: string, headers = {}, body: string | Buffer = 'abc') => {
      const answer = await app.post(ann, `${uploads}?name=x${query}`, body, headers)
      assertStatus(answer, 201)
      return answer.body.url.slice('http://codestead.test/api/v1'.length) as string
    }
    const last = (offset: number) => ({ 'upload-offset': `${offset}`, 'upload-complete': '?1' })
    const upload = await begin('')

    const wrong = await app.patch(ann, upload, 'x', { 'upload-offset': '2' })
    assertError(wrong, 409)
    assert.equal(wrong.headers['upload-offset'], '3')
    assertError(await app.patch(ann, upload, 'x'), 422, 'Upload-Offset is missing')
    assertError(await app.patch(ann, upload, 'x', { 'upload-offset': '-3' }), 422)
    assertError(await app.post(ann, uploads, 'x'), 400, 'Could not determine name of attachment.')
    assertError(await app.post(undefined, `${uploads}?name=x`, 'x'), 401)
    assertError(await app.post(bob, `${uploads}?name=x`, 'x'), 403)
    assertError(await app.get(root, upload), 404)
    assertError(await app.get(ann, `${uploads}/nope`), 404)
    const other = await app.post(ann, `${path}/releases`, { tag_name: 'v2' })
    assertError(await app.get(ann, upload.replace(/\d+(?=\/uploads)/, other.body.id)), 404)

    const racing = await Promise.all(
      ['d', 'e', 'f'].map((text) => app.patch(ann, upload, text, { 'upload-offset': '3' })),
    )
    const statuses = racing.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [204, 409, 409])

    const hashed = await begin(`&sha256=${hash('sha256', 'other')}`)
    assertError(await app.patch(ann, hashed, 'd', last(3)), 422, 'digest mismatch')
    assertError(await app.get(ann, hashed), 404)
    const long = await begin('', { 'upload-length': '5' })
    assertError(await app.patch(ann, long, 'd', last(3)), 422, /4 of 5 bytes/)
    assertError(
      await app.patch(ann, long, 'xyz', { 'upload-offset': '4' }),
      413,
      'the upload has more than its 5 bytes',
    )
    const large = await begin('', {}, Buffer.alloc(1_048_576))
    assertError(
      await app.patch(ann, large, 'x', { 'upload-offset': '1048576' }),
      413,
      /exceeds limit/,
    )
    assertStatus(await app.delete(ann, upload), 204)
    assert.equal(await partKeys(app), 0)
    assert.deepEqual(await storedKeys(app), [])
  })

  test('is forgotten after a day', async (t) => {
    const { app, ann, release } = await startWithRelease(t)
    const { body } = await app.post(ann, `${release}/uploads?name=x`, 'abc')
    const upload = body.url.slice('http://codestead.test/api/v1'.length)

    app.passTime(24 * 3600 - 60)
    await expireUploads(app.ctx)
    const before = await app.get(ann, upload)
    app.passTime(120)
    const after = await app.get(ann, upload)
    await expireUploads(app.ctx)

    assertStatus(before, 204)
    assertError(after, 404)
    assert.equal(await partKeys(app), 0)
  })

  test('leaves nothing behind when what it was for is deleted', async (t) => {
    const { app, ann, path, release } = await startWithRelease(t)
    const begun = await app.post(ann, `${release}/uploads?name=x`, 'abc')
    const upload = begun.body.url.slice('http://codestead.test/api/v1'.length)
    const last = { 'upload-offset': '3', 'upload-complete': '?1' }
    assertStatus(await app.delete(ann, path), 204)

    assertError(await app.patch(ann, upload, 'd', last), 404)
    await expireUploads(app.ctx)
    assert.equal(await partKeys(app), 1, 'what is young may be about to get its record')
    app.passTime(24 * 3600 + 60)
    await expireUploads(app.ctx)

    assert.equal(await partKeys(app), 0)
    const rows = await app.ctx.db.selectFrom('upload').selectAll().execute()
    assert.deepEqual(rows, [])
  })
})
