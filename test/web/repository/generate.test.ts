import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { commit, startWithRepository } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor } from '../support.ts'
import { evil, hasScript, wordsOf } from './support.ts'

const path = '/ann/one/generate'
const inputs = `inputs:
  who:
    prompt: Who ${evil}
    pattern: "[a-z]+"
  level:
    type: choice
    options: [low, high]
    default: high
  loud:
    type: boolean
    default: "true"
`

async function start(t: TestContext, declared = inputs) {
  const setup = await startWithRepository(t)
  const { app, ann } = setup
  await commit(setup, {
    '.gitea/template.yml': declared,
    '.gitea/template': '*.txt\n',
    'hello.txt': '$who $level $loud\n',
  })
  await app.patch(ann, '/repos/ann/one', { template: true })
  await app.put(ann, '/repos/ann/one/topics', { topics: ['lamp'] })
  return { ...setup, byBob: await signIn(app, 'bob'), visitor: new Visitor(app) }
}

const form = { owner: 'bob', name: 'new', git_content: 'true', 'input-who': 'bob' }

suite('/{owner}/{repo}/generate', () => {
  test('makes a repository from a template, with the values that it asks for', async (t) => {
    const { app, bob, byBob } = await start(t)
    assert.match((await byBob.get('/ann/one')).text, /href="\/ann\/one\/generate"/)
    const page = await byBob.get(path)
    assert.match(page.text, /name="git_content"[^>]* checked/)
    assert.match(page.text, /<option>low<\/option><option selected>high<\/option>/)
    assert.match(page.text, /name="input-loud"[^>]* checked/)
    assert.doesNotMatch(page.text, /name="webhooks"/)
    assert.equal(hasScript(page), false)

    const made = await byBob.post(path, {
      ...form,
      description: 'd',
      private: 'true',
      topics: 'true',
      'input-level': 'low',
    })

    assert.equal(made.headers['location'], '/bob/new')
    const { body } = await app.get(bob, '/repos/bob/new')
    assert.deepEqual([body.description, body.private, body.topics], ['d', true, ['lamp']])
    const file = await app.get(bob, '/repos/bob/new/raw/hello.txt')
    assert.equal(file.text, 'bob low false\n')
  })

  test('is there for templates alone, for those who are signed in, from pages of this server', async (t) => {
    const { app, ann, bob, byBob, visitor } = await start(t)

    assert.doesNotMatch((await visitor.get('/ann/one')).text, /\/generate"/)
    assert.equal(
      (await visitor.get(path)).headers['location'],
      '/user/login?redirect_to=%2Fann%2Fone%2Fgenerate',
    )
    assertSessionEnded(await visitor.post(path, form))
    assertStatus(await byBob.post(path, form, fromElsewhere), 403)
    await app.patch(ann, '/repos/ann/one', { template: false })
    assert.doesNotMatch((await byBob.get('/ann/one')).text, /\/generate"/)
    assertStatus(await byBob.get(path), 404)
    assertStatus(await byBob.post(path, form), 404)
    assertStatus(await app.get(bob, '/repos/bob/new'), 404)
  })

  test('tells what is wrong where it is wrong, keeps what was typed and makes nothing', async (t) => {
    const { app, bob, byBob } = await start(t)
    await app.post(bob, '/user/repos', { name: 'taken' })
    const wrong: [Record<string, string>, RegExp][] = [
      [{ name: 'taken' }, /^name: There is a repository of this name/],
      [{ name: '' }, /^name: This is needed/],
      [{ 'input-who': '' }, /^input-who: This is required\./],
      [{ 'input-who': 'B' }, /^input-who: This does not match/],
      [{ 'input-level': 'x' }, /^input-level: This is not one of low, high\./],
      [{ owner: 'nobody' }, /^owner: There is no organization/],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byBob.post(path, { ...form, description: evil, ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.match(answer.text, /name="description"[^>]* value="&lt;script/)
      assert.equal(hasScript(answer), false)
    }
    const nothing = await byBob.post(path, { owner: 'bob', name: 'new' })
    assertStatus(nothing, 422)
    assert.match(wordsOf(nothing), /Choose at least one thing/)
    assertStatus(await app.get(bob, '/repos/bob/new'), 404)
  })

  test('says so when the template declares badly what it asks', async (t) => {
    const { byBob } = await start(t, 'inputs: [')

    const page = await byBob.get(path)

    assertStatus(page, 200)
    assert.match(wordsOf(page), /\.gitea\/template\.yml: /)
  })
})
