// One database is enough: it is about headers.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { payloads, policyOf } from './payloads.ts'
import { start } from './setup.ts'

suite('the headers of a download', () => {
  test('name a type that runs nothing, whatever was sent under whatever name', async (t) => {
    const { app, assets, add } = await start(t)

    for (const [filename, text, type] of payloads) {
      const content = Buffer.from(text, 'latin1')
      const file = await add(assets, { filename, content })
      for (const place of [
        file,
        file.replace('^', '^/ann/one'),
        file.replace('^', '^/ann/one/releases'),
        `^/ann/one/releases/download/v1/${filename}`,
      ]) {
        const { headers, text: body } = await app.get(undefined, place)
        assert.equal(headers['content-type'], type, filename)
        assert.equal(headers['content-security-policy'], policyOf(type), filename)
        assert.equal(headers['x-content-type-options'], 'nosniff')
        assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
        assert.equal(headers['cache-control'], 'max-age=0, private, must-revalidate')
        assert.equal(headers['access-control-expose-headers'], 'Content-Disposition')
        assert.equal(headers['content-disposition'], `inline; filename=${filename}`)
        assert.equal(headers['content-length'], String(content.length))
        assert.equal(headers['accept-ranges'], undefined)
        assert.equal(headers['cross-origin-resource-policy'], undefined)
        assert.match(headers['last-modified'] ?? '', / GMT$/)
        assert.match(headers['repr-digest'] ?? '', /^sha-256=:.{44}:$/)
        assert.equal(body, content.toString())
      }
    }
  })

  test('let browsers save what the settings do not want to be shown', async (t) => {
    const few = /^a\.(?:svg|txt|exe|gif|pdf|ogg)$/
    const kinds: [boolean, boolean, RegExp][] = [
      [false, true, /svg/],
      [true, false, /text|octet/],
      [false, false, /svg|text|octet/],
    ]

    for (const [show_svg, show_others, saved] of kinds) {
      const { app, assets, add } = await start(t, { attachment: { show_svg, show_others } })
      for (const [filename, text, type] of payloads.filter(([name]) => few.test(name))) {
        const content = Buffer.from(text, 'latin1')
        const { headers } = await app.get(undefined, await add(assets, { filename, content }))
        const kind = saved.test(type.replace('image/svg+xml', 'svg')) ? 'attachment' : 'inline'
        assert.equal(headers['content-disposition'], `${kind}; filename=${filename}`, type)
        assert.equal(headers['content-type'], type)
      }
    }
  })

  test('give a part only of the file that the client has the rest of', async (t) => {
    const { app, assets, add } = await start(t)
    const file = await add(assets, { filename: 'a.txt', content: Buffer.from('0123456789') })
    const { headers } = await app.get(undefined, file)
    const part = async (ifRange: string) => {
      const answer = await app.get(undefined, file, { range: 'bytes=2-4', 'if-range': ifRange })
      return [answer.status, answer.text]
    }

    assert.deepEqual(await part(headers['etag'] ?? ''), [206, '234'])
    assert.deepEqual(await part(headers['last-modified'] ?? ''), [206, '234'])
    for (const other of ['"x"', `W/${headers['etag']}`, 'Thu, 01 Jan 1970 00:00:00 GMT'])
      assert.deepEqual(await part(other), [200, '0123456789'])
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
    const cleaned: [string, string][] = [
      ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
      ['\u202egnp.\u2066exe\u0085', 'gnp.exe'],
      ['\u200f\u009f\t', 'gnp.exe'],
      ['é'.repeat(10_000), 'é'.repeat(127)],
    ]
    for (const [name, kept] of cleaned) {
      assert.equal((await app.patch(ann, `${assets}/${id}`, { name })).body.name, kept)
      assertStatus(await app.get(undefined, file), 200)
    }
    for (const name of ['a\0b', '\ud800'])
      assertStatus(await app.patch(ann, `${assets}/${id}`, { name }), 422)
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
    const refusals: Record<number, string> = {
      400: 'invalid range\n',
      416: 'invalid start range\n',
    }
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
      if (status >= 400) assert.equal(answer.text, refusals[status], range)
      if (status !== 206) continue
      const [from = 0, to = 0] = place.split('-').map(Number)
      assert.equal(answer.headers['content-range'], `bytes ${place}/16`)
      assert.equal(answer.headers['content-length'], String(to - from + 1))
      assert.equal(answer.text, '0123456789abcdef'.slice(from, to + 1))
    }
    assertStatus(await app.get(undefined, empty, { range: 'bytes=0-1' }), 200)
  })

  test('HEAD tells the same without the content, and other methods are not allowed', async (t) => {
    const { app, assets, add } = await start(t)
    const file = await add(assets)

    const head = await app.head(undefined, file)

    assertStatus(head, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers['content-length'], '5')
    assert.equal(head.headers['content-disposition'], 'inline; filename=file.txt')
    for (const method of ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const refused = await app.send(undefined, method, file, method === 'POST' ? {} : undefined)
      assertStatus(refused, 405)
      assert.equal(refused.text, '')
      assert.equal(refused.headers['allow'], 'GET, HEAD')
    }
    const open = await start(t, { cors: { enabled: true } })
    const asks = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
    const shared = await open.add(open.assets)
    assertStatus(await open.app.send(undefined, 'OPTIONS', shared, undefined, asks), 200)
    assertStatus(await open.app.send(undefined, 'OPTIONS', shared), 405)
  })
})
