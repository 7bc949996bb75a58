import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { basic, PASSWORD, startApp, type TestApp } from '../../support/app.ts'
import { assertBareError, assertError, assertStatus } from '../../support/expect.ts'
import { REFUSED, secretOf, with_ } from './setup.ts'

const PROHIBITED =
  'This account is prohibited from signing in, please contact your site administrator.'

suite('credentials', () => {
  test('a password, or a token in any of its forms, opens the account', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const token = secretOf(ann)

    for (const authorization of [
      basic('ann', PASSWORD),
      basic('ANN', PASSWORD),
      basic('ann@example.org', PASSWORD),
      basic('Ann@Example.org', PASSWORD),
      `token ${token}`,
      `Token ${token}`,
      `bearer ${token}`,
      `BEARER ${token}`,
      `Bearer  ${token}`,
      basic('anything', token),
      basic(token, ''),
      basic(token, 'x-oauth-basic'),
    ]) {
      const answer = await app.get(undefined, '/user', with_(authorization))
      assertStatus(answer, 200)
      assert.equal(answer.body.login, 'ann')
    }
  })

  test('a wrong credential is refused on every route, in the same words', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const token = secretOf(ann)
    const answers = []

    for (const authorization of [
      basic('ann', 'wrong'),
      basic('ann', ''),
      basic('nobody', PASSWORD),
      basic('', ''),
      basic('ann', 'x'.repeat(100_000)),
      'token wrong',
      `token ${'0'.repeat(40)}`,
      `token ${token.toUpperCase()}`,
      `token ${token.slice(0, 39)}`,
      'Bearer a.b.c',
    ]) {
      answers.push(await app.get(undefined, '/version', with_(authorization)))
    }

    for (const answer of answers) {
      assertError(answer, 401, REFUSED)
      assert.equal(answer.headers['www-authenticate'], undefined)
      assert.equal(answer.text, answers[0]?.text)
    }
  })

  test('a header that cannot be read counts as none', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')

    for (const value of [
      'Bearer a b c',
      'Digest abc',
      'token',
      'Basic !!!',
      basic('ann', PASSWORD).replace('YW5u', 'YW5u****'),
      basic('ann\0', PASSWORD),
      `${basic('ann', PASSWORD)}*`,
      basic('ann', PASSWORD).replace(/=+$/, ''),
      `Basic ${Buffer.from('nocolon').toString('base64')}`,
      '',
    ]) {
      assertStatus(await app.get(undefined, '/version', with_(value)), 200)
      assertError(await app.get(undefined, '/user', with_(value)), 401, 'token is required')
    }
  })

  test('a token in the query signs in, hides one in the header, and carries a warning', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    for (const name of ['token', 'access_token']) {
      const answer = await app.get(undefined, `/user?${name}=${secretOf(ann)}`)
      assert.equal(answer.body.login, 'ann')
      assert.match(answer.headers['x-service-warning'] ?? '', /deprecated/)
    }
    assert.equal((await app.get(bob, `/user?token=${secretOf(ann)}`)).body.login, 'ann')
    assertError(await app.get(bob, '/user?token=wrong'), 401, REFUSED)
    const later = await app.get(bob, `/user?token=&access_token=${secretOf(ann)}`)
    assert.equal(later.body.login, 'ann')
    const empty = await app.get(bob, '/user?token=&access_token=')
    assert.deepEqual([empty.body.login, empty.headers['x-service-warning']], ['bob', undefined])
    assert.equal((await app.get(bob, '/user')).headers['x-service-warning'], undefined)
  })

  test('a right password makes up for a wrong token in the query', async (t) => {
    const app = await startApp(t)
    await app.addCaller('ann')

    const answer = await app.get(undefined, '/user?token=wrong', with_(basic('ann', PASSWORD)))

    assert.equal(answer.body.login, 'ann')
  })

  test('query tokens can be switched off, and are then ignored with the same warning', async (t) => {
    const app = await startApp(t, { security: { query_tokens: false } })
    const ann = await app.addCaller('ann')

    const answer = await app.get(undefined, `/user?token=${secretOf(ann)}`)

    assertError(answer, 401, 'token is required')
    assert.match(answer.headers['x-service-warning'] ?? '', /deprecated/)
    assertStatus(await app.get(ann, '/user?token=wrong'), 200)
  })

  test('passwords in Basic can be switched off; tokens keep working there', async (t) => {
    const app = await startApp(t, { security: { basic_password: false } })
    const ann = await app.addCaller('ann')

    assertError(
      await app.get(undefined, '/user', with_(basic('ann', PASSWORD))),
      401,
      'token is required',
    )
    assertStatus(await app.get(undefined, '/user', with_(basic('ann', secretOf(ann)))), 200)
  })

  test('an address that is not activated does not sign in', async (t) => {
    const app = await startApp(t)
    await app.addCaller('ann')
    await app.ctx.db.updateTable('email_address').set({ is_activated: 0 }).execute()

    assertError(
      await app.get(undefined, '/user', with_(basic('ann@example.org', PASSWORD))),
      401,
      REFUSED,
    )
  })

  test('an organization does not sign in', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme', email: 'info@acme.example' })

    assertError(await app.get(undefined, '/user', with_(basic('acme', ''))), 401, REFUSED)
    const { passwordHash } = ann.account
    await app.ctx.db.updateTable('account').set({ password_hash: passwordHash }).execute()
    assertError(await app.get(undefined, '/user', with_(basic('acme', PASSWORD))), 401, REFUSED)
  })

  test('the session cookie and headers of proxies are no credentials', async (t) => {
    const app = await startApp(t)
    await app.addAdmin()

    const answer = await app.get(undefined, '/user', {
      cookie: 'session=1',
      'x-webauth-user': 'root',
      'x-forwarded-for': '127.0.0.1',
    })

    assertError(answer, 401, 'token is required')
  })

  test('a token stops working when it or its owner is deleted', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    assertStatus(await app.delete(ann, '/token'), 204)
    assertStatus(await app.delete(root, '/admin/users/bob'), 204)

    assertError(await app.get(ann, '/user'), 401, REFUSED)
    assertError(await app.get(bob, '/user'), 401, REFUSED)
  })

  test('tokens are stored as hashes only', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const row = await app.ctx.db.selectFrom('access_token').selectAll().executeTakeFirstOrThrow()

    assert.equal(row.hash.includes(secretOf(ann)), false)
    assert.equal(row.last_eight, secretOf(ann).slice(-8))
    assertError(
      await app.get(undefined, '/user', with_(`token ${row.hash.slice(0, 40)}`)),
      401,
      REFUSED,
    )
  })
})

suite('the state of an account', () => {
  const change = async (app: TestApp, fields: object) => {
    const root = await app.addAdmin()
    assertStatus(await app.patch(root, '/admin/users/ann', fields), 200)
    return root
  }

  test('who may not sign in is 403 with a token, 401 with a password', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await change(app, { prohibit_login: true })

    assertBareError(await app.get(ann, '/version'), 403, PROHIBITED)
    assertError(await app.get(app.withPassword(ann.account), '/user'), 401, REFUSED)
    assertStatus(await app.patch(root, '/admin/users/ann', { prohibit_login: false }), 200)
    assertStatus(await app.get(ann, '/user'), 200)
  })

  test('an inactive account is 403, in other words where accounts are confirmed by e-mail', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await change(app, { active: false })
    const confirming = await startApp(t, {
      security: { email_confirmation: true },
      mail: { url: 'smtp://mail.example.org' },
    })
    const eve = await confirming.addCaller('ann')
    await change(confirming, { active: false })

    assertBareError(await app.get(ann, '/user'), 403, PROHIBITED)
    assertBareError(await app.get(app.withPassword(ann.account), '/user'), 403, PROHIBITED)
    assertBareError(await confirming.get(eve, '/user'), 403, 'This account is not activated.')
  })

  test('who must change the password is told where', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await change(app, { must_change_password: true })

    const answer = await app.get(ann, '/version')

    assertBareError(
      answer,
      403,
      'You must change your password. Change it at: http://codestead.test/user/change_password',
    )
  })
})
