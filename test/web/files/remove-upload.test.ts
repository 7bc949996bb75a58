// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import type { Headers, TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere, type Fields, type Visitor } from '../support.ts'
import { blobOf, fileAt, lastMessage, protectMain, startInBrowser } from './setup.ts'

suite('/{owner}/{repo}/_delete/branch/{branch}/{file}', () => {
  const path = '/ann/one/_delete/branch/main'

  test('deletes a file by a commit, and leads to the folder that is left', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    await commit(setup, { 'a/b/c.txt': 'x', 'a/d.txt': 'x' })
    const page = await byAnn.get(`${path}/a/b/c.txt`)
    const sha = /name="sha" value="(\w+)"/.exec(page.text)?.[1] ?? ''

    const answer = await byAnn.post(`${path}/a/b/c.txt`, { sha })

    assert.equal(answer.headers['location'], '/ann/one/src/branch/main/a')
    assert.equal(await fileAt(setup, 'a/b/c.txt'), undefined)
    assert.equal(await lastMessage(setup), 'Delete a/b/c.txt\n')
  })

  test('deletes nothing that was changed meanwhile or is protected', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    const sha = await blobOf(setup, 'README.md')
    await commit(setup, { 'README.md': 'theirs' })

    const stale = await byAnn.post(`${path}/README.md`, { sha, commit_summary: evil })
    await protectMain(setup)
    const now = await blobOf(setup, 'README.md')
    const refused = await byAnn.post(`${path}/README.md`, { sha: now })

    assertStatus(stale, 422)
    assert.match(wordsOf(stale), /Somebody has changed this file since you looked at it/)
    assert.ok(stale.text.includes(`name="sha" value="${now}"`))
    assert.equal(hasScript(stale), false)
    assertStatus(refused, 403)
    assert.equal(await fileAt(setup, 'README.md'), 'theirs')
  })

  test('is for those who may write, on this site', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn, byBob, visitor } = setup
    const fields = { sha: await blobOf(setup, 'README.md') }

    assertStatus(await byBob.get(`${path}/README.md`), 404)
    assertStatus(await byBob.post(`${path}/README.md`, fields), 403)
    assertStatus(await byAnn.post(`${path}/README.md`, fields, fromElsewhere), 403)
    const answer = await visitor.post(`${path}/README.md`, fields)
    assertSessionEnded(answer)
    for (const missing of ['', 'none']) assertStatus(await byAnn.get(`${path}/${missing}`), 404)
    assert.notEqual(await fileAt(setup, 'README.md'), undefined)
  })
})

suite('/{owner}/{repo}/_upload/branch/{branch}/{folder}', () => {
  const path = '/ann/one/_upload/branch/main'

  function upload(
    by: Visitor,
    files: Readonly<Record<string, string>>,
    fields: Fields = {},
    more: Headers = {},
  ): Promise<TestAnswer> {
    const texts = Object.entries(fields).map(
      ([name, text]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
    )
    const parts = Object.entries(files).map(
      ([name, text]) =>
        `--b\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n${text}\r\n`,
    )
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    return by.send(path, `${[...texts, ...parts].join('')}--b--\r\n`, { ...type, ...more })
  }

  test('commits all files at once, also in place of others', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    assertStatus(await byAnn.get(path), 200)
    await commit(setup, { 'data/a.bin': 'old' })
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`n${at}`, `${at}`]))

    const answer = await upload(
      byAnn,
      { 'a.bin': 'a\r\nb', 'C:/x/b.txt': 'b', ...many },
      { tree_path: '/data/', commit_summary: 'Bring data' },
    )

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/ann/one/src/branch/main/data')
    assert.equal(await fileAt(setup, 'data/a.bin'), 'a\r\nb')
    assert.equal(await fileAt(setup, 'data/b.txt'), 'b')
    assert.equal(await fileAt(setup, 'data/n19'), '19')
    assert.equal(await lastMessage(setup), 'Bring data\n')
  })

  test('says what is wrong, and keeps what was typed', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    const tooMany = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`n${at}`, 'x']))
    for (const [files, fields, status, problem] of [
      [{}, {}, 422, /Choose at least one file/],
      [tooMany, {}, 422, /At most 50 files at once/],
      [{ '': '' }, {}, 422, /Choose at least one file/],
      [{ x: 'x' }, { tree_path: '..' }, 422, /Git cannot keep a file at this path/],
      [{ '.git': 'x' }, {}, 422, /Git cannot keep a file at this path/],
      [{ x: 'x' }, { tree_path: 'README.md' }, 422, /Something else lies/],
    ] as const) {
      const answer = await upload(byAnn, files, { ...fields, commit_summary: evil })
      assertStatus(answer, status)
      assert.match(wordsOf(answer), problem)
      assert.match(wordsOf(answer), /Choose the files again\./)
      assert.match(answer.text, /value="&lt;script&gt;/)
      assert.equal(hasScript(answer), false)
    }
    for (const type of ['multipart/form-data; boundary=b', 'multipart/form-data; boundary=']) {
      const answer = await byAnn.send(path, '--b\r\nno form', { 'content-type': type })
      assertStatus(answer, 422)
    }
    const endless = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`n${at}`, 'x']))
    assertStatus(await upload(byAnn, endless), 422)
    assert.equal(await lastMessage(setup), 'Initial commit\n')
  })

  test('is for those who may write, on this site', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn, byBob, visitor } = setup

    assertStatus(await byBob.get(path), 404)
    assertStatus(await upload(byBob, { x: 'x' }), 403)
    assertStatus(await upload(byAnn, { x: 'x' }, {}, fromElsewhere), 403)
    assertSessionEnded(await upload(visitor, { x: 'x' }))
    await protectMain(setup)
    assertStatus(await upload(byAnn, { x: 'x' }), 403)
    assert.equal(await fileAt(setup, 'x'), undefined)
  })
})
