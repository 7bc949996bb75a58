// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { basic, startApp, type Headers, type TestAnswer, type TestApp } from '../support/app.ts'

const filledIn = {
  username: 'ann',
  email: 'ann@example.org',
  password: 'pass word 1',
  password_again: 'pass word 1',
}

async function linkOf(app: TestApp): Promise<string> {
  const link = await app.findSetupLink()
  assert.match(link ?? '', /^http:\/\/codestead\.test\/setup\?token=[\w-]{32}$/)
  return `^${new URL(link ?? '').pathname}${new URL(link ?? '').search}`
}

async function submit(
  app: TestApp,
  link: string,
  changes: Partial<Record<keyof typeof filledIn, string>> = {},
  headers: Headers = { 'sec-fetch-site': 'same-origin' },
): Promise<TestAnswer> {
  const form = new URLSearchParams({ ...filledIn, ...changes }).toString()
  const type = 'application/x-www-form-urlencoded'
  return app.post(undefined, link, form, { 'content-type': type, ...headers })
}

async function people(app: TestApp): Promise<string[]> {
  const rows = await app.ctx.db.selectFrom('account').select('name').execute()
  return rows.map(({ name }) => name)
}

suite('GET /setup', () => {
  test('shows the form to whoever has the link', async (t) => {
    const app = await startApp(t)

    const { status, headers, text } = await app.get(undefined, await linkOf(app))

    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'same-origin')
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/)
    for (const name of Object.keys(filledIn)) assert.match(text, new RegExp(`name="${name}"`))
  })

  test('is not there for anybody else', async (t) => {
    const app = await startApp(t)
    const link = await linkOf(app)

    for (const other of ['^/setup', '^/setup?token=', '^/setup?token=x', `${link}x`]) {
      const { status, text } = await app.get(undefined, other)

      assert.equal(status, 404, other)
      assert.equal(text, '404 page not found\n')
    }
  })

  test('has another link at each start', async (t) => {
    assert.notEqual(await linkOf(await startApp(t)), await linkOf(await startApp(t)))
  })

  test('is over with the first account, however it was created', async (t) => {
    const app = await startApp(t)
    const link = await linkOf(app)
    await app.addPerson('bob')

    const { status, text } = await app.get(undefined, link)

    assert.equal(status, 403)
    assert.match(text, /This link has been used/)
    assert.doesNotMatch(text, /class="sheet form"/)
    assert.equal(await app.findSetupLink(), undefined)
  })
})

suite('POST /setup', () => {
  test('creates an administrator who can call at once, and says how', async (t) => {
    const app = await startApp(t)
    const link = await linkOf(app)

    const { status, text } = await submit(app, link)

    assert.equal(status, 200)
    assert.match(text, /curl -u ann http:\/\/codestead\.test\/api\/v1\/users\/ann\/tokens/)
    assert.doesNotMatch(text, /pass word 1/)
    const authorization = basic('ann', filledIn.password)
    const { body } = await app.get(undefined, '/user', { authorization })
    assert.equal(body.login, 'ann')
    assert.equal(body.is_admin, true)
    assert.equal((await submit(app, link, { username: 'eve' })).status, 403)
    assert.deepEqual(await people(app), ['ann'])
  })

  test('signs the administrator in', async (t) => {
    const app = await startApp(t)
    const link = await linkOf(app)
    const before = await app.get(undefined, link)

    const { headers, text } = await submit(app, link)

    assert.match(before.text, /href="\/user\/login">Sign in/)
    assert.match(text, /Signed in as <b>ann<\/b>/)
    const cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? ''
    assert.match((await app.get(undefined, '^/', { cookie })).text, /Signed in as <b>ann<\/b>/)
    const refused = await submit(app, link, { username: 'bob' })
    assert.equal(refused.headers['set-cookie'], undefined)
  })

  test('says what is wrong beside the field, with everything typed but the password', async (t) => {
    const app = await startApp(t)
    const link = await linkOf(app)
    const cases: [Partial<typeof filledIn>, string, RegExp][] = [
      [{ username: '' }, 'username', /Choose a name/],
      [{ username: 'a b' }, 'username', /Letters and digits/],
      [{ username: 'a'.repeat(41) }, 'username', /At most 40 characters/],
      [{ username: 'admin' }, 'username', /reserved/],
      [{ email: '' }, 'email', /Enter an address/],
      [{ email: 'nowhere' }, 'email', /not an e-mail address/],
      [{ password: 'short', password_again: 'short' }, 'password', /at least 6 characters/],
      [{ password_again: 'pass word 2' }, 'password_again', /The two passwords differ/],
    ]

    for (const [changes, field, message] of cases) {
      const { status, text } = await submit(app, link, changes)

      assert.equal(status, 422, JSON.stringify(changes))
      const [, complaint = ''] = new RegExp(`id="${field}-problem"[^>]*>([^<]*)<`).exec(text) ?? []
      assert.match(complaint, message)
      assert.ok(text.includes(`value="${changes.username ?? 'ann'}"`))
      assert.ok(text.includes(`value="${changes.email ?? 'ann@example.org'}"`))
      assert.doesNotMatch(text, /pass word|"short"/)
    }
    assert.deepEqual(await people(app), [])
  })

  test('shows what was typed as text', async (t) => {
    const app = await startApp(t)

    const { text } = await submit(app, await linkOf(app), { username: '"><script>alert(1)' })

    assert.ok(text.includes('value="&quot;&gt;&lt;script&gt;alert(1)"'))
    assert.doesNotMatch(text, /<script>/)
  })

  test('makes one administrator, however many forms come at once', async (t) => {
    const app = await startApp(t)
    const link = await linkOf(app)
    const names = ['ann', 'bob', 'carl', 'dora', 'eve', 'ann']

    const answers = await Promise.all(
      names.map((username, index) =>
        submit(app, link, { username, email: `p${index}@example.org` }),
      ),
    )

    const statuses = answers.map(({ status }) => String(status)).sort()
    assert.deepEqual(statuses, ['200', '403', '403', '403', '403', '403'])
    assert.equal((await people(app)).length, 1)
  })

  test('refuses forms from other sites', async (t) => {
    const app = await startApp(t)
    const link = await linkOf(app)
    const refused: Headers[] = [
      { 'sec-fetch-site': 'cross-site', origin: 'http://codestead.test' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://evil.example' },
      { origin: 'http://codestead.test.evil.example' },
      { origin: 'null' },
      {},
    ]

    for (const headers of refused) {
      const { status, text } = await submit(app, link, {}, headers)

      assert.equal(status, 403, JSON.stringify(headers))
      assert.match(text, /Cross-origin request blocked/)
    }
    assert.deepEqual(await people(app), [])
  })

  test('takes a form by its origin where the browser does not tell the site', async (t) => {
    const app = await startApp(t)
    const origin = 'http://codestead.test'

    assert.equal((await submit(app, await linkOf(app), {}, { origin })).status, 200)
  })

  test('is not there without the link, and reads no endless form', async (t) => {
    const app = await startApp(t)
    const link = await linkOf(app)

    const stranger = await submit(app, '^/setup?token=guess')
    const endless = await submit(app, link, { username: 'x'.repeat(70_000) })

    assert.equal(stranger.status, 404)
    assert.equal(endless.status, 413)
    assert.deepEqual(await people(app), [])
  })
})
