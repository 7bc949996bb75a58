// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startWithRepository } from '../code/commits/setup.ts'
import { assertStatus } from '../support/expect.ts'
import { signIn, Visitor } from './support.ts'

suite('an address with a slash at its end', () => {
  test('leads to the same without it', async (t) => {
    const { app } = await startWithRepository(t)
    const ann = await signIn(app, 'ann')

    for (const path of [
      '/ann',
      '/ann/one',
      '/ann/one/issues',
      '/explore',
      '/explore/repos',
      '/notifications',
    ]) {
      const answer = await ann.get(`${path}/`)
      assertStatus(answer, 301)
      assert.equal(answer.headers['location'], path)
    }
    const asked = await ann.get('/ann/one/issues/?q=a%2Fb/&state=all')
    assert.equal(asked.headers['location'], '/ann/one/issues?q=a%2Fb/&state=all')
    assert.equal((await ann.get('/explore/repos//')).headers['location'], '/explore/repos')
  })

  test('is what it is where it is real, and nothing where nothing is', async (t) => {
    const { app } = await startWithRepository(t)
    const visitor = new Visitor(app)

    assertStatus(await visitor.get('/ann/one/src/branch/main/'), 200)
    assertStatus(await visitor.get('/ann/one/none/'), 404)
    assertStatus(await visitor.get('/api/v1/version/'), 404)
    assertStatus(await visitor.get('/ann/one.git/info/refs/'), 404)
    assertStatus(await app.get(undefined, '^/ann/'), 404)
    assertStatus(await visitor.post('/user/login/'), 404)
  })

  test('leads to no other site', async (t) => {
    const { app } = await startWithRepository(t)
    const visitor = new Visitor(app)

    for (const path of [
      '//evil.example/',
      '///evil.example/',
      '/\\evil.example/',
      '/%5Cevil.example/',
      '//evil.example/ann/',
    ]) {
      const { headers } = await visitor.get(path)
      assert.doesNotMatch(headers['location'] ?? '/', /^(?:\/[/\\]|\w+:|\\)/, path)
    }
  })

  test('keeps the path below which the server is', async (t) => {
    const { app } = await startWithRepository(t, { server: { url: 'http://codestead.test/code/' } })

    const { headers } = await new Visitor(app).get('/explore/repos/')

    assert.equal(headers['location'], '/code/explore/repos')
  })
})
