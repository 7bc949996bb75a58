import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertBareError, assertError, assertStatus } from '../../support/expect.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const REFUSED = 'invalid username, password or token'

suite('a form', () => {
  test('may hold the token, before that of the query and of the header', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const [token = '', other = ''] = [ann, bob].map(
      ({ headers }) => headers['authorization']?.replace('token ', '') ?? '',
    )
    const ownerOf = async (query: string, body: string, who?: typeof bob) => {
      const made = await app.post(who, `/user/repos${query}`, body, form)
      assertStatus(made, 201)
      assert.match(made.headers['x-service-warning'] ?? '', /deprecated/)
      return made.body.owner.login as string
    }

    assert.equal(await ownerOf('', `name=one&token=${token}`), 'ann')
    assert.equal(await ownerOf('', `access_token=${token}&name=two`, bob), 'ann')
    assert.equal(await ownerOf(`?token=${other}`, `name=three&token=${token}`), 'ann')
    assert.equal(await ownerOf(`?token=${other}`, 'name=four', ann), 'bob')
    const loud = { 'content-type': form['content-type'].toUpperCase() }
    assertStatus(await app.post(undefined, '/user/repos', `name=loud&token=${token}`, loud), 201)
    const edited = await app.patch(undefined, '/user/settings', `location=x&token=${token}`, form)
    assert.equal(edited.body.location, 'x')
    const topics = `topics=a&topics=b&token=${token}`
    assertStatus(await app.put(undefined, '/repos/ann/one/topics', topics, form), 204)
    assert.deepEqual((await app.get(ann, '/repos/ann/one/topics')).body.topics, ['a', 'b'])
    assertError(await app.post(ann, '/user/repos', 'name=five&token=wrong', form), 401, REFUSED)
    assertError(await app.get(ann, '/repos/ann/five'), 404)
  })

  test('that cannot be read is told to those who may send it, and a file is none', async (t) => {
    const app = await startApp(t, { api: { max_body_size: '2000B' } })
    const ann = await app.addCaller('ann')
    const token = ann.headers['authorization']?.replace('token ', '') ?? ''
    const long = `name=one&token=${token}&x=${'x'.repeat(2000)}`
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    const release = await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v1' })
    const assets = `/repos/ann/one/releases/${release.body.id}/assets?name=a.bin`

    assertError(await app.post(undefined, '/user/repos', long, form), 401, 'token is required')
    assertError(await app.post(ann, '/user/repos', long, form), 413)
    assertError(await app.post(undefined, '/user/repos', 'name=a%00b', form), 401)
    assertError(await app.post(ann, '/user/repos', 'name=a%00b', form), 422, /U\+0000/)
    const stored = await app.post(ann, assets, 'token=wrong&sudo=nobody', form)
    assertStatus(stored, 201)
    assert.equal(stored.body.size, 'token=wrong&sudo=nobody'.length)
  })

  test('may name whom an administrator acts for, before query and header', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    const make = (body: string) => app.post(root, '/user/repos?sudo=bob', body, form)

    assert.equal((await make('name=one&sudo=ann')).body.full_name, 'ann/one')
    assert.equal((await make('name=one')).body.full_name, 'bob/one')
    assertError(await make('name=two&sudo=nobody'), 404, 'not found')
    const refused = await app.post(ann, '/user/repos', 'name=two&sudo=bob', form)
    assertBareError(refused, 403, 'Only administrators allowed to sudo.')
  })

  test('holds no token where tokens in queries are switched off', async (t) => {
    const app = await startApp(t, { security: { query_tokens: false } })
    const ann = await app.addCaller('ann')
    const token = ann.headers['authorization']?.replace('token ', '') ?? ''

    const answer = await app.post(undefined, '/user/repos', `name=one&token=${token}`, form)

    assertError(answer, 401, 'token is required')
    assert.match(answer.headers['x-service-warning'] ?? '', /deprecated/)
  })
})
