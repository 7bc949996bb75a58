import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { FORM, formBody, upload } from '../../repositories/attachments/form.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
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
      ['', 'folder/', 'folder'],
      ['', 'a\\\\b.txt', 'a\\b.txt'],
      ['?name=a%0d%0aSet-Cookie:%20x=1.txt', 'p', 'aSet-Cookie: x=1.txt'],
      ['?name=%E2%80%AEgnp.exe', 'p', 'gnp.exe'],
      ['?name=%22;%20filename=evil.exe', 'p', '"; filename=evil.exe'],
      [`?name=${'x'.repeat(300)}`, 'p', 'x'.repeat(255)],
      [`?name=${'x'.repeat(300)}.tar.gz`, 'p', `${'x'.repeat(252)}.gz`],
      [`?name=x.${'y'.repeat(300)}`, 'p', `x.${'y'.repeat(253)}`],
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
    for (const type of ['Multipart/FORM-Data', 'multipart/form-data; charset=utf-8'])
      for (const boundary of ['the-boundary', '"the-boundary"']) {
        const headers = { 'content-type': `${type}; boundary=${boundary}` }
        assert.equal((await app.post(ann, assets, field, headers)).body.name, 'p', type)
      }
  })

  test('takes a raw body of any type as it is', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const content = randomBytes(100_000)
    const types = [
      OCTETS,
      {},
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json' },
      { 'content-type': 'multipart/mixed; boundary=the-boundary' },
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
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assertError(await app.post(ann, assets, 'name=field', form), 400)
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
    const { app, ann, assets } = await startWithRelease(t, { release: { max_size: '1MiB' } })
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
      release: { allowed_types: ' .Zip| image/*,application/pdf, text/**', max_size: '1MiB' },
    })
    const png = Buffer.from('89504e470d0a1a0a', 'hex')

    const made = await upload(app, ann, assets, { filename: 'a.ZIP' })
    const picture = await upload(app, ann, assets, { filename: 'x', content: png })
    assertStatus(picture, 201)
    assertStatus(await upload(app, ann, assets, { filename: 'x', content: '%PDF-1' }), 201)
    assertError(await upload(app, ann, assets, { filename: 'a.txt' }), 400, FORBIDDEN)
    assertError(await upload(app, ann, assets, { filename: 'x', content: '' }), 400, FORBIDDEN)
    assertError(await app.post(ann, `${assets}?name=a.exe`, 'MZ', OCTETS), 400, FORBIDDEN)

    const asset = `${assets}/${made.body.id}`
    assertError(await app.patch(ann, asset, { name: 'a.png' }), 422, FORBIDDEN)
    assertStatus(await app.patch(ann, asset, { name: 'b.zip' }), 201)
    for (const edit of [{}, { name: '' }]) assertStatus(await app.patch(ann, asset, edit), 201)
    // A name is looked at by itself, also one that was there before.
    for (const edit of [{}, { name: '' }])
      assertError(await app.patch(ann, `${assets}/${picture.body.id}`, edit), 422, FORBIDDEN)
    // What the client says of a part counts for nothing.
    const part = formBody([
      { name: 'attachment', filename: 'x"\r\nContent-Type: image/png\r\nX-Y: "' },
    ])
    assertError(await app.post(ann, assets, part, FORM), 400, FORBIDDEN)
    const large = Buffer.alloc(1_500_000)
    assertError(
      await upload(app, ann, assets, { filename: 'a.exe', content: large }),
      400,
      FORBIDDEN,
    )
    assertError(await app.post(ann, `${assets}?name=a.exe`, large, OCTETS), 400, FORBIDDEN)
    assertError(await app.post(ann, assets, large, OCTETS), 400, /^Could not determine name/)
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
    const refusal = 'user should have a permission to write to a repo'
    for (const one of [`${path}/releases/999/assets`, `${assets}/999`]) {
      const method = one.endsWith('assets') ? 'POST' : 'PATCH'
      assertError(await app.send(bob, method, one, '{', {}), 403, refusal)
      assertError(await app.send(undefined, method, one, '{', {}), 401, 'token is required')
    }
    assertError(await app.delete(bob, `${path}/releases/999/assets/1`), 403, refusal)
    const json = { 'content-type': 'application/json' }
    assertError(await app.patch(ann, `${path}/releases/999/assets/1`, '{', json), 422)
    assertStatus(await app.patch(ann, path, { archived: true }), 200)
    const made = await upload(app, ann, assets)
    assertStatus(made, 201)
    const one = `${assets}/${made.body.id}`
    assertStatus(await app.patch(ann, one, { name: 'renamed' }), 201)
    assertStatus(await app.delete(ann, one), 204)
    assertStatus(await app.patch(ann, path, { archived: false, has_releases: false }), 200)
    assertStatus(await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' }), 204)
    const unread = /^user should have specific read permission/
    for (const who of [bob, undefined])
      assertError(await app.post(who, assets, ...broken), 403, unread)
    assertStatus(await upload(app, ann, assets), 201)
  })

  test('does not exist while attachments are switched off; the rest does', async (t) => {
    const { app, ann, bob, path, assets } = await startWithRelease(t, {
      attachment: { enabled: false },
    })

    const { body: release } = await app.get(ann, assets.replace('/assets', ''))
    const row = {
      uuid: '0b12c6a4-1d1c-4f6f-8b1a-0123456789ab',
      repository_id: (await app.get(ann, path)).body.id,
      release_id: release.id,
      name: 'old',
      size: 1,
      sha256: '0'.repeat(64),
      media_type: 'text/plain; charset=utf-8',
      created_at: 1,
      updated_at: 1,
    }
    const { id } = await app.ctx.db
      .insertInto('attachment')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow()

    for (const place of [assets, assets.replace(/\d+/, '999')])
      for (const [method, way] of [
        ['POST', place],
        ['PUT', place],
        ['POST', place.replace('assets', 'uploads')],
      ] as const)
        assertError(
          await app.send(ann, method, `${way}?name=x`, 'x', OCTETS),
          404,
          'attachment is not enabled',
        )
    assertError(await upload(app, bob, assets), 403)
    assert.deepEqual(names(await app.get(ann, assets)), ['old'])
    assertStatus(await app.patch(ann, `${assets}/${id}`, { name: 'new' }), 201)
    assert.equal((await app.get(ann, `${assets}/${id}`)).body.name, 'new')
    // Its bytes are not there, which is no reason to keep the record.
    assertStatus(await app.delete(ann, `${assets}/${id}`), 204)
    assert.deepEqual(await storedKeys(app), [])
    assertError(await app.get(ann, `${assets}/${id}`), 404, 'not found')
  })
})

suite('the files of a release', () => {
  test('are listed by name, with addresses by identifier where names repeat', async (t) => {
    const { app, ann, release, assets } = await startWithRelease(t, {}, { tag_name: 'v1/x' })
    const folder = 'http://codestead.test/ann/one/releases/download/v1%2Fx'
    for (const name of ['b.txt', 'Z', 'z', "a(1)!'*,;?$&+=:@~-_", 'ü/ %']) {
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
      `${folder}/z`,
      `${folder}/%C3%BC%2F%20%25`,
    ])
    assert.equal(distinct.headers['link'], undefined)
    assert.equal(distinct.headers['x-total-count'], undefined)
    assert.equal(repeated.body.length, 6)
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
    assertError(await app.get(ann, `${releases}/${id}`), 404)
    assertError(await upload(app, ann, assets), 404, 'not found')
    assert.deepEqual(await storedKeys(app), [])
  })
})
