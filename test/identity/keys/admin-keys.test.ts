import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSWORD, startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addKey, ed25519Key, recorded, titles } from './support.ts'

suite('POST /admin/users/{username}/keys', () => {
  test('adds a key for somebody', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()

    const { status, body } = await app.post(root, '/admin/users/ann/keys', {
      title: 'laptop',
      key: recorded,
    })

    assert.equal(status, 201)
    assert.equal(body.user.login, 'ann')
    assert.deepEqual(await titles(app, ann, '/user/keys'), ['laptop'])
  })

  test('refuses unknown people before it looks at the body, and bad keys', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const root = await app.addAdmin()

    assertError(await app.post(root, '/admin/users/nobody/keys', {}), 404)
    assertError(await app.post(root, '/admin/users/ann/keys', {}), 422, '[Title]: Required')
    const bad = { title: 'laptop', key: 'nonsense' }
    assertError(await app.post(root, '/admin/users/ann/keys', bad), 422, /^Invalid key content/)
  })

  test('refuses organizations', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.ctx.db
      .insertInto('account')
      .values({
        kind: 'organization',
        name: 'Acme',
        lower_name: 'acme',
        created_at: 1,
        updated_at: 1,
      })
      .execute()

    const answer = await app.post(root, '/admin/users/acme/keys', {
      title: 'laptop',
      key: ed25519Key(),
    })

    assertError(answer, 422, 'Acme is an organization not a user')
  })

  test('is for administrators', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addPerson('root', { isAdmin: true })
    const user = await app.withToken(root, ['write:user'])
    const body = { title: 'laptop', key: ed25519Key() }

    assertError(await app.post(undefined, '/admin/users/ann/keys', body), 401)
    const refused = await app.post(ann, '/admin/users/ann/keys', body)
    assertError(refused, 403, 'user should be the site admin')
    assertError(
      await app.post(user, '/admin/users/ann/keys', body),
      403,
      /required=\[write:admin\]/,
    )
    assertStatus(
      await app.post(app.withPassword(root, PASSWORD), '/admin/users/ann/keys', body),
      201,
    )
  })
})

suite('DELETE /admin/users/{username}/keys/{id}', () => {
  test('deletes a key of the person who is named', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const id = await addKey(app, ann)

    assertStatus(await app.delete(root, `/admin/users/ann/keys/${id}`), 204)

    assert.deepEqual(await titles(app, ann, '/user/keys'), [])
  })

  test('refuses a key of somebody else', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    const root = await app.addAdmin()
    const id = await addKey(app, ann)

    const answer = await app.delete(root, `/admin/users/bob/keys/${id}`)

    assertError(answer, 403, 'You do not have access to this key')
    assert.deepEqual(await titles(app, ann, '/user/keys'), ['laptop'])
  })

  test('knows no key or person that is not there, and is for administrators', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const id = await addKey(app, ann)

    assertError(await app.delete(root, '/admin/users/ann/keys/999'), 404, 'not found')
    assertError(await app.delete(root, `/admin/users/nobody/keys/${id}`), 404)
    assertError(await app.delete(ann, `/admin/users/ann/keys/${id}`), 403)
    assertError(await app.delete(undefined, `/admin/users/ann/keys/${id}`), 401)
  })
})
