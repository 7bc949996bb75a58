// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { base64, commit, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { countStatements } from '../../support/statements.ts'
import { signIn } from '../support.ts'
import { evil, hasScript, visit } from './support.ts'

const said = `Fix #1 and #2 of ann/hidden#1, ann/open#1 by @bob, @shy ${evil}`

/**
 * An issue each in three repositories, one of which is private; a person whom others do not see.
 */
async function startWithIssues(t: TestContext): Promise<Setup> {
  const setup = await startWithRepository(t)
  const { app, ann } = setup
  await app.addPerson('shy', { visibility: 'private' })
  assertStatus(await app.post(ann, '/user/repos', { name: 'hidden', private: true }), 201)
  assertStatus(await app.post(ann, '/user/repos', { name: 'open' }), 201)
  for (const name of ['one', 'hidden', 'open']) {
    assertStatus(await app.post(ann, `/repos/ann/${name}/issues`, { title: 'x' }), 201)
  }
  return setup
}

function assertLinked({ text }: { readonly text: string }): void {
  assert.match(text, /<a href="\/ann\/one\/issues\/1"[^>]*>#1<\/a>/)
  assert.match(text, /<a href="\/ann\/open\/issues\/1"[^>]*>ann\/open#1<\/a>/)
  assert.match(text, /<a href="\/bob"[^>]*>@bob<\/a>/)
  assert.doesNotMatch(text, /href="\/ann\/one\/issues\/2"|href="\/shy"/)
}

suite('what messages of commits refer to', () => {
  test('is linked, as far as it is there and the viewer may know of it', async (t) => {
    const setup = await startWithIssues(t)
    const { app } = setup
    const id = await commit(setup, { 'a.txt': 'x' }, { message: `${said}\n\nAlso #1.` })
    const pages = [
      '/ann/one',
      '/ann/one/commits/branch/main',
      `/ann/one/commit/${id}`,
      '/ann/one/src/branch/main/a.txt',
      '/ann/one/activity',
    ]
    const byAnn = await signIn(app, 'ann')

    for (const path of pages) {
      const page = await visit(app, path)
      assertLinked(page)
      assert.ok(!hasScript(page))
      assert.doesNotMatch(page.text, /href="\/ann\/hidden/, path)
      assert.match((await byAnn.get(path)).text, /<a href="\/ann\/hidden\/issues\/1">/, path)
    }
    assertLinked(await byAnn.get('/'))
    const { text } = await visit(app, `/ann/one/commit/${id}`)
    assert.match(text, /Also <a href="\/ann\/one\/issues\/1">#1<\/a>\./)
    const list = await visit(app, '/ann/one/commits/branch/main')
    assert.match(list.text, new RegExp(`<a class="subject" href="/ann/one/commit/${id}">Fix </a>`))
  })

  test('is looked for by as many statements, however many commits there are', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann } = setup
    const count = countStatements(t, app)
    const look = () => count(async () => void (await visit(app, '/ann/one/commits/branch/main')))
    await commit(setup, { 'a.txt': 'x' }, { message: said })
    await look()
    const before = await look()
    for (const number of [1, 2, 3]) {
      await app.addPerson(`shy${number}`, { visibility: 'private' })
      assertStatus(await app.post(ann, '/repos/ann/one/issues', { title: 'x' }), 201)
      await commit(setup, { 'a.txt': `${number}` }, { message: `Fix #${number} @shy${number}` })
    }
    await look()

    assert.equal(await look(), before)
  })
})

suite('what documents refer to', () => {
  test('is linked in files and in the wiki, and other addresses lead where they led', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, path } = setup
    const text = `${said}\n\n[x](/docs/x.md) \`#1\``
    await commit(setup, { 'a/README.md': text })
    const page = { title: 'Home', content_base64: base64(text) }
    assertStatus(await app.post(ann, `${path}/wiki/new`, page), 201)

    const folder = await visit(app, '/ann/one/src/branch/main/a')
    const file = await visit(app, '/ann/one/src/branch/main/a/README.md')
    const wiki = await visit(app, '/ann/one/wiki')

    for (const shown of [folder, file, wiki]) {
      assertLinked(shown)
      assert.match(shown.text, /<code>#1<\/code>/)
      assert.doesNotMatch(shown.text, /href="\/ann\/hidden/)
    }
    assert.match(file.text, /href="\/ann\/one\/src\/branch\/main\/docs\/x\.md"/)
  })
})

suite('footnotes and alerts', () => {
  test('are shown in documents, wikis and what people say, and not by the API', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, path } = setup
    const text = 'a[^1]\n\n> [!WARNING]\n> b\n\n[^1]: note'
    await commit(setup, { 'README.md': text })
    const wiki = { title: 'Home', content_base64: base64(text) }
    assertStatus(await app.post(ann, `${path}/wiki/new`, wiki), 201)
    assertStatus(await app.patch(ann, `${path}/issues/1`, { body: text }), 201)

    for (const address of ['/ann/one', '/ann/one/wiki', '/ann/one/issues/1']) {
      const page = await visit(app, address)
      const [, id = ''] = /<a href="#(user-content-fn:[^"]+)"/.exec(page.text) ?? []
      assert.ok(page.text.includes(`<li id="${id}">`), address)
      assert.match(page.text, /<blockquote class="alert-warning">/, address)
    }
    const answer = await app.post(ann, '/markdown', { Text: text, Mode: 'gfm', Wiki: true })
    assert.doesNotMatch(answer.text, /class=|id=|Warning/)
  })
})
