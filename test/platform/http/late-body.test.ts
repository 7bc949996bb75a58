import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { listenForLate } from './late.ts'

async function listen(t: TestContext) {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  await app.post(ann, '/user/repos', { name: 'one', auto_init: true, description: 'first' })
  await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'admin' })
  const beginLate = await listenForLate(app)
  const begin = async (caller: TestCaller, method: string, path: string, body: object) => {
    const headers = { ...caller.headers, 'content-type': 'application/json' }
    const text = JSON.stringify(body)
    const finish = await beginLate({ method, path: `/api/v1${path}`, headers, body: text })
    return async () => {
      const answer = await finish()
      return { ...answer, body: JSON.parse(answer.text) as Record<string, unknown> }
    }
  }
  return { app, ann, bob, begin }
}

suite('a body that takes its time', () => {
  test('is taken as any other', async (t) => {
    const { app, bob, begin } = await listen(t)

    const edited = await begin(bob, 'PATCH', '/repos/ann/one', { description: 'second' })
    assert.equal((await edited()).status, 200)
    const made = await begin(bob, 'POST', '/repos/ann/one/issues', { title: 'late' })
    const { status, body } = await made()

    assert.equal(status, 201)
    assert.equal(body['title'], 'late')
    const issues = await app.get(bob, '/repos/ann/one/issues')
    assert.equal(issues.body.length, 1)
    const { body: repository } = await app.get(bob, '/repos/ann/one')
    assert.equal(repository.description, 'second')
  })

  test('is of no use when the right to send it was taken meanwhile', async (t) => {
    const { app, ann, bob, begin } = await listen(t)

    const edit = await begin(bob, 'PATCH', '/repos/ann/one', { description: 'second' })
    assertStatus(await app.delete(ann, '/repos/ann/one/collaborators/bob'), 204)
    assert.equal((await edit()).status, 403)
    const comment = await begin(bob, 'POST', '/repos/ann/one/issues', { title: 'late' })
    assertStatus(await app.patch(ann, '/repos/ann/one', { private: true }), 200)
    assert.equal((await comment()).status, 404)

    const { body } = await app.get(ann, '/repos/ann/one')
    assert.equal(body.description, 'first')
    assert.deepEqual((await app.get(ann, '/repos/ann/one/issues')).body, [])
  })

  test('is of no use when the token it came with was deleted meanwhile', async (t) => {
    const { app, begin } = await listen(t)
    const account = await app.addPerson('eve')
    const eve = app.withPassword(account)
    const withToken = await app.withToken(account, ['all'])

    const make = await begin(withToken, 'POST', '/user/repos', { name: 'late' })
    const [token] = (await app.get(eve, '/users/eve/tokens')).body
    assertStatus(await app.delete(eve, `/users/eve/tokens/${token.id}`), 204)

    assert.equal((await make()).status, 401)
    assertStatus(await app.get(eve, '/repos/eve/late'), 404)
  })

  test('is done once, as it asks to be', async (t) => {
    const { app, ann, begin } = await listen(t)
    const keyed = { ...ann, headers: { ...ann.headers, 'idempotency-key': 'late' } }

    const first = await (await begin(keyed, 'POST', '/repos/ann/one/issues', { title: 'x' }))()
    const again = await (await begin(keyed, 'POST', '/repos/ann/one/issues', { title: 'x' }))()

    assert.deepEqual([first.status, again.status], [201, 201])
    assert.equal(first.body['id'], again.body['id'])
    assert.equal((await app.get(ann, '/repos/ann/one/issues')).body.length, 1)
  })
})
