// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { suite, test } from 'node:test'
import { loadAssets } from '../../../src/web/assets.ts'
import { PageServer } from '../../../src/web/page-server.ts'
import { registerPages } from '../../../src/web/routes.ts'
import { startApp } from '../../support/app.ts'

suite('routing', () => {
  test('an unknown path is 404 in plain text, whoever asks', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const wrong = { authorization: 'token 0123456789' }

    for (const path of ['/no/such/route', '/Version', '/users', '/version/more']) {
      for (const answer of [
        await app.get(undefined, path),
        await app.get(ann, path),
        await app.get(undefined, path, wrong),
      ]) {
        assert.equal(answer.status, 404)
        assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
        assert.equal(answer.text, '404 page not found\n')
      }
    }
  })

  test('a known path with another method is 405 with the methods it has, before any credential', async (t) => {
    const app = await startApp(t)

    const answer = await app.delete(undefined, '/version', undefined, {
      authorization: 'token wrong',
    })

    assert.equal(answer.status, 405)
    assert.equal(answer.text, '')
    assert.deepEqual(answer.headers['allow'], ['GET', 'HEAD'])
  })

  test('OPTIONS is 405 while CORS is off', async (t) => {
    const app = await startApp(t)

    const answer = await app.send(undefined, 'OPTIONS', '/version')

    assert.equal(answer.status, 405)
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
  })

  test('a trailing slash is not routed', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    for (const path of [
      '/version/',
      '/user/',
      '/users/',
      '/users/ann/',
      '/user/settings/',
      '/repos/ann/',
      '/repos/search/',
    ]) {
      const answer = await app.get(ann, path)
      assert.equal(answer.status, 404)
      assert.equal(answer.text, '404 page not found\n')
    }
    assert.equal((await app.patch(ann, '/user/settings/', { full_name: 'x' })).status, 404)
    assert.equal((await app.get(ann, '/user/settings')).body.full_name, '')
  })

  test('repeated slashes count as one', async (t) => {
    const app = await startApp(t)

    for (const path of ['^//api/v1/version', '^/api//v1///version']) {
      assert.equal((await app.get(undefined, path)).status, 200)
    }
    assert.equal((await app.get(undefined, '^//api/v1/version//')).status, 404)
  })

  test('a whole address counts as its path, whatever host it names', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const statusOf = (url: string) =>
      new Promise((resolve, reject) => {
        const sent = request(base, { path: url, headers: ann.headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        sent.on('error', reject).end()
      })
    const base = await app.server.listen({ host: '127.0.0.1', port: 0 })

    assert.equal(await statusOf('http://other.example/api/v1/user?limit=1'), 200)
    assert.equal(await statusOf('HTTPS://other.example:8/api/v1/nothing'), 404)
    assert.equal(await statusOf('ftp://other.example/api/v1/user'), 404)
    assert.equal(await statusOf('/http://other.example/api/v1/user'), 404)
  })

  test('HEAD answers like GET, without a body', async (t) => {
    const app = await startApp(t)

    const got = await app.get(undefined, '/version')
    const head = await app.head(undefined, '/version')

    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    assert.equal(head.headers['content-length'], String(got.text.length))
    assert.equal(head.headers['content-type'], got.headers['content-type'])
  })

  test('no account takes the name of an address', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const pages = new PageServer()
    registerPages(pages, app.ctx, {
      config: app.ctx.config,
      assets: loadAssets(),
      hasPage: () => false,
      isCopy: () => false,
    })
    const addresses = [
      app.server.printRoutes({ commonPrefix: false }),
      ...pages.routes.map(({ path }) => `── ${path}`),
      '── /setup',
    ].join('\n')
    const words = [...addresses.matchAll(/^[├└]?── \/([\w.-]+)/gm)].map(([, word]) => word ?? '')
    for (const word of ['avatars', 'explore', 'user', 'org', 'setup'])
      assert.ok(words.includes(word))

    for (const username of new Set(words)) {
      const person = { username, email: 'x@example.org', password: 'password1' }
      const made = await app.post(root, '/admin/users', person)
      assert.deepEqual([made.status, username], [422, username])
      assert.equal((await app.post(root, '/orgs', { username })).status, 422, username)
    }
  })

  test('names are decoded once, and paths that cannot be decoded lead nowhere', async (t) => {
    const app = await startApp(t)
    await app.addCaller('ann')

    assert.equal((await app.get(undefined, '/users/%61nn')).status, 200)
    assert.equal((await app.get(undefined, '/users/%2561nn')).status, 404)
    for (const path of [
      '/users/%zz',
      '/users/%ff',
      '/users/a%00b',
      '/users/%2e%2e',
      '/users/..%2fann',
    ]) {
      assert.equal((await app.get(undefined, path)).status, 404, path)
    }
  })
})

suite('headers of every answer', () => {
  test('caching is off, sniffing is off, and a request id is given', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    for (const answer of [
      await app.get(undefined, '/version'),
      await app.get(undefined, '/users/nobody'),
      await app.get(undefined, '/nothing'),
      await app.put(ann, '/user/following/ann'),
    ]) {
      assert.equal(answer.headers['cache-control'], 'max-age=0, private, must-revalidate')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.equal(answer.headers['x-frame-options'], 'SAMEORIGIN')
      assert.match(answer.headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/)
      for (const absent of ['etag', 'last-modified', 'www-authenticate', 'set-cookie', 'vary']) {
        assert.equal(answer.headers[absent], undefined)
      }
    }
  })

  test('an answer without a body claims no type', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { status, headers, text } = await app.delete(ann, '/user/emails', { emails: [] })

    assert.equal(status, 204)
    assert.equal(headers['content-type'], undefined)
    assert.equal(text, '')
  })
})

suite('CORS, when switched on', () => {
  const cors = { enabled: true }

  test('answers a preflight for any path', async (t) => {
    const app = await startApp(t, { cors })

    const answer = await app.send(undefined, 'OPTIONS', '/nowhere', undefined, {
      origin: 'https://a.example',
      'access-control-request-method': 'GET',
    })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(
      answer.headers['access-control-allow-headers'],
      'Authorization, X-Gitea-OTP, Content-Type, User-Agent',
    )
    assert.equal(
      answer.headers['access-control-allow-methods'],
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    )
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    assert.equal(answer.headers['access-control-max-age'], '600')
    assert.equal(answer.headers['vary'], 'Origin')
  })

  test('names the origin only to requests that have one', async (t) => {
    const app = await startApp(t, { cors })

    const plain = await app.get(undefined, '/version')
    const crossing = await app.get(undefined, '/version', { origin: 'https://a.example' })

    assert.equal(plain.headers['access-control-allow-origin'], undefined)
    assert.equal(plain.headers['vary'], 'Origin')
    assert.equal(crossing.headers['access-control-allow-origin'], '*')
  })

  test('lets only the configured origins in, and credentials only to them', async (t) => {
    const app = await startApp(t, {
      cors: { ...cors, allow_origins: ['https://a.example'], allow_credentials: true },
    })

    const allowed = await app.get(undefined, '/version', { origin: 'https://a.example' })
    const other = await app.get(undefined, '/version', { origin: 'https://b.example' })

    assert.equal(allowed.headers['access-control-allow-origin'], 'https://a.example')
    assert.equal(allowed.headers['access-control-allow-credentials'], 'true')
    assert.equal(other.headers['access-control-allow-origin'], undefined)
  })

  test('never sends credentials together with every origin', async (t) => {
    const app = await startApp(t, { cors: { ...cors, allow_credentials: true } })

    const { headers } = await app.get(undefined, '/version', { origin: 'https://a.example' })

    assert.equal(headers['access-control-allow-credentials'], undefined)
  })
})

suite('compression', () => {
  test('is off by default', async (t) => {
    const app = await startApp(t)

    const { headers } = await app.get(undefined, '/settings/attachment', {
      'accept-encoding': 'gzip',
    })

    assert.equal(headers['content-encoding'], undefined)
  })

  test('when on, larger texts go compressed to who accepts it', async (t) => {
    const app = await startApp(t, { server: { gzip: true } })
    const ann = await app.addCaller('ann')
    for (let count = 0; count < 5; count++) await app.addCaller(`ann${count}`)

    const large = await app.get(ann, '/users/search', { 'accept-encoding': 'br, gzip' })
    const refused = await app.get(ann, '/users/search', { 'accept-encoding': 'gzip;q=0' })
    const small = await app.get(ann, '/version', { 'accept-encoding': 'gzip' })

    assert.equal(large.headers['content-encoding'], 'gzip')
    assert.equal(refused.headers['content-encoding'], undefined)
    assert.equal(small.headers['content-encoding'], undefined)
  })
})
