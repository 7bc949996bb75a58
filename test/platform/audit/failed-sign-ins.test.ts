import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { basic, PASSWORD, startApp, type TestApp } from '../../support/app.ts'
import { keepLog } from '../../support/log-lines.ts'
import { until } from '../../support/until.ts'
import { findFreePort, LFS_TYPE } from '../../code/lfs/support.ts'

const FROM = { 'x-forwarded-for': '203.0.113.7' }
const behindProxy = { trusted_proxies: ['127.0.0.1'] }
const FAILED = 'sign-in failed'

async function typeOnPage(app: TestApp, name: string, password: string) {
  const form = new URLSearchParams({ user_name: name, password }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded', ...FROM }
  return app.post(undefined, '^/user/login', form, type)
}

suite('the log of failed sign-ins', () => {
  test('has a line for each door, with the address, the name as typed and the reason', async (t) => {
    const { log, raw, of } = keepLog()
    const app = await startApp(t, { server: behindProxy, lfs: { enabled: true } }, log)
    await app.addPerson('ann')
    await app.addPerson('gone')
    await app.ctx.db
      .updateTable('account')
      .set({ prohibit_login: 1 })
      .where('name', '=', 'gone')
      .execute()
    const call = (path: string, authorization: string, headers = {}) =>
      app.get(undefined, path, { authorization, ...FROM, ...headers })

    await typeOnPage(app, 'Ann', 'canary-1')
    await typeOnPage(app, 'nobody', 'canary-2')
    await typeOnPage(app, 'gone', PASSWORD)
    await call('/user', basic('ann', 'canary-3'))
    await call('/user', 'token canary-4')
    await call('/user?token=canary-5', '')
    await call('^/ann/x.git/info/refs?service=git-upload-pack', basic('ann', 'canary-6'))
    const ticket = `Bearer ${'a'.repeat(20)}.${'0'.repeat(64)}`
    const batch = JSON.stringify({ operation: 'download', objects: [] })
    const lfs = { ...FROM, accept: LFS_TYPE, 'content-type': LFS_TYPE, authorization: ticket }
    await app.post(undefined, '^/ann/x.git/info/lfs/objects/batch', batch, lfs)
    const client = { client_id: 'd57cb8c4-630c-4168-8324-ec79935e18d4', client_secret: 'canary-7' }
    const grant = { grant_type: 'refresh_token', ...client }
    await app.post(undefined, '^/login/oauth/access_token', grant, FROM)

    const seen = of(FAILED).map(({ by, reason, name }) => [by, reason, name])
    assert.deepEqual(seen, [
      ['password', 'wrong password', 'Ann'],
      ['password', 'unknown name', 'nobody'],
      ['password', 'may not sign in', 'gone'],
      ['password', 'wrong password', 'ann'],
      ['token', 'wrong token', undefined],
      ['token', 'wrong token', undefined],
      ['password', 'wrong password', 'ann'],
      ['lfs ticket', 'wrong lfs ticket', undefined],
      ['client secret', 'wrong client secret', client.client_id],
    ])
    for (const line of of(FAILED)) {
      assert.partialDeepStrictEqual(line, { level: 40, address: '203.0.113.7' })
    }
    const requests = new Set(of('request').map(({ reqId }) => reqId))
    assert.ok(of(FAILED).every(({ reqId }) => requests.has(reqId)))
    assert.doesNotMatch(raw.join(''), /canary/)
  })

  test('says that a code is missing or wrong, and that there are no more tries', async (t) => {
    const { log, of } = keepLog()
    const app = await startApp(t, { security: { failures_per_account: 3 } }, log)
    const ann = await app.addPerson('ann')
    const totp_secret = app.ctx.secrets.seal('totp', 'JBSWY3DPEHPK3PXP')
    await app.ctx.db.updateTable('account').set({ totp_secret }).where('id', '=', ann.id).execute()
    const authorization = basic('ann', PASSWORD)

    await app.get(undefined, '/user', { authorization })
    await app.get(undefined, '/user', { authorization, 'x-gitea-otp': '000000' })
    await app.get(undefined, '/user', { authorization: basic('ann', 'wrong') })
    const last = await app.get(undefined, '/user', { authorization })

    assert.equal(last.status, 429)
    const reasons = of(FAILED).map(({ reason }) => reason)
    assert.deepEqual(reasons, [
      'second factor missing',
      'wrong second factor',
      'wrong password',
      'too many tries',
    ])
  })

  test('cannot be forged by a name, which is cut, and repeats no token', async (t) => {
    const { log, raw, of } = keepLog()
    const app = await startApp(t, {}, log)
    const forged = 'x"}\n{"level":40,"event":"sign_in_failed","address":"192.0.2.9","by":"\u2028'

    await typeOnPage(app, forged, 'wrong')
    await typeOnPage(app, 'long'.repeat(100), 'wrong')
    await app.get(undefined, '/user', { authorization: basic('0123456789abcdef'.repeat(2), '') })

    const [first, second, third] = of(FAILED)
    assert.equal(of(FAILED).length, 3)
    assert.ok(raw.every((line) => line.indexOf('\n') === line.length - 1))
    assert.match(String(first?.['name']), /^x"}\uFFFD\{"level":40,"event":"sign_in_failed","addr/)
    assert.equal(String(second?.['name']).length, 65)
    assert.equal(third?.['name'], '***')
  })
})

suite('the log of requests', () => {
  test('has the address, the client, and the bytes that went over the connection', async (t) => {
    const { log, of } = keepLog()
    const app = await startApp(t, { server: behindProxy }, log)
    const port = await findFreePort()
    await app.server.listen({ port, host: '127.0.0.1' })
    const headers = { 'user-agent': `tea/0.9 ${'x'.repeat(300)}`, 'x-forwarded-for': '203.0.113.8' }

    for (const path of ['/api/swagger', '/swagger.v1.json', '/api/v1/version']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
      const body = await answer.arrayBuffer()
      const line = of('request').at(-1)
      assert.partialDeepStrictEqual(line, { path, status: 200, address: '203.0.113.8' })
      const head = Number(line?.['bytes']) - body.byteLength
      assert.ok(head > 100 && head < 4_000, `${path}: ${head} bytes beside the body`)
      assert.ok(Number(line?.['received']) > 350)
      assert.match(String(line?.['userAgent']), /^tea\/0\.9 x+…$/)
      assert.ok(String(line?.['userAgent']).length < 210)
    }
  })

  test('has a line for a request whose client hung up', async (t) => {
    const { log, of } = keepLog()
    const app = await startApp(t, {}, log)
    await app.addPerson('ann')
    const port = await findFreePort()
    await app.server.listen({ port, host: '127.0.0.1' })
    const count = promisify((done: (error: Error | null, open: number) => void) =>
      app.server.server.getConnections(done),
    )
    const socket = connect(port, '127.0.0.1')
    const head = [
      'POST /api/v1/user/repos HTTP/1.1',
      'host: codestead.test',
      `authorization: ${basic('ann', PASSWORD)}`,
      'content-type: application/json',
      'content-length: 100',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await until(async () => (await count()) === 1)
    socket.destroy()

    await until(() => of('request').length === 1)
    assert.partialDeepStrictEqual(of('request')[0], { status: 499, aborted: true })
  })
})

suite('the id of a request', () => {
  const id = 'f1d2:8080/haproxy-01'
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const traceparent = `00-${trace}-b7ad6b7169203331-01`

  test('is that of a trusted proxy, with the trace that it names', async (t) => {
    const { log, of } = keepLog()
    const app = await startApp(t, { server: behindProxy }, log)

    const answer = await app.get(undefined, '/version', { 'x-request-id': id, traceparent })

    assert.equal(answer.headers['x-request-id'], id)
    assert.partialDeepStrictEqual(of('request')[0], { reqId: id, traceId: trace })
  })

  test('is our own where the proxy sends none that is fit, and for everybody else', async (t) => {
    const { log, of } = keepLog()
    const app = await startApp(t, { server: behindProxy }, log)
    const stranger = await startApp(t, {}, log)
    const unfit = ['a b', 'x'.repeat(129), '"}', '', 'é']
    for (const sent of unfit) {
      const headers = {
        'x-request-id': sent,
        traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      }
      await app.get(undefined, '/version', headers)
    }

    await stranger.get(undefined, '/version', { 'x-request-id': id, traceparent })

    assert.equal(of('request').length, unfit.length + 1)
    for (const { reqId, traceId } of of('request')) {
      assert.match(String(reqId), /^[0-9a-f-]{36}$/)
      assert.equal(traceId, undefined)
    }
  })
})
