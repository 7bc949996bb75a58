// One database is enough: it is about hosts and headers.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { base64, commit, makePrivate } from '../../code/commits/setup.ts'
import { basic, type Headers, type TestAnswer, type TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { routesOf } from '../../support/routes.ts'
import { signIn } from '../../web/support.ts'
import { addressesOf, assertText, start, type FileSetup } from './setup.ts'

const HOST = 'files.example'
const MAIN = 'http://codestead.test'
const MISSING = '404 page not found'

interface HostSetup extends FileSetup {
  /** Asks the host of files, with nothing that says who asks. */
  readonly ask: (address: string, headers?: Headers) => Promise<TestAnswer>
}

async function startWithHost(t: TestContext, changes: ConfigChanges = {}): Promise<HostSetup> {
  const server = { files_url: `http://${HOST}`, ...changes.server }
  const setup = await start(t, { ...changes, server })
  const ask = (address: string, headers: Headers = {}) =>
    setup.app.get(undefined, address, { host: HOST, ...headers })
  return { ...setup, ask }
}

/** Where the file is, as the test asks for it: below the root of the other host. */
function signedIn({ status, headers, text }: TestAnswer): string {
  assert.equal(status, 303, text)
  const { location = '' } = headers
  const [, path = '', signature = ''] =
    /^http:\/\/files\.example(\/[^?]*)\?signed=(\d+-\d+-[0-9a-f]{64})$/.exec(location) ?? []
  assert.ok(path && signature, location)
  assert.equal(headers['cache-control'], 'private, no-store')
  assert.equal(text, '')
  return `^${path}?signed=${signature}`
}

/** One file for each kind of address, with what is in it. */
async function addFiles(setup: HostSetup): Promise<ReadonlyMap<string, string>> {
  const { app, ann, path, assets, assetsOfIssue, add } = setup
  const released = await add(assets)
  const attached = await add(assetsOfIssue, { filename: 'note.txt', content: 'noted' })
  const sha = await commit(setup, { 'docs/a b.txt': 'alpha', 'ü&+.txt': 'umlaut' })
  const tag = await app.post(ann, `${path}/tags`, { tag_name: 'v2', target: sha })
  assertStatus(tag, 201)
  const page = { title: 'Home', content_base64: base64('welcome') }
  assertStatus(await app.post(ann, `${path}/wiki/new`, page), 201)
  const code = ['raw', 'media'].flatMap((kind) => [
    `^/ann/one/${kind}/branch/main/docs/a%20b.txt`,
    `^/ann/one/${kind}/tag/v2/docs/a%20b.txt`,
    `^/ann/one/${kind}/commit/${sha}/docs/a%20b.txt`,
  ])
  return new Map([
    ...[...addressesOf(released), '^/ann/one/releases/latest/download/file.txt'].map(
      (address) => [address, 'hello'] as const,
    ),
    [attached, 'noted'],
    [attached.replace('^', '^/ann/one/issues/1'), 'noted'],
    [attached.replace('^', '^/ann/one/pulls/1'), 'noted'],
    ...code.map((address) => [address, 'alpha'] as const),
    ['^/ann/one/raw/branch/main/%C3%BC%26+.txt', 'umlaut'],
    ['^/ann/one/wiki/raw/Home.md', 'welcome'],
  ])
}

suite('a host for files alone', () => {
  test('shows what was uploaded and pushed, once the other has led there', async (t) => {
    const setup = await startWithHost(t)
    const { app, ask } = setup

    for (const [address, content] of await addFiles(setup)) {
      const led = await app.get(undefined, address)
      const place = signedIn(led)
      const answer = await ask(place)
      assert.equal(answer.status, 200, address)
      assert.equal(answer.text, content, address)
      assert.equal(place.split('?')[0], address.replace('%26', '&'))
      assert.equal(led.headers['cross-origin-resource-policy'], undefined)
      assert.equal(answer.headers['cross-origin-resource-policy'], undefined)
      assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      assert.match(answer.headers['content-security-policy'] ?? '', /^default-src 'none'.*sandbox$/)
      assert.match(answer.headers['content-disposition'] ?? '', /^inline; filename/)
      const head = await app.head(undefined, address)
      const asked = await app.head(undefined, signedIn(head), { host: HOST })
      assert.equal(asked.status, 200, address)
      assert.equal(asked.headers['content-length'], String(content.length))
    }
  })

  test('gives parts, and nothing of what the client has', async (t) => {
    const setup = await startWithHost(t)
    const { app, ask } = setup
    const part = { range: 'bytes=1-2' }

    for (const [address, content] of await addFiles(setup)) {
      const place = signedIn(await app.get(undefined, address, part))
      const parts = await ask(place, part)
      assert.equal(parts.status, 206, address)
      assert.equal(parts.text, content.slice(1, 3))
      const { etag = '' } = parts.headers
      assertStatus(await ask(place, { 'if-none-match': etag }), 304)
      signedIn(await app.get(undefined, address, { 'if-none-match': etag }))
    }
  })

  test('counts a download once', async (t) => {
    const { app, ann, assets, add, ask } = await startWithHost(t)
    const file = await add(assets)

    assertStatus(await ask(signedIn(await app.get(undefined, file))), 200)

    assert.equal((await app.get(ann, assets)).body[0].download_count, 1)
  })

  test('is led to by nobody who may not have the file, nor to what is not there', async (t) => {
    const setup = await startWithHost(t)
    const { app, ann, bob } = setup
    const files = await addFiles(setup)
    const narrow = await app.withToken(ann.account, ['read:user'])
    const open = await app.withToken(ann.account, ['public-only', 'read:repository', 'read:issue'])
    assertStatus(await app.get(undefined, '^/ann/one/raw/branch/main/none'), 404)
    assertText(await app.get(undefined, '^/attachments/x'), 404, 'Not Found')
    signedIn(await app.get(open, '^/ann/one/raw/branch/main/README.md'))
    await makePrivate(setup)

    for (const address of files.keys()) {
      const isPage = /\/(?:issues|pulls)\/\d/.test(address)
      assertStatus(await app.get(undefined, address), 404)
      assertStatus(await app.get(bob, address), 404)
      if (isPage) continue
      assertStatus(await app.get(narrow, address), 403)
      assert.ok([403, 404].includes((await app.get(open, address)).status), address)
      assertStatus(await app.get(undefined, address, { authorization: 'token x' }), 401)
      signedIn(await app.get(app.withPassword(ann.account), address))
    }
  })

  test('shows private files to those who were led there, and asks again whether they may', async (t) => {
    const setup = await startWithHost(t)
    const { app, ann, bob, path, ask } = setup
    const files = await addFiles(setup)
    const byBob = await signIn(app, 'bob')
    const everybodys = signedIn(await app.get(undefined, '^/ann/one/raw/branch/main/README.md'))
    await makePrivate(setup)
    const invite = () => app.put(ann, `${path}/collaborators/bob`, { permission: 'read' })
    assertStatus(await invite(), 204)
    // What was public when the way was told is private by now.
    assertStatus(await ask(everybodys), 404)

    for (const [address, content] of files) {
      const led = await byBob.get(address.slice(1))
      const place = signedIn(led)
      const answer = await ask(place)
      assert.equal(answer.text, content)
      assert.equal(led.headers['cross-origin-resource-policy'], 'same-site')
      assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin')
      assertStatus(await app.delete(ann, `${path}/collaborators/bob`), 204)
      assertStatus(await ask(place), 404)
      assertStatus(await invite(), 204)
    }
    const place = signedIn(await app.get(bob, [...files.keys()][0] ?? ''))
    const root = await app.addAdmin()
    const off = { login_name: 'bob', source_id: 0, prohibit_login: true }
    assertStatus(await app.patch(root, '/admin/users/bob', off), 200)
    assertText(await ask(place), 403, 'Forbidden')
  })

  test('takes no signature but its own, for its own path', async (t) => {
    const { app, ann, assets, add, ask } = await startWithHost(t)
    const file = await add(assets)
    const other = await add(assets, { filename: 'other.txt' })
    const place = signedIn(await app.get(undefined, file))
    const [, signature = ''] = place.split('=')
    const [account = '', until = '', mac = ''] = signature.split('-')
    const { secrets } = app.ctx
    const forged = [
      '',
      'x',
      `${account}-${until}`,
      `${ann.id}-${until}-${mac}`,
      `${account}-${Number(until) + 1}-${mac}`,
      `${account}${until.charAt(0)}-${until.slice(1)}-${mac}`,
      `${account}-${until}-${mac.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))}`,
      `${account}-${until}-${'0'.repeat(64)}`,
      `${account}-${until}-${secrets.hash('lfs-ticket', JSON.stringify([0, Number(until), file.slice(1)]))}`,
      signature.toUpperCase(),
      ` ${signature}`,
    ]

    for (const one of forged) assertText(await ask(`${file}?signed=${one}`), 403, 'Forbidden')
    for (const path of [
      other,
      file.replace('^', '^/ann/one'),
      '^/ann/one/releases/download/v1/file.txt',
      '^/ann/one/raw/branch/main/README.md',
    ]) {
      assertText(await ask(`${path}?signed=${signature}`), 403, 'Forbidden')
    }
    assertStatus(await ask(`${place}&signed=x&token=x`), 200)
    for (const header of [`token ${signature}`, basic('ann', signature)]) {
      assertStatus(await app.get(undefined, '/user', { authorization: header }), 401)
    }
  })

  test('takes a path in whatever spelling', async (t) => {
    const setup = await startWithHost(t)
    const { app, ask } = setup
    await commit(setup, { '~a (1)^.txt': 'alpha' })
    const raw = '^/ann/one/raw/branch/main'
    const place = signedIn(await app.get(undefined, `${raw}/~a%20(1)%5E.txt`))
    const [, query = ''] = place.split('?')

    for (const name of ['~a%20(1)%5E.txt', '%7Ea%20%281%29%5e.txt', '%7e%61%20(1)^.txt']) {
      assert.equal((await ask(`${raw}/${name}?${query}`)).text, 'alpha', name)
    }
    for (const bad of ['%ff', '%zz', '%']) {
      assertStatus(await ask(`${raw}/${bad}?${query}`), 404)
      assertStatus(await app.get(undefined, `${raw}/${bad}`), 404)
    }
  })

  test('leads back whoever has no signature or one whose time is over, and nobody in circles', async (t) => {
    const { app, assets, add, ask } = await startWithHost(t)
    const file = await add(assets)
    const place = signedIn(await app.get(undefined, file))
    const assertLedBack = (answer: TestAnswer) => {
      assertStatus(answer, 303)
      assert.equal(answer.headers['location'], `${MAIN}${file.slice(1)}`)
      assert.equal(answer.headers['cache-control'], 'private, no-store')
    }

    app.passTime(140)
    assertStatus(await ask(place), 200)
    assertLedBack(await ask(file))
    assertLedBack(await ask(`${file}?token=secret`))
    app.passTime(160)
    assertLedBack(await ask(place))
    assertLedBack(await app.head(undefined, place, { host: HOST }))
    assertStatus(await ask(signedIn(await app.get(undefined, file))), 200)
    // Where a proxy does not say which host is meant.
    const lost = await app.get(undefined, signedIn(await app.get(undefined, file)))
    assertStatus(lost, 421)
    assert.match(lost.text, /files\.example/)
  })

  test('keeps an address for a while, so that browsers find what they have', async (t) => {
    const { app, assets, add } = await startWithHost(t)
    const file = await add(assets)
    app.passTime(150 - (app.ctx.now() % 150))
    const first = signedIn(await app.get(undefined, file))

    app.passTime(100)
    assert.equal(signedIn(await app.get(undefined, file)), first)
    app.passTime(50)
    assert.notEqual(signedIn(await app.get(undefined, file)), first)
  })

  test('hands no credential on, and knows none', async (t) => {
    const proxied = { server: { trusted_proxies: ['127.0.0.1'] }, proxy_login: { web: true } }
    const setup = await startWithHost(t, { ...proxied, cors: { enabled: true } })
    const { app, ann, ask } = setup
    const files = await addFiles(setup)
    const byAnn = await signIn(app, 'ann')
    const places = new Map<string, string>()
    for (const address of files.keys()) {
      places.set(address, signedIn(await app.get(undefined, address)))
    }
    await makePrivate(setup)
    const token = ann.headers['authorization']?.slice('token '.length) ?? ''
    const credentials = {
      ...byAnn.headers,
      'x-webauth-user': 'ann',
      origin: 'https://a.example',
    }

    for (const [address, place] of places) {
      for (const more of [credentials, ann.headers, { sudo: 'ann', ...ann.headers }]) {
        const answer = await ask(`${place}&token=${token}`, more)
        assertStatus(answer, 404)
        assertClean(answer)
        assertClean(await ask(address, more))
        assertClean(await ask(`${address}?signed=x`, more))
      }
    }
    const released = [...files.keys()][0] ?? ''
    const led = await app.get(undefined, `${released}?token=${token}&ref=x`)
    assert.doesNotMatch(led.headers['location'] ?? '', /token|ref/)
    const seen = await ask(signedIn(led), credentials)
    assert.equal(seen.text, 'hello')
    assertClean(seen)
  })

  test('has nothing else', async (t) => {
    const setup = await startWithHost(t, { cors: { enabled: true } })
    const { app, ann } = setup
    const file = await setup.add(setup.assets)
    const byAnn = await signIn(app, 'ann')
    const headers = { ...byAnn.headers, ...ann.headers, host: HOST, origin: 'https://a.example' }
    const assertMissing = async (method: string, path: string) => {
      const answer = await app.send(undefined, method, path, undefined, headers)
      assert.equal(answer.status, 404, `${method} ${path}`)
      if (method !== 'HEAD') assertText(answer, 404, MISSING)
      assertClean(answer)
    }

    for (const { method, path } of routesOf()) {
      await assertMissing(method, path.replaceAll(/[:*](\w+)/g, '1'))
    }
    for (const path of [
      '/',
      '/ann',
      '/ann/one',
      '/ann/one/src/branch/main/README.md',
      '/ann/one/archive/main.zip',
      '/ann/one/commit/main.diff',
      '/ann/one/issues/1',
      '/ann/one/wiki',
      '/ann/one.git/info/refs?service=git-upload-pack',
      '/ann/one.git/info/lfs/locks',
      '/api/packages/ann/generic/a/1/b',
      '/avatars/x',
      '/api/healthz',
      '/api/readyz',
      '/metrics',
      '/swagger.v1.json',
      '/user/login',
      '/login/oauth/keys',
      '/.well-known/openid-configuration',
      '/nowhere',
    ]) {
      for (const method of ['GET', 'HEAD', 'POST']) await assertMissing(method, `^${path}`)
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      await assertMissing(method, file)
      await assertMissing(method, signedIn(await app.get(undefined, file)))
    }
  })

  test('is known by its name, whatever the port, the case and a last dot', async (t) => {
    const { app, ask } = await startWithHost(t, { server: { trusted_proxies: ['127.0.0.1'] } })

    for (const host of [HOST, `${HOST}:8080`, 'FILES.example', `${HOST}.`]) {
      assertText(await ask('/version', { host }), 404, MISSING)
    }
    for (const host of ['codestead.test', `x.${HOST}`, '', 'a b']) {
      assertStatus(await app.get(undefined, '/version', { host }), 200)
    }
    const forwarded = { host: '127.0.0.1:3000', 'x-forwarded-host': HOST }
    assertText(await ask('/version', forwarded), 404, MISSING)
  })

  test('is not asked for what programs read by the API', async (t) => {
    const { app, ann, path, assets, add } = await startWithHost(t)
    await add(assets)

    const raw = await app.get(undefined, `${path}/raw/README.md`)
    const [asset] = (await app.get(ann, assets)).body

    assert.equal(raw.text, '# one\n\n')
    assert.match(asset.browser_download_url, /^http:\/\/codestead\.test\/ann\/one\/releases\//)
  })

  test('may be asked for pictures by the pages, and is the only other one', async (t) => {
    const policyOf = async (app: TestApp) =>
      (await app.get(undefined, '^/ann/one')).headers['content-security-policy'] ?? ''
    const { app } = await startWithHost(t)
    const alone = await start(t)

    assert.match(await policyOf(app), /; img-src 'self' http:\/\/files\.example; /)
    assert.match(await policyOf(alone.app), /; img-src 'self'; /)
  })
})

/** Nothing of cookies, nor of other origins. */
function assertClean({ headers }: TestAnswer): void {
  const names = Object.keys(headers).filter((name) => name !== 'access-control-expose-headers')
  assert.deepEqual(
    names.filter((name) => /^(?:set-cookie|access-control-.*|vary)$/.test(name)),
    [],
  )
}
