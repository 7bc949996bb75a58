import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertBareError, assertError, assertStatus } from '../../support/expect.ts'

suite('sudo', () => {
  test('an administrator acts for somebody else, by parameter or header; the parameter wins', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addPerson('ann')
    await app.addPerson('bob')

    assert.equal((await app.get(root, '/user?sudo=ANN')).body.id, ann.id)
    assert.equal((await app.get(root, '/user', { sudo: 'ann' })).body.login, 'ann')
    assert.equal((await app.get(root, '/user?sudo=ann', { sudo: 'bob' })).body.login, 'ann')
    assert.equal(
      (await app.get(app.withPassword(root.account), '/user', { sudo: 'bob' })).body.login,
      'bob',
    )
    assert.equal((await app.get(root, '/user?sudo=')).body.login, 'root')
    // An empty value asks for nobody, whoever it comes from; then the header counts.
    assert.equal((await app.get(root, '/user', { sudo: '' })).body.login, 'root')
    assert.equal((await app.get(root, '/user?sudo=', { sudo: 'bob' })).body.login, 'bob')
    assert.equal((await app.get(root, '/user?sudo=ann', { sudo: '' })).body.login, 'ann')
    assertStatus(await app.get(undefined, '/version?sudo=', { sudo: '' }), 200)
  })

  test('the rights are those of the other account, the scopes those of the token', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    const reader = await app.withToken(root.account, ['read:user'])

    assertError(await app.get(root, '/admin/users?sudo=ann'), 403, 'user should be the site admin')
    assertStatus(await app.get(reader, '/user?sudo=ann'), 200)
    assertError(await app.patch(reader, '/user/settings?sudo=ann', {}), 403, /write:user/)
  })

  test('nobody else may, and nobody with a public-only token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addCaller('root', { isAdmin: true }, ['public-only', 'all'])
    const message = 'Only administrators allowed to sudo.'

    assertBareError(await app.get(ann, '/user?sudo=root'), 403, message)
    assertBareError(await app.get(ann, '/user', { sudo: 'ann' }), 403, message)
    assertBareError(await app.get(undefined, '/version', { sudo: 'ann' }), 403, message)
    assertBareError(await app.get(root, '/user?sudo=ann'), 403, message)
  })

  test('can be kept to tokens that have a scope of administration', async (t) => {
    const app = await startApp(t, { security: { sudo_scope: true } })
    const root = await app.addAdmin()
    await app.addPerson('ann')
    const narrow = await app.withToken(root.account, ['write:user'])
    const reader = await app.withToken(root.account, ['read:user', 'read:admin'])

    assertError(await app.get(narrow, '/user?sudo=ann'), 403, /required=\[read:admin\]/)
    assertError(await app.get(narrow, '/user?sudo=nobody'), 403, /required=\[read:admin\]/)
    assertStatus(await app.get(narrow, '/user'), 200)
    for (const who of [reader, root, app.withPassword(root.account)])
      assert.equal((await app.get(who, '/user?sudo=ann')).body.login, 'ann')
  })

  test('an account that is disabled, unknown or no person cannot be acted for', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.post(root, '/orgs', { username: 'acme' })
    await app.patch(root, '/admin/users/ann', { prohibit_login: true })
    const refusal = 'This account cannot be acted for.'

    assertError(await app.get(root, '/user?sudo=nobody'), 404, 'not found')
    assertBareError(await app.get(root, '/user?sudo=ann'), 403, refusal)
    assertBareError(await app.get(root, '/user?sudo=acme'), 403, refusal)
    await app.patch(root, '/admin/users/ann', { prohibit_login: false, active: false })
    assertBareError(await app.get(root, '/user?sudo=ann'), 403, refusal)
  })
})
