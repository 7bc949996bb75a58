// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, commit, makeMirror } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { edit, evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { blobOf, fileAt, lastMessage, protectMain, startInBrowser } from './setup.ts'

const added = '/ann/one/_new/branch/main'
const edited = '/ann/one/_edit/branch/main'

suite('/{owner}/{repo}/_new/branch/{branch}', () => {
  test('adds a file by a commit to the branch', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    const form = await byAnn.get(`${added}/docs`)
    assertStatus(form, 200)
    assert.match(form.text, /name="tree_path"[^>]*\svalue="docs\/"/)

    const answer = await byAnn.post(`${added}/docs`, {
      tree_path: 'docs/guide.md',
      content: '# Guide\r\n\r\nText\r\n',
      commit_summary: 'Explain it',
      commit_message: 'At length.\r\nReally.',
    })

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/ann/one/src/branch/main/docs/guide.md')
    assert.equal(await fileAt(setup, 'docs/guide.md'), '# Guide\n\nText\n')
    assert.equal(await lastMessage(setup), 'Explain it\n\nAt length.\nReally.\n')
    assert.match((await byAnn.get(`/ann/one`)).text, /href="\/ann\/one\/_new\/branch\/main"/)
  })

  test('makes the first commit of an empty repository', async (t) => {
    const { app, ann, byAnn } = await startInBrowser(t)
    await app.post(ann, '/user/repos', { name: 'new', default_branch: 'trunk' })
    assert.match((await byAnn.get('/ann/new')).text, /href="\/ann\/new\/_new\/branch\/trunk"/)
    assertStatus(await byAnn.get('/ann/new/_new/branch/main'), 404)

    const answer = await byAnn.post('/ann/new/_new/branch/trunk', { tree_path: 'a', content: 'x' })

    assert.equal(answer.headers['location'], '/ann/new/src/branch/trunk/a')
    assertStatus(await app.get(ann, '/repos/ann/new/contents/a'), 200)
  })

  test('says in place what is wrong, and keeps what was typed', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn, app, ann, path } = setup
    await app.post(ann, `${path}/branches`, { new_branch_name: 'taken' })
    const toNew = { commit_choice: 'commit-to-new-branch' }
    for (const [fields, problem] of [
      [{ tree_path: 'README.md' }, /There is a file of this name already/],
      [{ tree_path: 'README.md/x' }, /Something else lies where this path leads/],
      [{ tree_path: '../x' }, /Git cannot keep a file at this path/],
      [{ tree_path: '.git/config' }, /Git cannot keep a file at this path/],
      [{ tree_path: '' }, /Git cannot keep a file at this path/],
      [{ tree_path: 'x', ...toNew }, /Name the new branch/],
      [{ tree_path: 'x', ...toNew, new_branch_name: 'main' }, /a branch of this name already/],
      [{ tree_path: 'x', ...toNew, new_branch_name: 'taken' }, /a branch of this name already/],
      [{ tree_path: 'x', ...toNew, new_branch_name: 'a..b' }, /Git does not take this/],
    ] as const) {
      const content = `\n${evil}`
      const answer = await byAnn.post(added, { ...fields, content, commit_summary: evil })
      assertStatus(answer, 422)
      assert.match(wordsOf(answer), problem)
      // Browsers leave out one line break behind the tag: the second one was typed.
      assert.match(answer.text, /<textarea id="content-text"[^>]*>\n\n&lt;script&gt;/)
      assert.equal(hasScript(answer), false)
    }
    const long = { tree_path: 'x', content: 'x'.repeat(6_000_000) }
    assertStatus(await byAnn.post(added, long), 413)
    assert.equal(await lastMessage(setup), 'Initial commit\n')
  })

  test('is for those who may write, on this site', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn, byBob, visitor } = setup
    const file = { tree_path: 'x', content: 'x' }

    assert.equal(
      (await visitor.get(added)).headers['location'],
      `/user/login?redirect_to=${encodeURIComponent(added)}`,
    )
    assertSessionEnded(await visitor.post(added, file))
    assertStatus(await byBob.get(added), 404)
    assertStatus(await byBob.post(added, file), 403)
    assert.doesNotMatch((await byBob.get('/ann/one')).text, /_new|_upload/)
    assertStatus(await byAnn.post(added, file, fromElsewhere), 403)
    assertStatus(await byAnn.get('/ann/one/_new/branch/none'), 404)
    assertStatus(await byAnn.post('/ann/one/_new/branch/none', file), 404)
    await archive(setup)
    assertStatus(await byAnn.get(added), 423)
    assertStatus(await byAnn.post(added, file), 423)
    assert.doesNotMatch((await byAnn.get('/ann/one')).text, /_new|_upload/)
    await edit(setup, { archived: false, private: true })
    assertStatus(await byBob.post(added, file), 404)
    await makeMirror(setup)
    assertStatus(await byAnn.post(added, file), 423)
    assert.equal(await fileAt(setup, 'x'), undefined)
  })

  test('keeps to the rules of a protected branch, and offers a new one', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    await protectMain(setup)
    assert.match((await byAnn.get(added)).text, /value="commit-to-new-branch" checked/)
    const file = { tree_path: 'a.txt', content: 'mine' }

    const refused = await byAnn.post(added, file)
    const branched = await byAnn.post(added, {
      ...file,
      commit_choice: 'commit-to-new-branch',
      new_branch_name: 'ann/patch',
    })

    assertStatus(refused, 403)
    assert.match(wordsOf(refused), /The rules of this branch do not let you commit this/)
    assert.match(refused.text, />\nmine<\/textarea>/)
    assert.equal(await fileAt(setup, 'a.txt'), undefined)
    assertStatus(branched, 303)
    assert.equal(branched.headers['location'], '/ann/one/compare/main...ann/patch')
    assert.equal(await fileAt(setup, 'a.txt', 'ann/patch'), 'mine')
  })
})

suite('/{owner}/{repo}/_edit/branch/{branch}/{file}', () => {
  test('changes a file, moves it, and keeps its way of ending lines', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    await commit(setup, { 'a.txt': `\none\n${evil}\n`, 'w.txt': 'one\r\ntwo\r\n' })
    const form = await byAnn.get(`${edited}/a.txt`)
    assert.match(form.text, />\n\none\n&lt;script&gt;/)
    assert.equal(hasScript(form), false)

    const moved = await byAnn.post(`${edited}/a.txt`, {
      tree_path: 'b/c.txt',
      content: 'two\r\n',
      sha: await blobOf(setup, 'a.txt'),
      line_ends: 'lf',
    })
    const windows = await byAnn.get(`${edited}/w.txt`)
    await byAnn.post(`${edited}/w.txt`, {
      tree_path: 'w.txt',
      content: 'one\r\nthree\r\n',
      sha: await blobOf(setup, 'w.txt'),
      line_ends: 'crlf',
    })

    assert.equal(moved.headers['location'], '/ann/one/src/branch/main/b/c.txt')
    assert.equal(await fileAt(setup, 'a.txt'), undefined)
    assert.equal(await fileAt(setup, 'b/c.txt'), 'two\n')
    assert.match(windows.text, /name="line_ends" value="crlf"/)
    assert.equal(await fileAt(setup, 'w.txt'), 'one\r\nthree\r\n')
    assert.equal(await lastMessage(setup), 'Update w.txt\n')
  })

  test('says that the file was changed meanwhile, and loses neither text', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    const sha = await blobOf(setup, 'README.md')
    await commit(setup, { 'README.md': 'theirs' })
    const mine = { tree_path: 'README.md', content: 'mine', line_ends: 'lf' }

    const refused = await byAnn.post(`${edited}/README.md`, { ...mine, sha })

    assertStatus(refused, 422)
    assert.match(wordsOf(refused), /Somebody has changed this file since you began/)
    assert.match(refused.text, />\nmine<\/textarea>/)
    assert.equal(await fileAt(setup, 'README.md'), 'theirs')
    const now = /name="sha" value="(\w+)"/.exec(refused.text)?.[1] ?? ''
    assert.equal(now, await blobOf(setup, 'README.md'))
    assertStatus(await byAnn.post(`${edited}/README.md`, { ...mine, sha: now }), 303)
    assert.equal(await fileAt(setup, 'README.md'), 'mine')
  })

  test('says that the file was deleted meanwhile, and makes it anew when asked again', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    const sha = await blobOf(setup, 'README.md')
    await app.delete(ann, `${path}/contents/README.md`, { sha })
    const mine = { tree_path: 'README.md', content: 'mine', line_ends: 'lf' }

    const refused = await byAnn.post(`${edited}/README.md`, { ...mine, sha })

    assertStatus(refused, 422)
    assert.match(wordsOf(refused), /Somebody has deleted this file since you began/)
    assertStatus(await byAnn.post(`${edited}/README.md`, { ...mine, sha: '' }), 303)
    assert.equal(await fileAt(setup, 'README.md'), 'mine')
  })

  test('is offered for texts on branches to those who may, and for nothing else', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn, byBob } = setup
    await commit(setup, { 'data.bin': 'a\0b' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    const page = async (by: typeof byAnn, address: string) => (await by.get(address)).text

    assert.match(await page(byAnn, '/ann/one/src/branch/main/README.md'), /\/_edit\/branch\/main/)
    assert.doesNotMatch(await page(byBob, '/ann/one/src/branch/main/README.md'), /_edit|_delete/)
    assert.doesNotMatch(await page(byAnn, '/ann/one/src/tag/v1/README.md'), /_edit|_delete/)
    assert.doesNotMatch(await page(byAnn, '/ann/one/src/branch/main/data.bin'), /_edit/)
    for (const file of ['data.bin', 'none', '']) {
      assertStatus(await byAnn.get(`${edited}/${file}`), 404)
    }
  })
})
