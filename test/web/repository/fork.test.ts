// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startWithRepository } from '../../code/commits/setup.ts'
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

suite('a fork', () => {
  const offered = (from: string) =>
    new RegExp(`href="/ann/one/compare/main\\.\\.\\.${from}\\?expand=true"[^>]*>New pull request<`)

  test('leads from its pages to where its branches are offered', async (t) => {
    const { app, bob, byBob } = await start(t)
    await app.post(bob, '/repos/ann/one/forks', { name: 'mine' })
    const file = { content: 'Yg==', branch: 'main', new_branch: 'topic', message: 'mine' }
    assertStatus(await app.post(bob, '/repos/bob/mine/contents/b.txt', file), 201)

    const branches = await byBob.get('/bob/mine/branches')
    assert.match(branches.text, offered('bob/mine:main'))
    assert.match(branches.text, offered('bob/mine:topic'))
    assert.match((await byBob.get('/bob/mine/pulls')).text, offered('bob/mine:main'))
    assert.match((await byBob.get('/bob/mine')).text, offered('bob/mine:main'))
    assert.match((await byBob.get('/bob/mine/src/branch/topic')).text, offered('bob/mine:topic'))
    const compared = await byBob.get('/ann/one/compare/main...bob/mine:topic?expand=true')
    assert.match(compared.text, /name="title"/)
    const choice = await byBob.get('/ann/one/compare')
    assert.match(choice.text, /<option value="bob\/mine:topic">/)
  })

  test('is called by its owner alone where it has the name of its base', async (t) => {
    const { app, bob, byBob, visitor } = await start(t)
    await app.post(bob, '/repos/ann/one/forks', {})

    assert.match((await byBob.get('/bob/one/pulls')).text, offered('bob:main'))
    assert.match((await byBob.get('/ann/one/compare')).text, /<option value="bob:main">/)
    assert.doesNotMatch((await visitor.get('/ann/one/compare')).text, /<option value="bob:/)
  })

  test('says how far it is from its base', async (t) => {
    const { app, ann, bob, byBob } = await start(t)
    await app.post(bob, '/repos/ann/one/forks', {})
    const shown = async () => wordsOf(await byBob.get('/bob/one'))
    assert.match(await shown(), /This branch is as far as ann\/one:main/)

    const file = { content: 'Yg==', branch: 'main', message: 'one' }
    assertStatus(await app.post(bob, '/repos/bob/one/contents/b.txt', file), 201)
    assert.match(await shown(), /This branch is 1 commit ahead of ann\/one:main/)
    assertStatus(await app.post(ann, '/repos/ann/one/contents/a1.txt', file), 201)
    assertStatus(await app.post(ann, '/repos/ann/one/contents/a2.txt', file), 201)

    assert.match(
      await shown(),
      /This branch is 1 commit ahead of, and 2 commits behind ann\/one:main/,
    )
  })

  test('offers nothing where its base takes nothing, or is not seen', async (t) => {
    const { app, ann, bob, byBob } = await start(t)
    await app.post(bob, '/repos/ann/one/forks', {})

    await app.patch(ann, '/repos/ann/one', { has_pull_requests: false })
    assert.doesNotMatch((await byBob.get('/bob/one')).text, /New pull request/)
    assert.match((await byBob.get('/bob/one/pulls')).text, /href="\/bob\/one\/compare"/)
    await app.patch(ann, '/repos/ann/one', { has_pull_requests: true, archived: true })
    assert.doesNotMatch((await byBob.get('/bob/one')).text, /New pull request|ann\/one:main/)
  })
})
