// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { readHunk } from '../../../src/platform/git/patch.ts'
import { pairLines } from '../../../src/web/repository/split-lines.ts'
import { commit, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { addBranch, openPull } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { fromElsewhere, Visitor } from '../support.ts'
import { evil, hasScript, visit, wordsOf } from './support.ts'

const before = 'const a = 1\nconst b = 2\nconst c = 3\n'
const after = `const a = 1\nconst b = '${evil}</span>'\nconst c = 3\n// </td></span>\n`

/** The pages that show the same difference: of a commit, of a comparison, of a pull request. */
async function startWithDifference(
  t: TestContext,
): Promise<Setup & { readonly pages: readonly string[] }> {
  const setup = await startWithRepository(t)
  await commit(setup, { 'src/a.ts': before, 'data.none': 'const\n' })
  const id = await addBranch(setup, 'work', { 'src/a.ts': after, 'data.none': 'let\n' })
  await openPull(setup, { head: 'work' })
  return {
    ...setup,
    pages: [`/ann/one/commit/${id}`, '/ann/one/compare/main...work', '/ann/one/pulls/1/files'],
  }
}

suite('the lines of a difference', () => {
  test('have the colours of their language, and stay text', async (t) => {
    const { app, pages } = await startWithDifference(t)

    for (const path of pages) {
      const page = await visit(app, path)

      assert.match(
        page.text,
        /<tr class="removed"><td data-line="2"><a href="#file-2-old-2" aria-label="Line 2 before"><\/a><\/td><td><\/td><td data-sign="-"><\/td><td id="file-2-old-2"><span class="hljs-keyword">const<\/span> b = <span class="hljs-number">2<\/span><\/td>/,
        path,
      )
      assert.match(page.text, /<span class="hljs-string">&#x27;&lt;script&gt;alert/)
      assert.match(page.text, /<span class="hljs-comment">\/\/ &lt;\/td&gt;&lt;\/span&gt;<\/span>/)
      assert.match(page.text, /<td id="file-1-new-1">let<\/td>/)
      assert.equal(hasScript(page), false, path)
    }
  })

  test('are shown side by side, with the same colours', async (t) => {
    const { app, pages } = await startWithDifference(t)

    for (const path of pages) {
      const page = await visit(app, `${path}?style=split`)

      assert.match(
        page.text,
        /<tr><td class="removed" data-line="2"><a href="#file-2-old-2" aria-label="Line 2 before"><\/a><\/td><td class="removed" data-sign="-" id="file-2-old-2"><span class="hljs-keyword">const<\/span> b = <span class="hljs-number">2<\/span><\/td><td class="added" data-line="2"><a href="#file-2-new-2" aria-label="Line 2"><\/a><\/td><td class="added" data-sign="\+" id="file-2-new-2"><span class="hljs-keyword">const<\/span> b = <span class="hljs-string">&#x27;&lt;script&gt;/,
        path,
      )
      assert.match(
        page.text,
        /<tr><td class="none"><\/td><td class="none"><\/td><td class="added" data-line="4">/,
      )
      assert.match(
        page.text,
        /<tr><td class="context" data-line="1"><\/td><td class="context" data-sign=""><span class="hljs-keyword">const<\/span> a = <span class="hljs-number">1<\/span><\/td><td class="context" data-line="1">/,
      )
      assert.ok(page.text.includes(`<a href="${path}?style=unified">Unified</a>`), path)
      assert.ok(
        page.text.includes(
          `<a href="${path}?style=split&amp;whitespace=ignore-all">Hide changes of white space</a>`,
        ),
        path,
      )
      assert.match(page.text, /aria-current="true">Side by side<\/a>/)
      assert.equal(hasScript(page), false, path)
    }
  })

  test('are put beside those that came in their place', () => {
    const hunk = [
      '@@ -1,5 +1,5 @@ f',
      ' same',
      '-one',
      '-two',
      '+1',
      ' between',
      '+more',
      ' last',
      '-end',
      '\\ No newline at end of file',
      '+END',
      '+END',
      '\\ No newline at end of file',
    ]
    const lines = readHunk(hunk.join('\n'), { lineLength: 100 })

    const rows = pairLines(lines).map(({ old, new: now }) => [old?.text, now?.text])

    const note = 'No newline at end of file'
    assert.deepEqual(rows, [
      ['@@ -1,5 +1,5 @@ f', '@@ -1,5 +1,5 @@ f'],
      ['same', 'same'],
      ['one', '1'],
      ['two', undefined],
      ['between', 'between'],
      [undefined, 'more'],
      ['last', 'last'],
      ['end', 'END'],
      [note, 'END'],
      [undefined, note],
    ])
  })
})

suite('how differences are shown', () => {
  test('is kept in the browser, unless another site has led there', async (t) => {
    const { app, pages } = await startWithDifference(t)
    const [page = '', other = ''] = pages
    const stranger = new Visitor(app)

    const led = await stranger.get(`${page}?style=split`, fromElsewhere)
    const chosen = await stranger.get(`${page}?style=split`)
    const unknown = await stranger.get(`${page}?style=sideways`)

    assert.match(led.text, /class="code diff sides"/)
    assert.equal(led.headers['set-cookie'], undefined)
    const cookie = chosen.headers['set-cookie'] ?? ''
    assert.match(cookie, /^codestead_diff=split; Path=\/; Max-Age=\d+; SameSite=Lax; HttpOnly$/)
    assert.doesNotMatch(unknown.text, /class="code diff sides"/)
    assert.equal(unknown.headers['set-cookie'], undefined)
    const keeper = new Visitor(app, { cookie: cookie.split(';')[0] ?? '' })
    assert.match((await keeper.get(other)).text, /class="code diff sides"/)
    assert.doesNotMatch(
      (await keeper.get(`${other}?style=unified`)).text,
      /class="code diff sides"/,
    )
  })

  test('leaves out what differs in white space alone', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    await commit(setup, { 'a.ts': 'if (a) {\nb()\n}\n', 'b.ts': 'c()\n' })
    const both = { 'a.ts': 'if (a) {\n  b()\n  d()\n}\n', 'b.ts': '  c()\n' }
    const id = await addBranch(setup, 'work', both)
    const blank = await addBranch(setup, 'blank', { 'b.ts': 'c( )\n' })
    await openPull(setup, { head: 'work' })

    for (const path of [
      `/ann/one/commit/${id}`,
      '/ann/one/compare/main...work',
      '/ann/one/pulls/1/files',
    ]) {
      const whole = await visit(app, path)
      const less = await visit(app, `${path}?whitespace=ignore-all`)

      assert.equal(whole.text.match(/<tr class="added">/g)?.length, 3, path)
      assert.equal(less.text.match(/<tr class="added">/g)?.length, 1, path)
      assert.doesNotMatch(less.text, /<tr class="removed">|aria-label="b\.ts"/)
      assert.ok(less.text.includes(`<a href="${path}">Show changes of white space</a>`), path)
      assert.ok(less.text.includes(`href="${path}?style=split&amp;whitespace=ignore-all"`), path)
    }
    const none = await visit(app, `/ann/one/commit/${blank}?whitespace=ignore-all`)
    assert.match(
      wordsOf(none),
      /Show changes of white space No file differs in more than white space/,
    )
  })

  test('keeps what is said of lines beside them', async (t) => {
    const { app, bob, path } = await startWithDifference(t)
    const at = { path: 'src/a.ts' }
    const comments = [
      { ...at, old_position: 2, body: 'Of the old one' },
      { ...at, new_position: 4, body: 'Of the new one' },
      { ...at, new_position: 1, body: 'Of both' },
    ]
    const said = { event: 'COMMENT', comments }
    assertStatus(await app.post(bob, `${path}/pulls/1/reviews`, said), 200)

    const { text } = await visit(app, '/ann/one/pulls/1/files?style=split')

    const rows = text.split('<tr class="remark">').map((row) => row.split('</tr>')[0] ?? '')
    assert.equal(rows.length, 4)
    assert.match(rows[1] ?? '', /^<td colspan="4"><div>[^]*Of both/)
    assert.match(
      rows[2] ?? '',
      /^<td colspan="2"><div>[^]*Of the old one[^]*<td colspan="2"><div><\/div><\/td>$/,
    )
    assert.match(
      rows[3] ?? '',
      /^<td colspan="2"><div><\/div><\/td><td colspan="2"><div>[^]*Of the new one/,
    )
  })
})
