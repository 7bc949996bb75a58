import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { keyOf } from '../../src/attachments/attachment.ts'
import type { ConfigChanges } from '../../src/config/config.ts'
import { filesFolder } from '../../src/storage/open-storage.ts'
import { upload, type SentFile } from '../attachments/form.ts'
import { startWithRelease, type ReleaseSetup } from '../release-attachments/setup.ts'
import type { TestAnswer, TestApp, TestCaller } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'

const GIF = 'GIF89a/*<script>alert(1)</script>*/'

function assertText(answer: TestAnswer, status: number, text: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.text, text)
  assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
}

interface FileSetup extends ReleaseSetup {
  readonly assetsOfIssue: string
  readonly add: (where: string, file?: SentFile) => Promise<string>
}

async function start(t: TestContext, changes: ConfigChanges = {}): Promise<FileSetup> {
  const setup = await startWithRelease(t, changes)
  const { app, ann, path } = setup
  const issue = await app.post(ann, `${path}/issues`, { title: 'an issue' })
  const add = async (where: string, file?: SentFile) => {
    const made = await upload(app, ann, where, file)
    assertStatus(made, 201)
    return `^/attachments/${made.body.uuid}`
  }
  return { ...setup, add, assetsOfIssue: `${path}/issues/${issue.body.number}/assets` }
}

suite('the headers of a download', () => {
  test('name a type that runs nothing, whatever was sent under whatever name', async (t) => {
    const { app, assets, add } = await start(t)
    const text = 'text/plain; charset=utf-8'
    const sandbox = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    const payloads: [string, string, string, string | undefined][] = [
      ['a.html', '<script>fetch("/api/v1/user")</script>', text, sandbox],
      ['a.xhtml', '<?xml version="1.0"?><html xmlns="x"><script/></html>', text, sandbox],
      ['a.xml', '<?xml-stylesheet href="x.xsl"?><a/>', text, sandbox],
      ['a.svg', '<svg onload="alert(1)"/>', 'image/svg+xml', sandbox],
      ['a.js', 'alert(1)', text, sandbox],
      ['a.mht', 'MIME-Version: 1.0\nContent-Type: multipart/related', text, sandbox],
      ['a.txt', '<html><body onload=alert(1)>', text, sandbox],
      ['a.gif', GIF, 'image/gif', sandbox],
      ['a.pdf', '%PDF-1.7 /JS', 'application/pdf', "default-src 'none'; style-src 'unsafe-inline'"],
      ['a.ogg', 'OggS\0\x02vorbis', 'audio/ogg', undefined],
      ['a.exe', 'MZ\0\0', 'application/octet-stream', sandbox],
      ['empty', '', text, sandbox],
    ]

    for (const [filename, content, type, policy] of payloads) {
      const { headers, text: body } = await app.get(
        undefined,
        await add(assets, { filename, content }),
      )
      assert.equal(headers['content-type'], type, filename)
      assert.equal(headers['content-security-policy'], policy, filename)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
      assert.equal(headers['cache-control'], 'max-age=0, private, must-revalidate')
      assert.equal(headers['access-control-expose-headers'], 'Content-Disposition')
      assert.equal(headers['content-disposition'], `inline; filename=${filename}`)
      assert.equal(headers['content-length'], String(Buffer.byteLength(content)))
      assert.equal(headers['accept-ranges'], undefined)
      assert.match(headers['last-modified'] ?? '', / GMT$/)
      assert.match(headers['repr-digest'] ?? '', /^sha-256=:.{44}:$/)
      assert.equal(body, content)
    }
  })

  test('name the file safely', async (t) => {
    const { app, ann, assets, add } = await start(t)
    const file = await add(assets)
    const [{ id }] = (await app.get(ann, assets)).body
    const cases: [string, string][] = [
      ['a b.txt', 'inline; filename="a b.txt"'],
      ['dir/other.txt', 'inline; filename=other.txt'],
      ['test❌.txt', "inline; filename=test_.txt; filename*=utf-8''test%E2%9D%8C.txt"],
      ['ü b😀.txt', `inline; filename="_ b_.txt"; filename*=utf-8''%C3%BC%20b%F0%9F%98%80.txt`],
      ['"; filename=evil.exe', 'inline; filename="\\"; filename=evil.exe"'],
      ['back\\slash', 'inline; filename="back\\\\slash"'],
      ["it's(*)", `inline; filename="it's(*)"`],
    ]

    for (const [name, expected] of cases) {
      assertStatus(await app.patch(ann, `${assets}/${id}`, { name }), 201)
      const { headers } = await app.get(undefined, file)
      assert.equal(headers['content-disposition'], expected)
    }
  })
})

suite('conditions and parts of a download', () => {
  test('answer 304 for what the client has', async (t) => {
    const { app, assets, add } = await start(t)
    const file = await add(assets)
    const { headers } = await app.get(undefined, file)
    const { etag = '', 'last-modified': time = '' } = headers
    const older = new Date(Date.parse(time) - 1000).toUTCString()
    const cases: [Record<string, string>, number][] = [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-none-match': `"x", W/${etag}` }, 304],
      [{ 'if-none-match': '*' }, 200],
      [{ 'if-none-match': '"x"' }, 200],
      [{ 'if-modified-since': time }, 304],
      [{ 'if-modified-since': older }, 200],
      [{ 'if-modified-since': 'never' }, 200],
      [{ 'if-none-match': Array(100).fill('"x"').concat(etag).join() }, 200],
    ]

    assert.equal(etag, `"${file.slice('^/attachments/'.length)}"`)
    for (const [conditions, status] of cases) {
      const answer = await app.get(undefined, file, conditions)
      assert.equal(answer.status, status, JSON.stringify(conditions))
      assert.equal(answer.text, status === 304 ? '' : 'hello')
      assert.equal(answer.headers['etag'], etag)
    }
  })

  test('give one part, and refuse what is none', async (t) => {
    const { app, assets, add } = await start(t)
    const file = await add(assets, { content: '0123456789abcdef' })
    const empty = await add(assets, { content: '' })
    const cases: [string, number, string][] = [
      ['bytes=0-', 206, '0-15'],
      ['bytes=0-15', 206, '0-15'],
      ['bytes=1-3', 206, '1-3'],
      ['bytes=1-99999', 206, '1-15'],
      ['bytes=15-15', 206, '15-15'],
      ['lines=1-3', 200, ''],
      ['bytes=16-', 416, ''],
      ['bytes=-5', 416, ''],
      ['bytes=x-', 416, ''],
      ['bytes=1-x', 416, ''],
      ['bytes=5-2', 400, ''],
      ['bytes=5', 400, ''],
      ['bytes=0-3,5-6', 400, ''],
    ]

    for (const [range, status, place] of cases) {
      const answer = await app.get(undefined, file, { range })
      assert.equal(answer.status, status, range)
      assert.equal(answer.headers['content-disposition'], 'inline; filename=file.txt')
      assert.match(String(answer.headers['etag']), /^"[0-9a-f-]{36}"$/)
      if (status !== 206) continue
      const [from = 0, to = 0] = place.split('-').map(Number)
      assert.equal(answer.headers['content-range'], `bytes ${place}/16`)
      assert.equal(answer.headers['content-length'], String(to - from + 1))
      assert.equal(answer.text, '0123456789abcdef'.slice(from, to + 1))
    }
    assertStatus(await app.get(undefined, empty, { range: 'bytes=0-1' }), 200)
  })

  test('HEAD tells the same without the content, and OPTIONS is not allowed', async (t) => {
    const { app, assets, add } = await start(t)
    const file = await add(assets)

    const head = await app.head(undefined, file)
    const options = await app.send(undefined, 'OPTIONS', file)

    assertStatus(head, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers['content-length'], '5')
    assert.equal(head.headers['content-disposition'], 'inline; filename=file.txt')
    assertStatus(options, 405)
  })
})

suite('who may download', () => {
  test('whoever reads the unit that the file belongs to', async (t) => {
    const { app, ann, bob, path, assets, assetsOfIssue, add } = await start(t)
    const root = await app.addAdmin()
    const released = await add(assets)
    const attached = await add(assetsOfIssue)
    const statuses = async (who: TestCaller | undefined) => [
      (await app.get(who, released)).status,
      (await app.get(who, attached)).status,
    ]

    assert.deepEqual(await statuses(undefined), [200, 200])
    const besideReleases = `^/ann/one/releases${attached.slice(1)}`
    assertStatus(await app.get(bob, besideReleases), 200)
    assertStatus(await app.patch(ann, path, { has_releases: false }), 200)
    assert.deepEqual(await statuses(bob), [404, 200])
    assertText(await app.get(bob, besideReleases), 404, 'Not Found')
    assertStatus(await app.patch(ann, path, { has_releases: true, has_issues: false }), 200)
    assert.deepEqual(await statuses(bob), [200, 404])
    assertStatus(await app.patch(ann, path, { has_issues: true, private: true }), 200)
    assert.deepEqual(await statuses(undefined), [404, 404])
    assert.deepEqual(await statuses(bob), [404, 404])
    for (const who of [ann, root, app.withPassword(ann.account)]) {
      assert.deepEqual(await statuses(who), [200, 200])
    }
    const seen = await app.get(ann, attached)
    assert.equal(seen.headers['cross-origin-resource-policy'], 'same-site')
    assertText(await app.get(bob, attached), 404, 'Not Found')
    assertStatus(await app.put(ann, `${path}/collaborators/bob`, { permission: 'read' }), 204)
    assert.deepEqual(await statuses(bob), [200, 200])
  })

  test('of a draft only who writes releases, on every address', async (t) => {
    const { app, ann, bob, releases, add } = await start(t)
    const draft = await app.post(ann, releases, { tag_name: 'v2', draft: true })
    const file = await add(`${releases}/${draft.body.id}/assets`)
    const uuid = file.slice('^/attachments/'.length)

    for (const address of [
      file,
      `^/ann/one/attachments/${uuid}`,
      `^/ann/one/releases/attachments/${uuid}`,
      '^/ann/one/releases/download/v2/file.txt',
    ]) {
      assertText(await app.get(undefined, address), 404, 'Not Found')
      assertText(await app.get(bob, address), 404, 'Not Found')
      assert.equal((await app.get(ann, address)).text, 'hello', address)
    }
    const page = `^/ann/one/issues/1/attachments/${uuid}`
    assertText(await app.get(ann, page), 404, 'Not Found')
  })

  test('a token as far as its scopes reach', async (t) => {
    const { app, ann, assets, assetsOfIssue, add, path } = await start(t)
    const bob = await app.addPerson('carol')
    const files = [await add(assetsOfIssue), await add(assets)]
    const cases: [string[], [number, number], [number, number]][] = [
      [['read:issue'], [200, 403], [200, 403]],
      [['read:repository'], [403, 200], [403, 200]],
      [
        ['read:issue', 'public-only'],
        [200, 403],
        [403, 403],
      ],
      [
        ['read:repository', 'public-only'],
        [403, 200],
        [403, 403],
      ],
      [['read:misc'], [403, 403], [403, 403]],
    ]
    const statuses = async (who: TestCaller) => [
      (await app.get(who, files[0] ?? '')).status,
      (await app.get(who, files[1] ?? '')).status,
    ]

    const callers = await Promise.all(cases.map(([scopes]) => app.withToken(ann.account, scopes)))
    for (const [index, caller] of callers.entries()) {
      assert.deepEqual(await statuses(caller), cases[index]?.[1])
    }
    assertText(await app.get(callers[4], files[0] ?? ''), 403, 'Forbidden')
    assertStatus(await app.patch(ann, path, { private: true }), 200)
    for (const [index, caller] of callers.entries()) {
      assert.deepEqual(await statuses(caller), cases[index]?.[2])
    }
    const stranger = await app.withToken(bob, ['read:misc'])
    assert.deepEqual(await statuses(stranger), [404, 404])
  })

  test('nobody with a wrong credential', async (t) => {
    const { app, ann, assets, add } = await start(t)
    const file = await add(assets)
    const wrong = { authorization: `token ${'0'.repeat(40)}` }

    assertText(await app.get(undefined, file, wrong), 401, 'Failed to authenticate user')
    assertText(await app.get(undefined, `${file}?token=x`), 401, 'Failed to authenticate user')
    assertStatus(await app.get(app.withPassword(ann.account), file), 200)
    assertText(
      await app.get(app.withPassword(ann.account, 'wrong'), file),
      401,
      'Failed to authenticate user',
    )
  })

  test('nobody who is not signed in, where the site says so', async (t) => {
    const { app, ann, assets, add } = await start(t, { security: { require_sign_in: 'true' } })
    const file = await add(assets)

    const answer = await app.get(undefined, file)

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], 'http://codestead.test/user/login')
    const page = `^/ann/one/issues/1${file.slice(1)}`
    assertStatus(await app.get(undefined, page), 303)
    assertStatus(await app.get(ann, file), 200)
  })
})

suite('the addresses of a file', () => {
  test('lead to it within its repository only', async (t) => {
    const { app, ann, assets, assetsOfIssue, add } = await start(t)
    await app.post(ann, '/user/repos', { name: 'two', auto_init: true })
    const released = (await add(assets)).slice('^/attachments/'.length)
    const attached = (await add(assetsOfIssue)).slice('^/attachments/'.length)

    for (const place of [
      `releases/attachments/${released}`,
      `attachments/${attached}`,
      `issues/1/attachments/${attached}`,
      `pulls/1/attachments/${attached}`,
    ]) {
      assertStatus(await app.get(undefined, `^/ann/one/${place}`), 200)
      assertText(await app.get(undefined, `^/ann/two/${place}`), 404, 'Not Found')
      assertText(await app.get(undefined, `^/ann/none/${place}`), 404, 'Not Found')
    }
    for (const uuid of ['readme.txt', '00000000-0000-4000-8000-000000000000', '..%2f..%2fx']) {
      assertText(await app.get(ann, `^/attachments/${uuid}`), 404, 'Not Found')
    }
  })

  test('name a release by its exact tag, or the latest', async (t) => {
    const { app, ann, releases, assets, add } = await start(t)
    const make = async (tag_name: string, options = {}) => {
      const made = await app.post(ann, releases, { tag_name, ...options })
      await add(`${releases}/${made.body.id}/assets`, { filename: 'a b.txt', content: tag_name })
    }
    const read = async (place: string) =>
      (await app.get(undefined, `^/ann/one/releases/${place}`)).text
    await add(assets, { filename: 'a b.txt', content: 'v1' })
    await add(assets, { filename: 'a b.txt', content: 'newer' })

    const oldest = await read('download/v1/a%20b.txt')
    await make('release/v2')
    await make('v3-rc', { prerelease: true })
    await make('v4', { draft: true })

    assert.equal(oldest, 'v1')
    assert.equal(await read('download/release%2Fv2/a%20b.txt'), 'release/v2')
    assert.equal(await read('download/latest/a%20b.txt'), 'release/v2')
    assert.equal(await read('latest/download/a%20b.txt'), 'release/v2')
    for (const place of ['download/V1/a%20b.txt', 'download/v1/A%20B.txt', 'download/v9/x']) {
      assert.equal(await read(place), 'Not Found', place)
    }
    await make('latest', { prerelease: true })
    assert.equal(await read('download/latest/a%20b.txt'), 'latest')
  })

  test('follow a repository that was renamed', async (t) => {
    const { app, ann, path, assets, add } = await start(t)
    await add(assets)
    assertStatus(await app.patch(ann, path, { name: 'uno' }), 200)

    const answer = await app.get(undefined, '^/ann/one/releases/download/v1/file.txt')

    assertStatus(answer, 301)
    assert.equal(answer.headers['location'], '/ann/uno/releases/download/v1/file.txt')
  })
})

suite('downloads are counted', () => {
  test('whenever the file may be had, and not otherwise', async (t) => {
    const { app, ann, bob, path, releases, assets, assetsOfIssue, add } = await start(t)
    const file = await add(assets)
    const count = async () => (await app.get(ann, assets)).body[0].download_count as number
    const { headers } = await app.get(undefined, file)

    await app.head(undefined, file)
    await app.get(undefined, file, { range: 'bytes=0-1' })
    await app.get(undefined, file, { range: 'bytes=99-' })
    await app.get(undefined, file, { 'if-none-match': headers['etag'] ?? '' })
    await Promise.all(Array.from({ length: 20 }, () => app.get(ann, file)))
    assert.equal(await count(), 25)
    assert.equal((await app.get(bob, releases)).body[0].assets[0].download_count, 25)
    const attached = await add(assetsOfIssue)
    await app.get(undefined, attached)
    const [issue] = (await app.get(bob, `${path}/issues`)).body
    assert.equal(issue.assets[0].download_count, 1)
    await app.get(undefined, attached)
    const one = await app.get(bob, `${path}/issues/${issue.number}`)
    assert.equal(one.body.assets[0].download_count, 2)

    await app.patch(ann, path, { private: true })
    await app.get(bob, file)
    await app.get(undefined, file, { authorization: 'token x' })
    assert.equal(await count(), 25)
  })

  test('also when the server stops right after', async (t) => {
    const { app, assets, add } = await start(t)
    const file = await add(assets)
    await app.get(undefined, file)

    await app.ctx.downloadCounts.settle()

    const { download_count } = await app.ctx.db
      .selectFrom('attachment')
      .select('download_count')
      .executeTakeFirstOrThrow()
    assert.equal(download_count, 1)
  })
})

suite('a file that is missing in the storage', () => {
  test('is an error of ours', async (t) => {
    const { app, assets, add } = await start(t)
    const file = await add(assets)
    removeBytes(app, file.slice('^/attachments/'.length))

    assertStatus(await app.get(undefined, file), 500)
  })
})

function removeBytes({ ctx }: TestApp, uuid: string): void {
  rmSync(join(filesFolder(ctx.config), keyOf(uuid)))
}
