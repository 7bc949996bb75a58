import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startWithRepository } from '../../commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor } from '../support.ts'
import { evil, hasScript, wordsOf } from './support.ts'

const path = '/ann/one/fork'

async function start(t: TestContext) {
  const setup = await startWithRepository(t)
  const { app } = setup
  return { ...setup, byBob: await signIn(app, 'bob'), visitor: new Visitor(app) }
}

suite('/{owner}/{repo}/fork', () => {
  test('copies the repository for the viewer, or for an organization of theirs', async (t) => {
    const { app, bob, byBob } = await start(t)
    await app.post(bob, '/orgs', { username: 'acme' })
    assert.match((await byBob.get('/ann/one')).text, /href="\/ann\/one\/fork"/)
    const page = await byBob.get(path)
    assert.match(page.text, /<option>bob<\/option><option>acme<\/option>/)
    assert.match(page.text, /name="name"[^>]* value="one"/)

    const own = await byBob.post(path, { owner: 'bob', name: 'mine', description: evil })
    const theirs = await byBob.post(path, { owner: 'acme', name: 'one' })

    assert.equal(own.headers['location'], '/bob/mine')
    assert.equal(theirs.headers['location'], '/acme/one')
    const { body } = await app.get(bob, '/repos/bob/mine')
    assert.deepEqual([body.fork, body.parent.full_name, body.description], [true, 'ann/one', evil])
    assertStatus(await app.get(bob, '/repos/acme/one/contents/README.md'), 200)
    const shown = await byBob.get('/bob/mine')
    assert.match(wordsOf(shown), /forked from ann\/one/)
    assert.equal(hasScript(shown), false)
  })

  test('is for those who are signed in and read the code, from pages of this server', async (t) => {
    const { app, ann, bob, byBob, visitor } = await start(t)

    assert.doesNotMatch((await visitor.get('/ann/one')).text, /\/ann\/one\/fork"/)
    assert.equal(
      (await visitor.get(path)).headers['location'],
      '/user/login?redirect_to=%2Fann%2Fone%2Ffork',
    )
    assertSessionEnded(await visitor.post(path, { name: 'x' }))
    assertStatus(await byBob.post(path, { name: 'x' }, fromElsewhere), 403)
    await app.patch(ann, '/repos/ann/one', { has_code: false })
    assertStatus(await byBob.get(path), 404)
    assertStatus(await byBob.post(path, { name: 'x' }), 403)
    await app.patch(ann, '/repos/ann/one', { has_code: true, private: true })
    assertStatus(await byBob.get(path), 404)
    assertStatus(await byBob.post(path, { name: 'x' }), 404)
    assertStatus(await app.get(bob, '/repos/bob/x'), 404)
  })

  test('tells what is wrong where it is wrong, and makes nothing', async (t) => {
    const { app, ann, bob, byBob } = await start(t)
    await app.post(bob, '/user/repos', { name: 'taken' })
    await app.post(ann, '/orgs', { username: 'anns' })
    await app.post(ann, '/orgs', { username: 'hidden', visibility: 'private' })
    const wrong: [Record<string, string>, RegExp][] = [
      [{ name: 'taken' }, /^name: There is a repository of this name/],
      [{ name: evil }, /^name: Only letters/],
      [{ name: '..' }, /^name: This name is kept/],
      [{ description: 'x'.repeat(3000) }, /^description: This is too long/],
      [{ owner: 'hidden' }, /^owner: There is no organization/],
      [{ owner: 'ann' }, /^owner: There is no organization/],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byBob.post(path, { name: 'x', description: evil, ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }
    const refused = await byBob.post(path, { owner: 'anns', name: 'x' })
    assertStatus(refused, 422)
    assert.match(wordsOf(refused), /not allowed to create/)
    assert.equal((await app.get(ann, '/repos/ann/one')).body.forks_count, 0)
    assertStatus(await byBob.post(path, { name: 'x' }), 303)
    const twice = await byBob.post(path, { name: 'y' })
    assert.match(complaintIn(twice.text), /^owner: They have a fork of it already/)
  })
})
