// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { request, type IncomingMessage, type Server } from 'node:http'
import { suite, test } from 'node:test'
import { LFS_TYPE } from '../../../src/code/lfs/present.ts'
import { limitConnections } from '../../../src/platform/network/connections.ts'
import { startWithRelease, storedKeys } from '../../delivery/release-attachments/setup.ts'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { until } from '../../support/until.ts'
import { signIn } from '../../web/support.ts'

suite('clients that take their time', () => {
  test('have some for their headers and for silence, and none that would end an honest upload', async (t) => {
    const { server } = (await startApp(t, { server: { header_timeout: '7s', idle_timeout: '9s' } }))
      .server

    assert.equal(server.headersTimeout, 7000)
    assert.equal(server.timeout, 9000)
    assert.equal(server.requestTimeout, 0)
  })

  test('are sent away when they send a body too slowly, whatever it is for', async (t) => {
    const { app, ann, assets } = await startWithRelease(t, { lfs: { enabled: true } })
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const browser = await signIn(app, 'ann')
    const form = { 'content-type': 'multipart/form-data; boundary=b' }
    const text = '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n'
    const cases: [method: string, path: string, type: object, body: string, status: number][] = [
      ['PATCH', '/api/v1/user/settings', { 'content-type': 'application/json' }, '{', 408],
      ['POST', `/api/v1${assets}`, form, text, 500],
      [
        'POST',
        '/ann/one.git/git-receive-pack',
        { 'content-type': 'application/x-git-receive-pack-request' },
        '00',
        408,
      ],
      [
        'POST',
        '/ann/one.git/info/lfs/objects/batch',
        { accept: LFS_TYPE, 'content-type': LFS_TYPE },
        '{',
        408,
      ],
      ['PUT', '/api/packages/ann/generic/tool/1.0.0/f', {}, 'x', 408],
      [
        'POST',
        '/user/settings',
        { ...browser.headers, 'content-type': 'application/x-www-form-urlencoded' },
        'x',
        408,
      ],
    ]
    let passed = 0
    const now = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => now() + passed)

    for (const [method, path, type, body, status] of cases) {
      const headers = { ...ann.headers, ...type, 'content-length': 1000 }
      const seen = once(app.server.server, 'request') as Promise<[IncomingMessage]>
      const sent = request(url + path, { method, headers }).on('error', () => undefined)
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>
      sent.write(body)
      const [incoming] = await seen
      await until(() => incoming.listenerCount('data') + incoming.listenerCount('readable') > 0)
      passed += 61_000
      sent.write(body)
      const [answer] = await answered
      assert.equal(answer.statusCode, status, path)
      assert.equal(answer.headers.connection, 'close', path)
      sent.destroy()
    }

    assert.deepEqual(await storedKeys(app), [])
    assertStatus(await app.get(ann, '/user'), 200)
  })
})

suite('connections of one address', () => {
  test('are limited, but not those of proxies', () => {
    const server = new EventEmitter()
    limitConnections(server as Server, {
      connections_per_address: 2,
      trusted_proxies: ['192.0.2.1', '198.51.100.0/24'],
    })
    const connect = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroyed: false,
        destroy: () => (socket.destroyed = true),
      })
      server.emit('connection', socket)
      return socket
    }

    const first = connect('203.0.113.1')
    assert.equal(first.destroyed, false)
    assert.equal(connect('::ffff:203.0.113.1').destroyed, false)
    assert.equal(connect('203.0.113.1').destroyed, true)
    assert.equal(connect('203.0.113.2').destroyed, false)
    first.emit('close')
    assert.equal(connect('203.0.113.1').destroyed, false)
    assert.equal(connect('203.0.113.1').destroyed, true)
    for (const proxy of ['192.0.2.1', '198.51.100.7', '127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      for (let count = 0; count < 5; count++) assert.equal(connect(proxy).destroyed, false, proxy)
    }
  })
})

suite('an address', () => {
  test('is no longer than anybody needs', async (t) => {
    const app = await startApp(t)
    const path = (length: number) => `/version?${'x'.repeat(length - '/api/v1/version?'.length)}`

    assertStatus(await app.get(undefined, path(12_288)), 200)
    assertError(
      await app.get(undefined, path(12_289)),
      414,
      'the address is longer than 12288 bytes',
    )
    assertStatus(await app.get(undefined, `^/?${'x'.repeat(12_288)}`), 414)
  })
})
