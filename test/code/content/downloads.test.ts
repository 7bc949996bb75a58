// One database is enough: what is read is in git.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { base64, commit, makePrivate, startWithRepository, type Setup } from '../commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

async function bytesOf({ app }: Setup, path: string): Promise<Buffer> {
  const { rawPayload, statusCode } = await app.server.inject({ url: `/api/v1${path}` })
  assert.equal(statusCode, 200)
  return rawPayload
}

suite('GET /repos/{owner}/{repo}/raw/{path}', () => {
  test('sends the bytes of a file', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { 'docs/a.txt': 'alpha\n' })

    const { status, text, headers } = await app.get(undefined, `${path}/raw/docs/a.txt`)

    assert.equal(status, 200)
    assert.equal(text, 'alpha\n')
    assert.equal(headers['cross-origin-resource-policy'], undefined)
    assert.partialDeepStrictEqual(headers, {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'inline; filename=a.txt',
      'access-control-expose-headers': 'Content-Disposition',
      'x-gitea-object-type': 'file',
      'x-content-type-options': 'nosniff',
      'content-length': '6',
      etag: '"4a58007052a65fbc2fc3f910f2855f45a4058e74"',
    })
  })

  test('takes the ref from the query, or from the beginning of the path', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const sha = await commit(setup, { 'd/b.txt': 'beta' }, { new_branch: 'topic/side' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1', target: sha })
    const raw = async (rest: string) => (await app.get(undefined, `${path}/raw/${rest}`)).text

    assert.equal(await raw('d/b.txt?ref=topic/side'), 'beta')
    assert.equal(await raw('topic/side/d/b.txt'), 'beta')
    assert.equal(await raw('v1/d/b.txt'), 'beta')
    assert.equal(await raw(`${sha}/d/b.txt`), 'beta')
    assert.equal(await raw(`${sha.slice(0, 10)}/d/b.txt`), 'beta')
    assert.equal(await raw('main/README.md'), '# one\n\n')
  })

  test('prefers the longest name of a ref, and finds a folder of that name all the same', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'x/only-main': 'main' })
    await app.post(ann, `${path}/branches`, { new_branch_name: 'x', old_branch_name: 'main' })
    await commit(setup, { 'only-main': 'branch x' }, { branch: 'x' })

    const branch = await app.get(undefined, `${path}/raw/x/only-main`)
    await app.delete(ann, `${path}/branches/x`)
    const folder = await app.get(undefined, `${path}/raw/x/only-main`)

    assert.equal(branch.text, 'branch x')
    assert.equal(folder.text, 'main')
  })

  test('does not find folders, unknown files and unknown refs', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'docs/a.txt': 'alpha\n' })
    await app.post(ann, '/user/repos', { name: 'empty' })

    for (const bad of [
      'raw/missing',
      'raw/docs',
      'raw/',
      'raw/README.md?ref=missing',
      'raw/README.md?ref=--exec=x',
      'raw/--output=x/README.md',
      'media/missing',
    ]) {
      assertError(await app.get(undefined, `${path}/${bad}`), 404, 'not found')
    }
    assertError(await app.get(ann, '/repos/ann/empty/raw/a'), 404)
  })

  test('knows no other methods, whatever the path', async (t) => {
    const { app, ann, path } = await startWithRepository(t)

    const { status, headers } = await app.put(ann, `${path}/raw/a/b.c`, {})

    assert.equal(status, 405)
    assert.deepEqual(headers['allow'], ['GET', 'HEAD'])
  })

  test('decides about types itself: nothing that is served can run', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')
    const cases = [
      ['page.html', base64('<script>alert(1)</script>'), 'text/plain; charset=utf-8', 'inline'],
      ['image.svg', base64('<svg onload="x()"/>'), 'image/svg+xml', 'inline'],
      [
        'old.txt',
        Buffer.from('caf\xe9s', 'latin1').toString('base64'),
        'text/plain; charset=iso-8859-1',
        'inline',
      ],
      ['picture.html', png, 'image/png', 'inline'],
      ['paper.pdf', base64('%PDF-1.7'), 'application/pdf', 'inline'],
      ['program.txt', base64('MZ\0\x01'), 'application/octet-stream', 'attachment'],
    ]

    for (const [name, content, type, kind] of cases) {
      await app.post(ann, `${path}/contents/${name}`, { content })
      const { headers } = await app.get(undefined, `${path}/raw/${name}`)
      assert.equal(headers['content-type'], type, name)
      assert.match(headers['content-disposition'] ?? '', new RegExp(`^${kind};`))
      assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'/)
      assert.equal(
        headers['content-security-policy']?.includes('sandbox'),
        type !== 'application/pdf',
      )
    }
  })

  test('serves drawings as text where they are not to be shown', async (t) => {
    const { app, ann, path } = await startWithRepository(t, { attachment: { show_svg: false } })
    await app.post(ann, `${path}/contents/image.svg`, { content: base64('<svg/>') })

    const { headers } = await app.get(undefined, `${path}/raw/image.svg`)

    assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  })

  test('names a file so that no header breaks', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const name = encodeURIComponent('ä"b\\ ;c')
    await app.post(ann, `${path}/contents/${name}`, { content: 'YQ==' })

    const { headers } = await app.get(undefined, `${path}/raw/${name}`)

    assert.equal(
      headers['content-disposition'],
      `inline; filename="__b_ ;c"; filename*=UTF-8''%C3%A4%22b%5C%20%3Bc`,
    )
  })

  test('answers 304 to those who have it, and a part to those who ask for one', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { a: '0123456789' })
    const get = (headers: Record<string, string>) => app.get(undefined, `${path}/raw/a`, headers)
    const etag = (await get({})).headers['etag'] ?? ''

    const known = await get({ 'if-none-match': `"x", W/${etag}` })
    const part = await get({ range: 'bytes=2-4' })
    const same = await get({ range: 'bytes=2-4', 'if-range': etag })
    const other = await get({ range: 'bytes=2-4', 'if-range': '"x"' })
    const end = await get({ range: 'bytes=-3' })
    const rest = await get({ range: 'bytes=8-' })
    const several = await get({ range: 'bytes=0-0,2-2' })
    const outside = await get({ range: 'bytes=20-30' })

    assertStatus(known, 304)
    assert.equal(known.text, '')
    assertStatus(part, 206)
    assert.equal(part.text, '234')
    assert.equal(part.headers['content-range'], 'bytes 2-4/10')
    assert.deepEqual([same.status, same.text], [206, '234'])
    assert.deepEqual([other.status, other.text], [200, '0123456789'])
    assert.equal(end.text, '789')
    assert.equal(rest.text, '89')
    assert.equal(several.text, '0123456789')
    assertStatus(outside, 416)
    assert.equal(outside.headers['content-range'], 'bytes */10')
    assert.equal(outside.text, '')
  })

  test('looks only at the beginning of headers that are long lists', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { a: '0123456789' })
    const get = (headers: Record<string, string>) => app.get(undefined, `${path}/raw/a`, headers)
    const etag = (await get({})).headers['etag'] ?? ''
    const ranges = Array.from({ length: 1000 }, (_, at) => `${at}-${at}`).join()

    for (const headers of [
      { 'if-none-match': `${'"x",'.repeat(2000)}${etag}` },
      { range: `bytes=${ranges}` },
      { 'accept-language': 'a_'.repeat(8000) },
      { cookie: 'a=b; '.repeat(3000) },
    ] as Record<string, string>[]) {
      const { status, text } = await get(headers)
      assert.deepEqual([status, text], [200, '0123456789'], Object.keys(headers)[0])
    }
  })

  test('sends large files as git gives them out', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const large = 'x'.repeat(1_500_000) + 'end'
    await commit(setup, { large })

    const whole = await app.get(undefined, `${path}/raw/large`)
    const part = await app.get(undefined, `${path}/raw/large`, { range: 'bytes=1500000-' })
    const head = await app.head(undefined, `${path}/raw/large`)

    assert.equal(whole.text, large)
    assert.equal(part.text, 'end')
    assert.equal(head.headers['content-length'], String(large.length))
    assert.equal(head.text, '')
  })

  test('is there for those who may read the code', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await makePrivate(setup)
    const noScope = await app.withToken(ann.account, ['read:user'])

    for (const address of [`${path}/raw/README.md`, '^/ann/one/raw/branch/main/README.md']) {
      const own = await app.get(ann, address)
      assertStatus(own, 200)
      assert.equal(own.headers['cross-origin-resource-policy'], 'same-site')
      assertError(await app.get(bob, address), 404, 'not found')
      assertError(await app.get(undefined, address), 404, 'not found')
      assertError(await app.get(noScope, address), 403)
    }
  })
})

suite('GET /{owner}/{repo}/raw', () => {
  test('serves the addresses that records hand out', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const sha = await commit(setup, { 'A+#&ä': 'odd' }, { new_branch: 'overwrite-a+/&licence' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v/1', target: sha })

    for (const ref of ['overwrite-a+/&licence', 'v/1', sha]) {
      const query = encodeURIComponent(ref)
      const { body } = await app.get(ann, `${path}/contents/A%2B%23%26%C3%A4?ref=${query}`)
      const address = body.download_url.replace('http://codestead.test', '^')
      assert.equal((await app.get(undefined, address)).text, 'odd', address)
    }
    assertError(await app.get(undefined, '^/ann/one/raw/branch/missing/a'), 404)
    assertError(await app.get(undefined, '^/ann/one/raw/tag/main/README.md'), 404)
    assertError(await app.get(undefined, '^/ann/one/raw/commit/main/README.md'), 404)
  })

  test('follows a repository to its new name', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.patch(ann, path, { name: 'two' })

    const { status, headers } = await app.get(ann, '^/ann/one/raw/branch/main/README.md')

    assert.equal(status, 301)
    assert.equal(headers['location'], '/ann/two/raw/branch/main/README.md')
  })
})

suite('GET /repos/{owner}/{repo}/archive/{ref}', () => {
  test('packs everything into a folder of the repository’s name', async (t) => {
    const setup = await startWithRepository(t)
    const { path } = setup
    await commit(setup, { 'docs/a.txt': 'alpha' })

    for (const address of [
      'archive/main.tar.gz',
      'tarball/main',
      'archive/refs/heads/main.tar.gz',
    ]) {
      const list = execFileSync('tar', ['tz'], {
        input: await bytesOf(setup, `${path}/${address}`),
      })
      assert.deepEqual(list.toString().trim().split('\n').sort(), [
        'one/',
        'one/README.md',
        'one/docs/',
        'one/docs/a.txt',
      ])
    }
    for (const address of ['archive/main.zip', 'zipball/main']) {
      const zip = await bytesOf(setup, `${path}/${address}`)
      assert.equal(zip.toString('latin1', 0, 4), 'PK\x03\x04')
      assert.ok(zip.includes('one/docs/a.txt'))
    }
  })

  test('gives a bundle that git can clone', async (t) => {
    const setup = await startWithRepository(t)
    const { path } = setup
    await commit(setup, { 'a.txt': 'alpha' })
    const folder = mkdtempSync(join(tmpdir(), 'codestead-bundle-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))

    for (const [index, address] of ['archive/main.bundle', 'bundle/main'].entries()) {
      const file = join(folder, `${index}.bundle`)
      writeFileSync(file, await bytesOf(setup, `${path}/${address}`))
      const clone = join(folder, String(index))
      execFileSync('git', ['clone', '--quiet', file, clone], { stdio: 'pipe' })
      assert.equal(execFileSync('cat', [join(clone, 'a.txt')]).toString(), 'alpha')
    }
  })

  test('says what it is and where it will be forever', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const sha = await commit(setup, { a: 'x' })
    await app.post(ann, `${path}/tags`, { tag_name: 'release/v2' })

    const { headers } = await app.get(undefined, `${path}/archive/release%2Fv2.zip`)

    assert.equal(headers['content-disposition'], 'attachment; filename=one-release-v2.zip')
    assert.equal(headers['content-type'], 'application/octet-stream')
    assert.equal(
      headers['link'],
      `<http://codestead.test/api/v1${path}/archive/${sha}.zip?rev=${sha}>; rel="immutable"`,
    )
  })

  test('packs only the paths that are asked for', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { 'docs/a.txt': 'alpha', 'src/b': 'b', ':(top)c': 'c' })
    const list = async (query: string) =>
      execFileSync('tar', ['tz'], {
        input: await bytesOf(setup, `${path}/archive/main.tar.gz?${query}`),
      }).toString()

    assert.doesNotMatch(await list('path=docs'), /README|src/)
    assert.match(await list('path=docs&path=src'), /docs\/a\.txt[\s\S]*src\/b/)
    assert.match(await list('path[]=%3A(top)c'), /one\/:\(top\)c/)
    assert.equal(await list('path=/docs/'), await list('path=docs'))
    assert.equal(await list('path=//src//b/'), await list('path=src/b'))
    assert.equal(await list('path=/'), await list(''))
    for (const outside of ['..', '../x', 'docs/../..'])
      assertError(await app.get(undefined, `${path}/archive/main.zip?path=${outside}`), 404)
    assertError(await app.get(undefined, `${path}/archive/main.zip?path=missing`), 404)
    const long = 'a/'.repeat(150_000)
    assertError(await app.get(undefined, `${path}/archive/main.zip?path=${long}`), 414)
    assertError(await app.get(undefined, `${path}/archive/main.zip?path=--output=x`), 404)
  })

  test('does not find unknown refs, and knows no other formats', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })

    assertError(
      await app.get(undefined, `${path}/archive/missing.zip`),
      404,
      'unrecognized repository reference: missing',
    )
    assertError(await app.get(undefined, `${path}/archive/--output=x.tar.gz`), 404)
    assertError(await app.get(undefined, `${path}/archive/.zip`), 404)
    assertError(await app.get(undefined, `${path}/zipball/missing`), 404)
    assertError(await app.get(ann, '/repos/ann/empty/archive/main.zip'), 404)
    assertError(
      await app.get(undefined, `${path}/archive/main.rar`),
      400,
      'unknown format: main.rar',
    )
  })

  test('is served outside the API too, for those who may read', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup

    assertStatus(await app.get(undefined, '^/ann/one/archive/main.zip'), 200)
    assertStatus(await app.head(undefined, '^/ann/one/archive/main.tar.gz'), 200)
    await makePrivate(setup)
    assertStatus(await app.get(ann, '^/ann/one/archive/main.zip'), 200)
    assertError(await app.get(bob, '^/ann/one/archive/main.zip'), 404)
    assertError(await app.get(bob, `${path}/archive/main.rar`), 404)
  })
})
