import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ConfigChanges } from '../../src/platform/config/config.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { fromElsewhere, signIn, Visitor } from './support.ts'

function behindProxy(login: ConfigChanges['proxy_login'] = {}): ConfigChanges {
  return { server: { trusted_proxies: ['127.0.0.1'] }, proxy_login: { web: true, ...login } }
}

/** The headers of the proxy take the place of a cookie. */
function visitor(app: TestApp, name: string): Visitor {
  return new Visitor(app, { 'x-webauth-user': name })
}

const countSessions = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('session').selectAll().execute()).length

suite('pages behind a proxy that signs people in', () => {
  test('are those of the person, without a session and without a cookie', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')
    const ann = visitor(app, 'ann')

    const page = await ann.get('/')

    assertStatus(page, 200)
    assert.match(page.text, /Signed in as <b>ann<\/b>/)
    assert.equal(page.headers['cache-control'], 'private, no-store')
    assert.equal(page.headers['set-cookie'], undefined)
    const form = await ann.get('/user/login?redirect_to=/user/settings')
    assertStatus(form, 303)
    assert.equal(form.headers['location'], '/user/settings')
    assert.equal(await countSessions(app), 0)
  })

  test('are for visitors unless it is switched on for pages', async (t) => {
    const app = await startApp(t, behindProxy({ web: false, api: true }))
    await app.addPerson('ann')

    assert.doesNotMatch((await visitor(app, 'ann').get('/')).text, /Signed in as/)
  })

  test('take forms, and none that another site sends', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')
    const ann = visitor(app, 'ann')
    const fields = { name: 'made', owner: 'ann' }

    assertStatus(await ann.post('/repo/create', fields, fromElsewhere), 403)
    assertStatus(await app.get(undefined, '/repos/ann/made'), 404)

    assertStatus(await ann.post('/repo/create', fields), 303)
    assertStatus(await app.get(undefined, '/repos/ann/made'), 200)
  })

  test('are led to from other sites, and embedded there in nobody’s name', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')
    const isSignedIn = async (dest: string) => {
      const headers = { ...fromElsewhere, 'sec-fetch-dest': dest }
      return /Signed in as/.test((await visitor(app, 'ann').get('/', headers)).text)
    }

    assert.equal(await isSignedIn('document'), true)
    assert.equal(await isSignedIn('iframe'), false)
    assert.equal(await isSignedIn('script'), false)
  })

  test('have no way out, and forgetting a session changes nothing else', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')
    const ann = visitor(app, 'ann')
    assert.doesNotMatch((await ann.get('/')).text, /user\/logout/)

    const answer = await ann.post('/user/logout')

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/')
    assert.match((await ann.get('/')).text, /Signed in as <b>ann<\/b>/)
  })

  test('follow the proxy and not the session of somebody who sat there before', async (t) => {
    const app = await startApp(t, behindProxy())
    await app.addPerson('ann')
    await app.addPerson('bob')
    const ann = await signIn(app, 'ann')

    assert.match((await ann.get('/')).text, /Signed in as <b>ann<\/b>/)
    const page = await ann.get('/', { 'x-webauth-user': 'bob' })
    assert.match(page.text, /Signed in as <b>bob<\/b>/)
  })

  test('are those of a visitor for accounts that may not be used, and for nobody', async (t) => {
    const app = await startApp(t, behindProxy())
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.addPerson('eve', { mustChangePassword: true })
    const change = { login_name: '', source_id: 0, prohibit_login: true }
    assertStatus(await app.patch(root, '/admin/users/ann', change), 200)

    for (const name of ['ann', 'eve', 'nobody']) {
      assertStatus(await visitor(app, name).get('/user/settings'), 303)
    }
  })

  test('register somebody new at the first look', async (t) => {
    const app = await startApp(t, behindProxy({ auto_registration: true }))

    assert.match((await visitor(app, 'zoe').get('/')).text, /Signed in as <b>zoe<\/b>/)
    assertStatus(await app.get(undefined, '/users/zoe'), 200)
  })

  test('make tokens without a password, which nobody may know', async (t) => {
    const app = await startApp(t, behindProxy({ auto_registration: true }))
    const zoe = visitor(app, 'zoe')
    assert.doesNotMatch((await zoe.get('/user/settings/tokens')).text, /name="password"/)

    const fields = { name: 'for git', 'scope-user': 'read' }
    const page = await zoe.post('/user/settings/tokens', fields)

    assertStatus(page, 200)
    const [secret] = /[0-9a-f]{40}/.exec(page.text) ?? []
    const { body } = await app.get(undefined, '/user', { authorization: `token ${secret}` })
    assert.equal(body.login, 'zoe')
  })
})
