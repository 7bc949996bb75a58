import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateTotpSecret } from '../../../src/identity/auth/queries.ts'
import { totpCode } from '../../../src/identity/auth/totp.ts'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertAsksFirst, fromElsewhere, signIn, Visitor } from '../../web/support.ts'
import {
  assertNotLetIn,
  begin,
  CALLBACK,
  come,
  cookiesOf,
  signedInAs,
  startWithProvider,
  zoe,
  type Setup,
} from './setup.ts'

const registering = { auto_registration: true }
const LINK = '/user/settings/openid/link'

async function countAccounts({ app }: Setup): Promise<number> {
  return (await app.ctx.db.selectFrom('account').select('id').execute()).length
}

/** Links the account of who is signed in to whomever the provider asks. */
async function link({ app, provider }: Setup, name: string) {
  const by = await signIn(app, name)
  const { address, cookies } = await begin(by, LINK)
  const cookie = `${by.headers['cookie']}; ${cookies['cookie']}`
  return new Visitor(app, { cookie }).get(provider.ask(address), fromElsewhere)
}

suite('signing in by an OpenID provider', () => {
  test('makes an account for who has none, and finds it again under any name', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    const page = await new Visitor(app).get('/user/login?redirect_to=/explore')
    assert.match(page.text, /href="\/user\/openid\?redirect_to=%2Fexplore">Sign in with Acme</)

    const first = await come(setup, '/user/openid?redirect_to=/explore')

    assert.equal(first.headers['location'], '/explore')
    assert.equal(await signedInAs(app, first), 'zoe')
    provider.person = { ...zoe, preferred_username: 'zoe2', email: 'else@example.org' }
    assert.equal(await signedInAs(app, await come(setup)), 'zoe')
    const { body } = await app.get(undefined, '/users/zoe')
    assert.deepEqual([body.full_name, body.is_admin], ['Zoe Zimmer', false])
    assert.equal(await countAccounts(setup), 2)
  })

  test('asks the provider in its own way, and only as often as needed', async (t) => {
    const setup = await startWithProvider(t, { ...registering, scopes: ['email', 'groups'] })
    const { app, provider } = setup
    const { address } = await begin(new Visitor(app))

    const query = new URL(address).searchParams
    assert.equal(query.get('scope'), 'openid email groups')
    assert.equal(query.get('redirect_uri'), `http://codestead.test${CALLBACK}`)
    assert.equal(query.get('code_challenge_method'), 'S256')
    await come(setup)
    const description = '/.well-known/openid-configuration'
    assert.deepEqual(provider.calls, [description, '/token', '/keys'])
  })

  test('gives the secret as the provider takes it', async (t) => {
    const setup = await startWithProvider(t, registering)
    setup.provider.description = { token_endpoint_auth_methods_supported: ['client_secret_post'] }

    assert.equal(await signedInAs(setup.app, await come(setup)), 'zoe')
  })

  test('asks for an address that the token does not have', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    provider.person = { sub: 'z-1' }
    provider.userInfo = { ...zoe, preferred_username: 'Zoë.Z@corp' }

    assert.equal(await signedInAs(app, await come(setup)), 'Zoe.Z')
  })

  test('takes odd names as far as they can be taken', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    provider.person = { ...zoe, preferred_username: 'Zo\0 ë!', name: `Z\0\n${'é'.repeat(400)}` }

    const answer = await come(setup)

    assert.equal(await signedInAs(app, answer), 'Zo-e')
    const { body } = await app.get(undefined, '/users/Zo-e')
    assert.equal(body.full_name, `Z${'é'.repeat(99)}`)
  })

  test('makes one account, however many come at once', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    const by = new Visitor(app)
    const { address, cookies } = await begin(by)
    const path = provider.ask(address)

    const answers = await Promise.all(Array.from({ length: 5 }, () => by.get(path, cookies)))

    for (const answer of answers) assert.equal(await signedInAs(app, answer), 'zoe')
    assert.equal(await countAccounts(setup), 2)
  })

  test('lets nobody in without an account who may not have one', async (t) => {
    const setup = await startWithProvider(t)
    await setup.app.addPerson('zoe')

    assertNotLetIn(await come(setup), 422, /No account here belongs to zoe at Acme/)
    assert.equal(await countAccounts(setup), 2)
  })

  test('takes no name and no address that others have', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    await app.addPerson('zoe', { email: 'other@example.org' })
    await app.addPerson('ann', { email: zoe.email })

    assertNotLetIn(await come(setup), 422, /No account can be made for zoe/)
    provider.person = { ...zoe, preferred_username: 'zed' }
    assertNotLetIn(await come(setup), 422, /e-mail already in use/)
    provider.person = { ...zoe, preferred_username: 'zed', email: '' }
    assertNotLetIn(await come(setup), 422, /Acme does not tell your e-mail address/)
    assert.equal(await countAccounts(setup), 3)
  })

  test('leaves the first account to the administrator', async (t) => {
    const setup = await startWithProvider(t, registering)
    await setup.app.ctx.db.deleteFrom('account').execute()

    assertNotLetIn(await come(setup), 422, /No account here belongs to zoe/)
  })

  test('goes by a verified address where that is trusted, and by no other', async (t) => {
    const setup = await startWithProvider(t, { trust_email: true })
    const { app, provider } = setup
    await app.addPerson('ann', { email: 'Zoe@example.org' })

    provider.person = { ...zoe, email_verified: false }
    assertNotLetIn(await come(setup), 422, /No account here belongs to zoe/)
    provider.person = zoe
    assert.equal(await signedInAs(app, await come(setup)), 'ann')
    provider.person = { ...zoe, email: '', email_verified: false }
    assert.equal(await signedInAs(app, await come(setup)), 'ann')
  })

  test('goes by no address that was added to an account', async (t) => {
    const setup = await startWithProvider(t, { trust_email: true })
    const { app } = setup
    const ann = await app.addCaller('ann', { isAdmin: true }, ['write:user'])
    const added = await app.post(ann, '/user/emails', { emails: [zoe.email] })
    assert.equal(added.status, 201)

    assertNotLetIn(await come(setup), 422, /No account here belongs to zoe/)
  })

  test('asks for the second factor of an account that has one', async (t) => {
    const setup = await startWithProvider(t, { trust_email: true })
    const { app } = setup
    const account = await app.addPerson('zoe')
    const secret = Buffer.from('12345678901234567890')
    await updateTotpSecret(
      app.ctx.db,
      account.id,
      app.ctx.secrets.seal('totp', secret.toString('hex')),
    )

    const answer = await come(setup, '/user/openid?redirect_to=/explore')

    const path = '/user/login/second-factor?redirect_to=%2Fexplore'
    assert.equal(answer.headers['location'], path)
    assert.doesNotMatch(JSON.stringify(answer.headers), /codestead_session/)
    const half = new Visitor(app, cookiesOf(answer))
    const page = await half.get(path)
    assert.match(page.text, /One-time code/)
    assert.doesNotMatch(page.text, /Use your security key/)
    const code = totpCode(secret.toString('hex'), Math.floor(app.ctx.now() / 30))
    const fields = { one_time_code: code, redirect_to: '/explore' }
    assert.equal(await signedInAs(app, await half.post(path, fields)), 'zoe')
  })

  test('keeps out who may not sign in', async (t) => {
    const setup = await startWithProvider(t, { trust_email: true })
    const { app } = setup
    const root = await app.withToken(await app.addPerson('boss', { isAdmin: true }), ['all'])
    await app.addPerson('zoe')
    assert.equal(await signedInAs(app, await come(setup)), 'zoe')

    await app.patch(root, '/admin/users/zoe', { prohibit_login: true })

    assertNotLetIn(await come(setup), 422, /zoe may not sign in here/)
    await app.patch(root, '/admin/users/zoe', { prohibit_login: false, active: false })
    assertNotLetIn(await come(setup), 422, /zoe may not sign in here/)
  })

  test('works where nothing is shown to strangers, and leads on who is signed in', async (t) => {
    const setup = await startWithProvider(t, registering, { security: { require_sign_in: 'true' } })
    const { app } = setup

    assert.equal(await signedInAs(app, await come(setup)), 'zoe')
    const by = await signIn(app, 'root')
    const again = await by.get('/user/openid?redirect_to=/explore')
    assert.equal(again.headers['location'], '/explore')
  })

  test('begins at once where that is set, and leaves a way to the form', async (t) => {
    const { app } = await startWithProvider(t, { at_once: true })
    const by = new Visitor(app)

    const led = await by.get('/user/login?redirect_to=/explore')

    assert.equal(led.headers['location'], '/user/openid?redirect_to=%2Fexplore')
    assert.match((await by.get('/user/login?with=password')).text, /Name or e-mail/)
    assert.equal((await (await signIn(app, 'root')).get('/user/login')).headers['location'], '/')
  })

  test('is nowhere to be found unless it is set up', async (t) => {
    const { app } = await startWithProvider(t, { issuer: '' })
    const by = await signIn(app, 'root')

    for (const path of ['/user/openid', CALLBACK, '/user/settings/openid']) {
      assertStatus(await by.get(path), 404)
    }
    assert.doesNotMatch((await new Visitor(app).get('/user/login')).text, /openid/)
    assert.doesNotMatch((await by.get('/user/settings')).text, /Single sign-on/)
  })
})

suite('an account', () => {
  test('is linked in its settings, and unlinked', async (t) => {
    const setup = await startWithProvider(t)
    const { app } = setup
    await app.addPerson('ann')

    const linked = await link(setup, 'ann')

    assert.equal(linked.headers['location'], '/user/settings/openid?saved=yes')
    assert.equal(await signedInAs(app, await come(setup)), 'ann')
    const by = await signIn(app, 'ann')
    const page = await by.get('/user/settings/openid')
    assert.match(page.text, /<b>zoe<\/b>/)
    assertAsksFirst(page, '/user/settings/openid/delete')
    const [, id = ''] = /name="id" value="(\d+)"/.exec(page.text) ?? []
    const stranger = await signIn(app, 'root')
    assertStatus(await stranger.post('/user/settings/openid/delete', { id }), 404)
    assertStatus(await by.post('/user/settings/openid/delete', { id }), 303)
    assertNotLetIn(await come(setup), 422, /No account here belongs to zoe/)
  })

  test('without a password gets one from who has just signed in, and keeps its last link until then', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    const page = '/user/settings/openid'
    const by = new Visitor(app, cookiesOf(await come(setup)))
    const [, id = ''] = /name="id" value="(\d+)"/.exec((await by.get(page)).text) ?? []
    const set = (who: Visitor, password: string, retype = password) =>
      who.post(`${page}/password`, { password, retype })

    const tokens = await by.get('/user/settings/tokens')
    assert.match(tokens.text, /you have none: <a href="\/user\/settings\/openid">set one first</)
    const kept = await by.post(`${page}/delete`, { id })
    assertStatus(kept, 422)
    assert.match(kept.text, /Set a password first/)
    assert.match((await set(by, PASSWORD, 'another')).text, /The two passwords differ/)
    assert.match((await set(by, 'short')).text, /must have at least 6 characters/)
    app.passTime(601)
    assert.match((await set(by, PASSWORD)).text, /within the last ten minutes/)
    provider.token = { exp: app.ctx.now() + 300 }
    const fresh = new Visitor(app, cookiesOf(await come(setup)))
    assertStatus(await set(fresh, PASSWORD), 200)

    assertStatus(await fresh.get('/user/settings'), 303)
    const withPassword = await signIn(app, 'zoe')
    assert.doesNotMatch((await withPassword.get(page)).text, /You have none/)
    assertStatus(await set(withPassword, 'another password'), 403)
    assertStatus(await withPassword.post(`${page}/delete`, { id }), 303)
    assertNotLetIn(await come(setup), 422, /No account can be made for zoe/)
  })

  test('without a password keeps one of two links that are taken away at once', async (t) => {
    const setup = await startWithProvider(t, registering)
    const { app, provider } = setup
    const by = new Visitor(app, cookiesOf(await come(setup)))
    const { address, cookies } = await begin(by, LINK)
    provider.person = { ...zoe, sub: 'z-2' }
    const cookie = `${by.headers['cookie']}; ${cookies['cookie']}`
    assertStatus(await new Visitor(app, { cookie }).get(provider.ask(address)), 303)
    const page = await by.get('/user/settings/openid')
    const ids = [...page.text.matchAll(/name="id" value="(\d+)"/g)].map(([, id = '']) => id)
    assert.equal(ids.length, 2)

    const answers = await Promise.all(
      ids.map((id) => by.post('/user/settings/openid/delete', { id })),
    )

    assert.deepEqual(answers.map(({ status }) => String(status)).toSorted(), ['303', '422'])
  })

  test('is linked once for all, and not to what is linked elsewhere', async (t) => {
    const setup = await startWithProvider(t)
    await setup.app.addPerson('ann')
    assertStatus(await link(setup, 'ann'), 303)
    assertStatus(await link(setup, 'ann'), 303)

    assertNotLetIn(await link(setup, 'root'), 422, /zoe at Acme belongs to another account here/)
    assert.equal(await signedInAs(setup.app, await come(setup)), 'ann')
  })

  test('is not linked because another site says so, nor after it was left', async (t) => {
    const setup = await startWithProvider(t)
    const { app, provider } = setup
    await app.addPerson('ann')
    const by = await signIn(app, 'ann')

    assertStatus(await by.get(LINK, fromElsewhere), 403)
    app.passTime(601)
    assertNotLetIn(await by.get(LINK), 422, /within the last ten minutes/)
    app.passTime(-601)
    assertStatus(await new Visitor(app).get(LINK), 303)
    const { address, cookies } = await begin(by, LINK)
    const path = provider.ask(address)
    assertNotLetIn(await new Visitor(app).get(path, cookies), 422, /no longer signed in/)
    const root = await signIn(app, 'root')
    const cookie = `${root.headers['cookie']}; ${cookies['cookie']}`
    const answer = await new Visitor(app, { cookie }).get(path)
    assertNotLetIn(answer, 422, /no longer signed in/)
    assertNotLetIn(await come(setup), 422, /No account here belongs to zoe/)
  })
})
