// One database is enough: files do not pass through it.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import { keyOf } from '../../../src/platform/files/key.ts'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { makePrivate } from '../../code/commits/setup.ts'
import { withRegistry } from '../packages/support.ts'
import type { TestAnswer } from '../../support/app.ts'
import { openNetwork } from '../../support/cut-network.ts'
import { assertStatus } from '../../support/expect.ts'
import { noOwnS3, noS3, startOwnS3, startS3 } from '../../support/s3.ts'
import { payloads, policyOf } from './payloads.ts'
import { addressesOf, assertText, start, type FileSetup } from './setup.ts'

const BYTES = Buffer.from('\0\x01 sixteen bytes')
/** No text, nor anything that browsers know. */
const BINARY_FILE = { filename: 'file.txt', content: BYTES }
const OCTETS = 'application/octet-stream'

interface BucketSetup extends FileSetup {
  /** As a client that follows where it is led. */
  readonly follow: (address: string, init?: RequestInit) => Promise<Response>
}

async function startLeading(t: TestContext, changes: ConfigChanges = {}): Promise<BucketSetup> {
  const storage = { ...(await startS3(t)), redirect: true, ...changes.storage }
  const setup = await start(t, { ...changes, storage })
  await setup.app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = setup.app.server.server.address() as AddressInfo
  const follow = (address: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${address.slice(1)}`, init)
  return { ...setup, follow }
}

/** Where somebody was led, who is told nothing that could be kept. */
function linkIn({ status, headers, text }: TestAnswer): string {
  assert.equal(status, 303, text)
  assert.equal(text, '')
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.equal(headers['etag'], undefined)
  return headers['location'] ?? ''
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer())
}

suite('downloads from the bucket itself', { skip: noS3 }, () => {
  test('are led to at every address, and counted once', async (t) => {
    const { app, ann, assets, assetsOfIssue, add, follow } = await startLeading(t)
    const released = await add(assets, BINARY_FILE)
    const attached = await add(assetsOfIssue, { filename: 'a.gz', content: '\x1f\x8b\x08\0' })
    const countOf = async (where: string) => (await app.get(ann, where)).body[0].download_count

    for (const address of addressesOf(released)) {
      const response = await follow(address)
      assert.equal(response.status, 200)
      assert.ok(response.redirected, address)
      assert.ok((await bytesOf(response)).equals(BYTES))
      assert.equal(response.headers.get('content-type'), OCTETS)
      assert.equal(response.headers.get('content-disposition'), 'attachment; filename=file.txt')
      assert.equal(response.headers.get('cache-control'), 'max-age=0, private, must-revalidate')
      assert.equal(response.headers.get('content-length'), String(BYTES.length))
    }
    const ofIssue = await follow(attached)

    assert.ok(ofIssue.redirected)
    assert.equal(ofIssue.headers.get('content-disposition'), 'attachment; filename=a.gz')
    assert.equal(await countOf(assets), addressesOf(released).length)
    assert.equal(await countOf(assetsOfIssue), 1)
  })

  test('come in parts; what needs no bytes is answered here', async (t) => {
    const { app, assets, add, follow } = await startLeading(t)
    const file = await add(assets, BINARY_FILE)
    const empty = await add(assets, { filename: 'empty.bin', content: '' })
    const range = async (value: string) => follow(file, { headers: { range: value } })

    const part = await range('bytes=2-4')
    const rest = await range('bytes=10-')
    const head = await follow(file, { method: 'HEAD', redirect: 'error' })
    const { etag = '', 'last-modified': time = '' } = (await app.head(undefined, file)).headers

    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes 2-4/${BYTES.length}`)
    assert.ok((await bytesOf(part)).equals(BYTES.subarray(2, 5)))
    assert.ok((await bytesOf(rest)).equals(BYTES.subarray(10)))
    assertText(await app.get(undefined, file, { range: 'bytes=99-' }), 416, 'invalid start range')
    assertText(await app.get(undefined, file, { range: 'bytes=5-2' }), 400, 'invalid range')
    assert.equal(head.status, 200)
    assert.equal(head.headers.get('content-length'), String(BYTES.length))
    assertStatus(await app.get(undefined, file, { 'if-none-match': etag }), 304)
    assertStatus(await app.get(undefined, file, { 'if-modified-since': time }), 304)
    linkIn(await app.get(undefined, file, { 'if-none-match': '"x"' }))
    assertStatus(await app.get(undefined, empty), 200)
  })

  test('repeat what the bucket said of them, to be told that it is the same', async (t) => {
    const { assets, add, follow } = await startLeading(t)
    const file = await add(assets, BINARY_FILE)
    const etag = (await follow(file)).headers.get('etag') ?? ''

    const again = await follow(file, { headers: { 'if-none-match': etag } })

    assert.equal(again.status, 304)
  })

  test('are of what runs nothing without our headers; all else is sent by us', async (t) => {
    const { app, assets, add, follow } = await startLeading(t)

    for (const [filename, text, type] of payloads) {
      const content = Buffer.from(text, 'latin1')
      const file = await add(assets, { filename, content })
      const answer = await app.get(undefined, file)
      const isPlayed = /^(?:audio|video)\//.test(type)
      if (type !== OCTETS && !isPlayed) {
        assertStatus(answer, 200)
        assert.equal(answer.headers['content-type'], type)
        assert.equal(answer.headers['x-content-type-options'], 'nosniff')
        assert.equal(answer.headers['content-security-policy'], policyOf(type), filename)
        continue
      }
      linkIn(answer)
      const sent = await follow(file)
      const kind = isPlayed ? 'inline' : 'attachment'
      assert.ok((await bytesOf(sent)).equals(content), filename)
      assert.equal(sent.headers.get('content-type'), type)
      assert.equal(sent.headers.get('content-disposition'), `${kind}; filename=${filename}`)
    }
  })

  test('have no type but bytes where the settings have them saved', async (t) => {
    const attachment = { show_svg: false, show_others: false }
    const { app, assets, add, follow } = await startLeading(t, { attachment })
    const page = '<script>alert(1)</script>'

    const sent = await follow(await add(assets, { filename: 'a.html', content: page }))
    const picture = await app.get(undefined, await add(assets, { content: '<svg/>' }))

    assert.ok(sent.redirected)
    assert.equal(await sent.text(), page)
    assert.equal(sent.headers.get('content-type'), OCTETS)
    assert.equal(sent.headers.get('content-disposition'), 'attachment; filename=a.html')
    // A page may embed it all the same.
    assertStatus(picture, 200)
    assert.equal(picture.headers['content-security-policy'], policyOf('image/svg+xml'))
  })

  test('have their names, whatever these are', async (t) => {
    const { app, ann, assets, add, follow } = await startLeading(t)
    const file = await add(assets, BINARY_FILE)
    const [{ id }] = (await app.get(ann, assets)).body

    for (const [name, expected] of [
      ['a b&c=d.bin', 'attachment; filename="a b&c=d.bin"'],
      ['ü+%.bin', "attachment; filename=_+%.bin; filename*=utf-8''%C3%BC%2B%25.bin"],
      ['"; filename=evil.exe', 'attachment; filename="\\"; filename=evil.exe"'],
    ] as const) {
      assertStatus(await app.patch(ann, `${assets}/${id}`, { name }), 201)
      const sent = await follow(file)
      assert.equal(sent.headers.get('content-disposition'), expected)
    }
  })

  test('are for those who may have the file: nobody else is led anywhere', async (t) => {
    const setup = await startLeading(t)
    const { app, ann, bob, assets, add, releases, follow } = setup
    const file = await add(assets, BINARY_FILE)
    const draft = await app.post(ann, releases, { tag_name: 'v2', draft: true })
    const drafted = await add(`${releases}/${draft.body.id}/assets`, BINARY_FILE)
    const narrow = await app.withToken(ann.account, ['read:issue'])
    const refused = async (who: typeof ann | undefined, address: string, status: number) => {
      const answer = await app.get(who, address)
      assertText(answer, status, status === 404 ? 'Not Found' : 'Forbidden')
      assert.equal(answer.headers['location'], undefined)
      assert.doesNotMatch(JSON.stringify(answer), /X-Amz/i)
    }

    await refused(bob, drafted, 404)
    await makePrivate(setup)
    for (const address of addressesOf(file)) {
      await refused(undefined, address, 404)
      await refused(bob, address, 404)
      await refused(narrow, address, 403)
    }
    const led = await app.get(ann, file)

    const link = linkIn(led)
    assert.equal(led.headers['cross-origin-resource-policy'], 'same-site')
    const secret = ann.headers['authorization']?.split(' ')[1] ?? ''
    assert.ok(!link.includes(secret))
    assert.ok((await bytesOf(await fetch(link))).equals(BYTES), 'the address is enough')
    assert.equal((await follow(file, { headers: ann.headers })).status, 200)
  })

  test('hold for what was signed, for a while', async (t) => {
    const { app, assets, add } = await startLeading(t)
    const file = await add(assets, BINARY_FILE)
    const other = await add(assets, { filename: 'other', content: '\0other' })
    const link = new URL(linkIn(await app.get(undefined, file)))
    const changed = (name: string, value: string) => {
      const url = new URL(link)
      url.searchParams.set(name, value)
      return url
    }
    const uuidOf = (address: string) => address.slice('^/attachments/'.length)
    const ofOther = new URL(link.href.replace(keyOf(uuidOf(file)), keyOf(uuidOf(other))))
    const unsigned = new URL(link.pathname, link)

    assert.equal(link.searchParams.get('X-Amz-Expires'), '300')
    assert.notEqual(ofOther.href, link.href)
    for (const url of [
      ofOther,
      unsigned,
      changed('response-content-type', 'text/html'),
      changed('response-content-disposition', 'inline'),
      changed('response-cache-control', 'public'),
      changed('X-Amz-Expires', '604800'),
    ]) {
      assert.equal((await fetch(url)).status, 403, url.search)
    }
    for (const method of ['HEAD', 'PUT', 'DELETE']) {
      assert.equal((await fetch(link, { method })).status, 403, method)
    }
    assert.equal((await fetch(link)).status, 200)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 301_000 })
    const old = linkIn(await app.get(undefined, file))
    t.mock.timers.reset()
    assert.equal((await fetch(old)).status, 403)
  })

  test('are at the address that clients have for it', async (t) => {
    const storage = await startS3(t)
    const inside = String(storage.endpoint)
    const outside = inside.replace('127.0.0.1', 'localhost')
    const { app, assets, add, follow } = await startLeading(t, {
      storage: { ...storage, public_endpoint: outside },
    })
    const file = await add(assets, BINARY_FILE)

    const link = linkIn(await app.get(undefined, file))

    assert.ok(link.startsWith(`${outside}/`), link)
    assert.ok((await bytesOf(await follow(file))).equals(BYTES))
  })

  test('are led to by the host for files, where there is one', async (t) => {
    const host = 'files.example'
    const { app, assets, add } = await startLeading(t, { server: { files_url: `http://${host}` } })
    const file = await add(assets, BINARY_FILE)

    const signed = new URL(linkIn(await app.get(undefined, file)))
    const link = linkIn(await app.get(undefined, `^${signed.pathname}${signed.search}`, { host }))

    assert.equal(signed.hostname, host)
    assert.ok((await bytesOf(await fetch(link))).equals(BYTES))
  })

  test('are not led to where they are missing, or the bucket is silent', async (t) => {
    if (noOwnS3) return t.skip(noOwnS3)
    const { storage } = await startOwnS3(t)
    const { network, url } = await openNetwork(String(storage.endpoint))
    t.after(() => network.close())
    const { app, assets, add } = await startLeading(t, {
      storage: { ...storage, endpoint: url, timeout: '1s' },
    })
    const file = await add(assets, BINARY_FILE)
    const lost = await add(assets, BINARY_FILE)
    await app.ctx.files.remove(keyOf(lost.slice('^/attachments/'.length)))

    const missing = await app.get(undefined, lost)
    network.silence(true)
    const silent = await app.get(undefined, file)
    network.silence(false)

    assertText(missing, 500, 'Internal Server Error')
    assertStatus(silent, 503)
    linkIn(await app.get(undefined, file))
  })

  test('are those of packages, too', async (t) => {
    const storage = { ...(await startS3(t)), redirect: true }
    const { app, ann, put, get } = await withRegistry(t, { storage })
    const path = 'acme/generic/tool/1.0/tool.tar.gz'
    const html = 'acme/generic/tool/1.0/page.html'
    assertStatus(await put(ann, path, BYTES), 201)
    assertStatus(await put(ann, html, '<script>alert(1)</script>'), 201)

    const sent = await fetch(linkIn(await get(undefined, path)))
    const page = await fetch(linkIn(await get(undefined, html)))
    const part = await fetch(linkIn(await get(undefined, path, { range: 'bytes=2-4' })), {
      headers: { range: 'bytes=2-4' },
    })
    const head = await app.head(undefined, `^/api/packages/${path}`)

    assert.ok((await bytesOf(sent)).equals(BYTES))
    assert.equal(sent.headers.get('content-disposition'), 'attachment; filename=tool.tar.gz')
    assert.equal(page.headers.get('content-type'), OCTETS)
    assert.equal(page.headers.get('content-disposition'), 'attachment; filename=page.html')
    assert.equal(part.status, 206)
    assertStatus(head, 200)
    assert.equal(head.headers['content-length'], String(BYTES.length))
    const { etag = '' } = head.headers
    assertStatus(await get(undefined, path, { 'if-none-match': etag }), 304)
    assertStatus(await app.patch(ann, '/orgs/acme', { visibility: 'private' }), 200)
    const hidden = await get(undefined, path)
    assertStatus(hidden, 401)
    assert.equal(hidden.headers['location'], undefined)
    assert.equal((await get(ann, path)).headers['cross-origin-resource-policy'], 'same-site')
  })
})
