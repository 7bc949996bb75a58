// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { matchesGlob } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../src/platform/config/config.ts'
import { programVersion } from '../../src/platform/version.ts'
import { html, trusted } from '../../src/platform/html.ts'
import { startApp, type TestAnswer } from '../support/app.ts'

function assertGuarded({ headers }: TestAnswer): void {
  const policy = headers['content-security-policy'] ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'self'/)
  assert.match(policy, /form-action 'self'/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['x-frame-options'], 'SAMEORIGIN')
}

suite('GET /', () => {
  test('tells the version and where to go', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')

    const answer = await app.get(undefined, '^/')

    assert.equal(answer.status, 200)
    assertGuarded(answer)
    assert.ok(answer.text.includes(`>${programVersion}<`))
    assert.ok(answer.text.includes('http://codestead.test/api/v1'))
    assert.match(answer.text, /href="\/api\/swagger"/)
    assert.doesNotMatch(answer.text, /no account yet|setup/)
  })

  test('tells how to begin while there is no account, and not the link', async (t) => {
    const app = await startApp(t)

    const { text } = await app.get(undefined, '^/')

    assert.match(text, /There is no account yet[^]*npm run admin/)
    assert.doesNotMatch(text, /token=/)
  })

  test('links below the path under which the server is published', async (t) => {
    const app = await startApp(t, { server: { url: 'https://forge.example/sub' } })

    const { text } = await app.get(undefined, '^/')

    const links = [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, link]) => link ?? '')
    assert.ok(links.length > 3)
    assert.deepEqual(
      links.filter((link) => !link.startsWith('/sub/')),
      [],
    )
  })
})

suite('GET /assets/{name}', () => {
  test('serves what pages load, to be kept for good', async (t) => {
    const app = await startApp(t)
    const { text } = await app.get(undefined, '^/')
    const names = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, name]) => name)
    const [styles, icon] = names

    const sheet = await app.get(undefined, `^${styles}`)
    const image = await app.get(undefined, `^${icon}`)

    assert.match(styles ?? '', /^\/assets\/codestead-[0-9a-f]{16}\.css$/)
    assert.equal(sheet.status, 200)
    assert.equal(sheet.headers['content-type'], 'text/css; charset=utf-8')
    assert.equal(sheet.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(image.headers['content-type'], 'image/svg+xml')
  })

  test('has nothing else', async (t) => {
    const app = await startApp(t)

    for (const name of ['codestead.css', '..%2froutes.ts', '../routes.ts', '']) {
      assert.equal((await app.get(undefined, `^/assets/${name}`)).status, 404, name)
    }
  })
})

suite('GET /robots.txt', () => {
  async function rules(t: TestContext, changes: ConfigChanges = {}) {
    const app = await startApp(t, changes)
    const { status, headers, text } = await app.get(undefined, '^/robots.txt')
    assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
    return text
  }

  test('asks crawlers to leave alone what is countless, and nothing that people look for', async (t) => {
    const text = await rules(t, { server: { url: 'http://codestead.test/git' } })
    const patterns = [...text.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path)
    const isLeft = (path: string) =>
      patterns.some((pattern) => matchesGlob(path, `${pattern.replace('?', '[?]')}**`))

    assert.match(text, /^User-agent: \*\n/)
    for (const path of ['raw/branch/main/a', 'commit/0123', 'blame/branch/main/a', 'search?q=a']) {
      assert.ok(isLeft(`/git/ann/one/${path}`), path)
    }
    for (const path of ['', '/issues/1', '/src/branch/main/a', '/releases', '/wiki/Home']) {
      assert.ok(!isLeft(`/git/ann/one${path}`), path)
    }
  })

  test('asks to leave everything alone where strangers see nothing, or says what is set', async (t) => {
    const closed = await rules(t, { security: { require_sign_in: 'true' } })
    assert.equal(closed, 'User-agent: *\nDisallow: /\n')
    assert.equal(await rules(t, { server: { robots: 'User-agent: x' } }), 'User-agent: x')
  })
})

suite('the style sheet', () => {
  test('names its colours once, and nowhere else', async (t) => {
    const app = await startApp(t)
    const { text: page } = await app.get(undefined, '^/')
    const [, name] = /href="(\/assets\/[^"]+\.css)"/.exec(page) ?? []

    const { text } = await app.get(undefined, `^${name}`)

    const [, rest = ''] = text.split(/^:root \{[^}]+\}$/m)
    assert.ok(rest.length > 1000)
    assert.doesNotMatch(rest, /#[0-9a-f]{3,8}\b|rgb|hsl/i)
  })
})

suite('html', () => {
  test('escapes every value that it did not make', () => {
    const evil = `<script>"'&`

    const page = html`<a title="${evil}">${[evil, html`<b>${1}</b>`, trusted('<i>')]}</a>`

    const escaped = '&lt;script&gt;&quot;&#39;&amp;'
    assert.equal(page.toString(), `<a title="${escaped}">${escaped}<b>1</b><i></a>`)
  })

  test('leaves out what is not there', () => {
    assert.equal(html`[${false}${undefined}${null}${''}${0}]`.toString(), '[0]')
  })
})

suite('GET /{owner}/{repo}?go-get=1', () => {
  const tag = (name: string) =>
    `<meta name="go-import" content="codestead.test/${name} git http://codestead.test/${name}.git">`

  test('tells go where the module of a package is, whatever the name', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'r', private: true })

    for (const path of ['ann/r', 'ann/r.git', 'ann/r/cmd/tool', 'ann/missing']) {
      const answer = await app.get(undefined, `^/${path}?go-get=1`)
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      const name = path
        .split('/')
        .slice(0, 2)
        .join('/')
        .replace(/\.git$/, '')
      assert.ok(answer.text.includes(tag(name)), answer.text)
    }
  })

  test('is nothing for others', async (t) => {
    const app = await startApp(t)

    for (const path of ['/ann?go-get=1', '/ann/r?go-get=0', '/ann/r', '/a<b/r?go-get=1'])
      assert.equal((await app.get(undefined, `^${path}`)).status, 404, path)
    assert.equal((await app.get(undefined, '/version?go-get=1')).body.version.length > 0, true)
  })
})
