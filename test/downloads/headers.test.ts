import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../support/expect.ts'
import { start } from './setup.ts'

const GIF = 'GIF89a/*<script>alert(1)</script>*/'

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
      [{ 'if-none-match': '"x"', 'if-modified-since': time }, 304],
      [{ 'if-none-match': '"x"', 'if-modified-since': older }, 200],
      [{ 'if-none-match': etag, 'if-modified-since': older, range: 'bytes=9-' }, 304],
      [{ 'if-none-match': Array(100).fill('"x"').concat(etag).join() }, 200],
    ]

    assert.equal(etag, `"${file.slice('^/attachments/'.length)}"`)
    for (const [conditions, status] of cases) {
      const answer = await app.get(undefined, file, conditions)
      assert.equal(answer.status, status, JSON.stringify(conditions))
      assert.equal(answer.text, status === 304 ? '' : 'hello')
      assert.equal(answer.headers['etag'], etag)
      assert.equal(answer.headers['last-modified'], time)
      assert.equal(answer.headers['cache-control'], 'max-age=0, private, must-revalidate')
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
