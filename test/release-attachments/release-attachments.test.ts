import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { FORM, formBody, upload } from '../attachments/form.ts'
import type { TestAnswer } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import { startWithRelease, storedKeys } from './setup.ts'

const OCTETS = { 'content-type': 'application/octet-stream' }
const names = ({ body }: TestAnswer) => (body as { name: string }[]).map(({ name }) => name)
const FORBIDDEN =
  'This file cannot be uploaded or modified due to a forbidden file extension or type.'

suite('POST /repos/{owner}/{repo}/releases/{id}/assets', () => {
  test('answers the whole record, and only that', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)

    const made = await upload(app, ann, assets, { filename: 'C:/x/a b.png', content: 'hello' })

    assertStatus(made, 201)
    const { id, created_at, uuid } = made.body
    assert.deepEqual(Object.entries(made.body), [
      ['id', id],
      ['name', 'a b.png'],
      ['size', 5],
      ['download_count', 0],
      ['created_at', created_at],
      ['uuid', uuid],
      ['browser_download_url', `http://codestead.test/attachments/${uuid}`],
    ])
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.deepEqual((await app.get(undefined, `${assets}/${id}`)).body, made.body)
    const url = 'http://codestead.test/ann/one/releases/download/v1/a%20b.png'
    const listed = { ...made.body, browser_download_url: url }
    assert.deepEqual((await app.get(undefined, assets)).body, [listed])
    assert.deepEqual((await app.get(undefined, release)).body.assets, [listed])
  })

  test('takes the name from the query, else from the part, and cleans it', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const cases: [string, string, string][] = [
      ['', 'part.txt', 'part.txt'],
      ['?name=', 'part.txt', 'part.txt'],
      ['?name=query.txt', 'part.txt', 'query.txt'],
      ['?name=dir/file', 'part.txt', 'dir/file'],
      ['?name=..%2f..%2fx', 'part.txt', '../../x'],
      ['', '../../etc/passwd', 'passwd'],
      ['', 'a\\\\b.txt', 'a\\b.txt'],
      ['?name=a%0d%0aSet-Cookie:%20x=1.txt', 'p', 'aSet-Cookie: x=1.txt'],
      ['?name=%E2%80%AEgnp.exe', 'p', 'gnp.exe'],
      ['?name=%22;%20filename=evil.exe', 'p', '"; filename=evil.exe'],
      [`?name=${'x'.repeat(300)}`, 'p', 'x'.repeat(255)],
      [`?name=${encodeURIComponent('é'.repeat(200))}`, 'p', 'é'.repeat(127)],
    ]

    for (const [query, filename, expected] of cases) {
      const made = await upload(app, ann, assets + query, { filename })
      assert.equal(made.body.name, expected, query)
      const file = await app.get(undefined, `^/attachments/${made.body.uuid}`)
      assertStatus(file, 200)
      // oxlint-disable-next-line no-control-regex -- none of these may be there
      assert.doesNotMatch(file.headers['content-disposition'] ?? '', /[\x00-\x1f\x7f-\uffff]/)
    }
    const field = formBody([
      { name: 'name', content: 'field' },
      { name: 'attachment', filename: 'p' },
    ])
    assert.equal((await app.post(ann, assets, field, FORM)).body.name, 'p')
  })

  test('takes a raw body of any type as it is', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const content = randomBytes(100_000)
    const types = [
      OCTETS,
      {},
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json' },
    ]

    for (const headers of types) {
      const made = await app.post(ann, `${assets}?name=x`, content, headers)
      assert.partialDeepStrictEqual(made.body, { name: 'x', size: content.length })
      assert.notEqual(made.headers['connection'], 'close')
      const digest = await app.get(ann, `${assets}/${made.body.id}?digest=true`)
      assert.equal(digest.body.digest, `sha256:${hash('sha256', content)}`)
    }
    assert.equal((await app.post(ann, `${assets}?name=empty`, undefined)).body.size, 0)
    for (const query of ['', '?name=', '?name=%0a']) {
      assertError(
        await app.post(ann, assets + query, content, OCTETS),
        400,
        'Could not determine name of attachment.',
      )
    }
    assert.equal((await storedKeys(app)).length, types.length + 1)
  })

  test('fails without the part, with a broken form and beyond its limits, and stores nothing', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const root = await app.addAdmin()
    const whole = formBody([{ name: 'attachment', filename: 'a.txt', content: 'x'.repeat(5000) }])
    const twelve = Array.from({ length: 12 }, (_, n) => ({ name: `f${n}` }))
    const file = { name: 'attachment', filename: 'a.txt' }
    const missing = [
      formBody([{ name: 'file', filename: 'a.txt' }]),
      formBody([{ name: 'attachment' }]),
      formBody([{ name: 'attachment', filename: '' }]),
      formBody([]),
      formBody([{ name: '__proto__', filename: 'x' }, { name: 'constructor' }]),
    ]
    const malformed: [Buffer, Record<string, string>][] = [
      [whole.subarray(0, 3000), FORM],
      [whole.subarray(0, whole.length - 8), FORM],
      [Buffer.from('no form at all'), FORM],
      [formBody([...twelve, file]), FORM],
      [formBody([file, ...twelve]), FORM],
      [formBody([file, { ...file, content: 'x'.repeat(5000) }]).subarray(0, -2000), FORM],
      [formBody([{ ...file, name: 'x', content: 'x'.repeat(5000) }]).subarray(0, -2000), FORM],
      [whole, { 'content-type': 'multipart/form-data' }],
      [whole, { 'content-type': `multipart/form-data; boundary=${'b'.repeat(80)}` }],
    ]

    for (const body of missing) {
      const answer = await app.post(ann, assets, body, FORM)
      assertError(answer, 500, '')
    }
    assertError(await app.post(root, assets, missing[0], FORM), 500, 'http: no such file')
    const nameless = await app.post(ann, `${assets}?name=%0a`, whole.subarray(0, 3000), FORM)
    assert.ok([400, 500].includes(nameless.status))
    for (const [index, [body, headers]] of malformed.entries()) {
      const answer = await app.post(ann, assets, body, headers)
      assert.equal(answer.status, 500, String(index))
      assert.equal(answer.text, 'failed to parse request multipart form', String(index))
      assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
    }
    assert.deepEqual((await app.get(ann, assets)).body, [])
    assert.deepEqual(await storedKeys(app), [])
  })

  test('counts the size as it arrives, in both forms', async (t) => {
    const { app, ann, assets } = await startWithRelease(t, { release: { max_size: 1 } })
    const root = await app.addAdmin()
    const limit = 1_048_576
    const sizes: [number, number][] = [
      [limit - 1, 201],
      [limit, 201],
      [limit + 1, 500],
      [limit * 3, 500],
    ]

    for (const [size, status] of sizes) {
      const content = Buffer.alloc(size)
      const headers = { ...OCTETS, 'transfer-encoding': 'chunked' }
      assertStatus(await upload(app, ann, assets, { content }), status)
      assertStatus(await app.post(ann, `${assets}?name=raw`, content, OCTETS), status)
      assertStatus(await app.post(ann, `${assets}?name=raw`, content, headers), status)
    }
    assertError(
      await app.post(root, `${assets}?name=raw`, Buffer.alloc(limit + 1), OCTETS),
      500,
      'attachment exceeds limit 1048576',
    )
    assert.equal((await storedKeys(app)).length, 6)
  })

  test('keeps to the allowed types, also when renaming', async (t) => {
    const { app, ann, assets } = await startWithRelease(t, {
      release: { allowed_types: ' .Zip| image/*,application/pdf, text/**' },
    })
    const png = Buffer.from('89504e470d0a1a0a', 'hex')

    const made = await upload(app, ann, assets, { filename: 'a.ZIP' })
    assertStatus(await upload(app, ann, assets, { filename: 'x', content: png }), 201)
    assertStatus(await upload(app, ann, assets, { filename: 'x', content: '%PDF-1' }), 201)
    assertError(await upload(app, ann, assets, { filename: 'a.txt' }), 400, FORBIDDEN)
    assertError(await upload(app, ann, assets, { filename: 'x', content: '' }), 400, FORBIDDEN)
    assertError(await app.post(ann, `${assets}?name=a.exe`, 'MZ', OCTETS), 400, FORBIDDEN)

    const asset = `${assets}/${made.body.id}`
    assertError(await app.patch(ann, asset, { name: 'a.png' }), 422, FORBIDDEN)
    assertStatus(await app.patch(ann, asset, { name: 'b.zip' }), 201)
    assert.equal((await storedKeys(app)).length, 3)
  })

  test('asks who writes before it touches the body', async (t) => {
    const { app, ann, bob, path, assets } = await startWithRelease(t)
    const reader = await app.withToken(ann.account, ['read:repository'])
    const broken = ['not a form', FORM] as const

    assertError(await app.post(undefined, assets, ...broken), 401, 'token is required')
    assertError(
      await app.post(bob, assets, ...broken),
      403,
      'user should have a permission to write to a repo',
    )
    assertError(await app.post(reader, assets, ...broken), 403, /write:repository/)
    assertError(await app.post(ann, `${path}/releases/999/assets`, ...broken), 404, 'not found')
    assertError(await app.post(ann, '/repos/ann/none/releases/1/assets', ...broken), 404)
    assertStatus(await app.patch(ann, path, { archived: true }), 200)
    assertStatus(await upload(app, ann, assets), 201)
  })

  test('compares a hash that the client names, and keeps nothing that differs', async (t) => {
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

  test('stays within the quota, also when uploads race for the rest of it', async (t) => {
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

  test('does not exist while attachments are switched off; the rest does', async (t) => {
    const { app, ann, assets } = await startWithRelease(t, { attachment: { enabled: false } })

    assertError(await upload(app, ann, assets), 404, 'attachment is not enabled')
    assertStatus(await app.get(ann, assets), 200)
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assertError(await app.send(ann, method, `${assets}/1`), 404, 'not found')
  })
})

suite('the files of a release', () => {
  test('are listed by name, with addresses by identifier where names repeat', async (t) => {
    const { app, ann, release, assets } = await startWithRelease(t, {}, { tag_name: 'v1/x' })
    const folder = 'http://codestead.test/ann/one/releases/download/v1%2Fx'
    for (const name of ['b.txt', 'Z', "a(1)!'*,;?$&+=:@~-_"]) {
      await app.post(ann, `${assets}?name=${encodeURIComponent(name)}`, 'x', OCTETS)
    }
    const urls = (files: { browser_download_url: string }[]) =>
      files.map(({ browser_download_url }) => browser_download_url)

    const distinct = await app.get(undefined, `${assets}?limit=1&page=2`)
    await upload(app, ann, assets, { filename: 'Z' })
    const repeated = await app.get(undefined, assets)

    assert.deepEqual(urls(distinct.body), [
      `${folder}/Z`,
      `${folder}/a%281%29%21%27%2A%2C%3B%3F$&+=:@~-_`,
      `${folder}/b.txt`,
    ])
    assert.equal(distinct.headers['link'], undefined)
    assert.equal(distinct.headers['x-total-count'], undefined)
    assert.equal(repeated.body.length, 4)
    for (const url of urls(repeated.body)) assert.match(url, /\.test\/attachments\/[0-9a-f-]+$/)
    assert.deepEqual(urls((await app.get(undefined, release)).body.assets), urls(repeated.body))
  })

  test('are renamed and deleted by those who write', async (t) => {
    const { app, ann, bob, assets, release } = await startWithRelease(t)
    const { body } = await upload(app, ann, assets)
    const asset = `${assets}/${body.id}`

    const renamed = await app.patch(ann, asset, { name: 'b.bin' })
    const form = await app.patch(ann, asset, formBody([{ name: 'name', content: 'c.bin' }]), FORM)
    const query = await app.patch(ann, `${asset}?name=d.bin`)

    assertStatus(renamed, 201)
    assert.deepEqual(renamed.body, { ...body, name: 'b.bin' })
    assert.equal(form.body.name, 'c.bin')
    assert.equal(query.body.name, 'd.bin')
    for (const edit of [{}, { name: '' }, { name: null }]) {
      assert.equal((await app.patch(ann, asset, edit)).body.name, 'd.bin')
    }
    assertError(await app.patch(ann, asset, { name: 5 }), 422, /^\[\]: /)
    assertError(await app.patch(undefined, asset, {}), 401)
    assertError(await app.patch(bob, asset, {}), 403)
    assertError(await app.delete(undefined, asset), 401)
    assertError(await app.delete(bob, asset), 403)
    assertStatus(await app.delete(ann, asset), 204)
    for (const answer of [
      await app.delete(ann, asset),
      await app.get(ann, asset),
      await app.patch(ann, asset, { name: 'x' }),
    ]) {
      assertError(answer, 404, 'not found')
    }
    assert.deepEqual(await storedKeys(app), [])
    assert.deepEqual((await app.get(ann, release)).body.assets, [])
  })

  test('are found under their own release only', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t)
    await app.post(ann, '/user/repos', { name: 'two', auto_init: true, private: true })
    const other = await app.post(ann, '/repos/ann/two/releases', { tag_name: 'v1' })
    const sibling = await app.post(ann, `${path}/releases`, { tag_name: 'v2' })
    const { body } = await upload(app, ann, `/repos/ann/two/releases/${other.body.id}/assets`)
    const own = await upload(app, ann, assets)

    for (const place of [
      `${assets}/${body.id}`,
      `${path}/releases/${other.body.id}/assets/${body.id}`,
      `${path}/releases/${sibling.body.id}/assets/${own.body.id}`,
      `${assets}/0`,
      `${assets}/abc`,
    ]) {
      assertError(await app.get(ann, place), 404, 'not found')
      assertError(await app.patch(ann, place, { name: 'x' }), 404, 'not found')
      assertError(await app.delete(ann, place), 404, 'not found')
    }
    assertError(await app.get(ann, `${path}/releases/${other.body.id}/assets`), 404)
    assertError(await upload(app, ann, `${path}/releases/${other.body.id}/assets`), 404)
    assert.equal((await storedKeys(app)).length, 2)
  })

  test('of a draft are for writers with a writing credential', async (t) => {
    const { app, ann, bob, assets, releases } = await startWithRelease(t, {}, { draft: true })
    const reader = await app.withToken(ann.account, ['read:repository'])
    const { body } = await upload(app, ann, assets)

    for (const who of [undefined, bob, reader]) {
      assertError(await app.get(who, assets), 404, 'not found')
      assertError(await app.get(who, `${assets}/${body.id}`), 404, 'not found')
      assertError(await app.get(who, assets.replace('/assets', '/SHA256SUMS')), 404)
    }
    assert.deepEqual(names(await app.get(ann, assets)), ['file.txt'])
    const [, id] = /\/(\d+)\/assets$/.exec(assets) ?? []
    assertStatus(await app.delete(ann, `${releases}/${id}`), 204)
    assert.deepEqual(await storedKeys(app), [])
    // What is only a tag by now takes files by its number.
    assertError(await app.get(ann, `${releases}/${id}`), 404)
    assertStatus(await upload(app, ann, assets), 201)
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
