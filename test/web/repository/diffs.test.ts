// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addBranch, openPull, startWithTopic } from '../../pulls/setup.ts'
import { commit } from '../../commits/setup.ts'
import { evil, hasScript, visit } from './support.ts'

const before = 'const a = 1\nconst b = 2\nconst c = 3\n'
const after = `const a = 1\nconst b = '${evil}</span>'\nconst c = 3\n// </td></span>\n`

/** The pages that show the same difference: of a commit, of a comparison, of a pull request. */
async function startWithDifference(t: Parameters<typeof startWithTopic>[0]) {
  const setup = await startWithTopic(t)
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
        /<tr class="removed"><td data-line="2"><\/td><td><\/td><td data-sign="-"><\/td><td><span class="hljs-keyword">const<\/span> b = <span class="hljs-number">2<\/span><\/td>/,
        path,
      )
      assert.match(page.text, /<span class="hljs-string">&#x27;&lt;script&gt;alert/)
      assert.match(page.text, /<span class="hljs-comment">\/\/ &lt;\/td&gt;&lt;\/span&gt;<\/span>/)
      assert.match(page.text, /<td>let<\/td>/)
      assert.equal(hasScript(page), false, path)
    }
  })
})
