// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { mainOf } from './repository/support.ts'
import { fromElsewhere, signIn, Visitor } from './support.ts'

suite('the bar above every page', () => {
  test('leads visitors to sign in and back, and the signed-in to their own', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const visitor = new Visitor(app)
    const ann = await signIn(app, 'ann')

    for (const path of ['/api/swagger?a=b', '/nowhere?a=b']) {
      const { text } = await visitor.get(path)
      const back = encodeURIComponent(path)
      assert.ok(text.includes(`href="/user/login?redirect_to=${back}"`), path)
      assert.doesNotMatch(text, /Sign out|repo\/create/)
    }
    for (const path of ['/', '/api/swagger', '/user/change_password', '/nowhere']) {
      const { text } = await ann.get(path)
      assert.match(text, /Signed in as <b>ann<\/b>/, path)
      assert.match(text, /href="\/ann"[^]*action="\/user\/logout"/, path)
      assert.match(text, /href="\/repo\/create"/, path)
      assert.doesNotMatch(text, /\/user\/login/, path)
    }
    assert.match(
      (await visitor.get('/')).text,
      /<form class="find" role="search" action="\/explore\/repos">/,
    )
  })

  test('knows who is signed in where others ask for an account or a password', async (t) => {
    const app = await startApp(t, { users: { sign_up: true } })
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
    assertStatus(await app.post(bob, '/repos/ann/one/issues', { title: 'x' }), 201)
    await app.ctx.jobs.runDue()
    const visitor = await signIn(app, 'ann')

    const signUp = await visitor.get('/user/sign_up')

    assertStatus(signUp, 303)
    assert.equal(signUp.headers['location'], '/')
    for (const path of ['/user/forgot_password', '/user/change_password']) {
      const { text } = await visitor.get(path)
      assert.match(text, /Signed in as <b>ann<\/b>/, path)
      assert.match(text, /aria-label="Notifications: 1 unread"/, path)
    }
  })

  test('is not the only one that offers to sign in where nothing is', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')

    const page = await new Visitor(app).get('/nowhere?a=b')
    const own = await (await signIn(app, 'ann')).get('/nowhere?a=b')

    assertStatus(page, 404)
    assert.match(
      page.text,
      /not shown to you\. <a href="\/user\/login\?redirect_to=%2Fnowhere%3Fa%3Db">Sign in<\/a>/,
    )
    assert.doesNotMatch(mainOf(own), /Sign in/)
  })

  test('is told apart from what a page is searched by', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const ann = await signIn(app, 'ann')

    for (const path of ['/', '/ann', '/explore/repos', '/issues']) {
      const { text } = await ann.get(path)
      const forms = [...text.matchAll(/<form [^>]*role="search"[^>]*>/g)].map(([form]) => form)
      const labels = forms.map((form) => /aria-label="([^"]*)"/.exec(form)?.[1])
      assert.equal(new Set(labels).size, forms.length, path)
    }
  })

  test('is for nobody else where somebody is signed in', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const ann = await signIn(app, 'ann')

    const { headers } = await ann.get('/')

    assert.equal(headers['cache-control'], 'private, no-store')
    assert.match(headers['vary'] ?? '', /\bCookie\b/)
  })

  test('shows what was searched for, as text', async (t) => {
    const app = await startApp(t)

    const { text } = await new Visitor(app).get(
      `/api/swagger?q=${encodeURIComponent('"><script>')}`,
    )

    assert.doesNotMatch(text, /"><script>/)
  })
})

suite('the script of pages', () => {
  test('is one file of ours, and no other script runs', async (t) => {
    const app = await startApp(t)
    const visitor = new Visitor(app)
    const pages = [await visitor.get('/'), await visitor.get('/')]

    const nonces = pages.map(({ headers, text }) => {
      const [, nonce = ''] =
        /script-src 'nonce-([0-9a-f]{32})';/.exec(headers['content-security-policy'] ?? '') ?? []
      const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
      assert.equal(scripts.length, 1)
      assert.match(scripts[0] ?? '', /src="\/assets\/codestead-[0-9a-f]{16}\.js"/)
      assert.ok(scripts[0]?.includes(`nonce="${nonce}"`))
      return nonce
    })
    assert.notEqual(nonces[0], nonces[1])
    const [, path] = /src="(\/assets\/[^"]+\.js)"/.exec(pages[0]?.text ?? '') ?? []
    const script = await visitor.get(path ?? '')
    assertStatus(script, 200)
    assert.equal(script.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.doesNotMatch(script.text, /^(import|export) /m)
  })
})

suite('POST /user/theme', () => {
  test('is kept by the browser and shown by the server', async (t) => {
    const app = await startApp(t)
    const visitor = new Visitor(app)
    assert.match((await visitor.get('/')).text, /<html lang="en" data-theme="system">/)

    for (const [theme, kept] of [
      ['dark', 'dark'],
      ['light', 'light'],
      ['<script>', 'system'],
    ] as const) {
      const answer = await visitor.post('/user/theme', { theme, redirect_to: '/api/swagger?a=b' })
      assertStatus(answer, 303)
      assert.equal(answer.headers['location'], '/api/swagger?a=b')
      const cookie = (answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''
      assert.equal(cookie, `codestead_theme=${kept}`)
      const page = await visitor.get('/', { cookie })
      assert.ok(page.text.includes(`<html lang="en" data-theme="${kept}">`))
    }
    const { text } = await visitor.get('/', { cookie: 'codestead_theme="><script>' })
    assert.match(text, /data-theme="system"/)
  })

  test('leads nowhere else and takes no form from there', async (t) => {
    const app = await startApp(t)
    const visitor = new Visitor(app)

    const answer = await visitor.post('/user/theme', {
      theme: 'dark',
      redirect_to: '//evil.example',
    })

    assert.equal(answer.headers['location'], '/')
    assertStatus(await visitor.post('/user/theme', { theme: 'dark' }, fromElsewhere), 403)
  })
})
