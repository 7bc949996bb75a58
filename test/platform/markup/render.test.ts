// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { renderMarkdown } from '../../../src/platform/markup/render.ts'

suite('Markdown', () => {
  const table: [what: string, text: string, html: string][] = [
    ['a heading', '## a', '<h2 dir="auto">a</h2>\n'],
    ['struck text', '~~a~~', '<p dir="auto"><del>a</del></p>\n'],
    [
      'a link',
      '[a](b/c.md "t")',
      '<p dir="auto"><a href="b/c.md" title="t" rel="nofollow noopener">a</a></p>\n',
    ],
    [
      'an address in the text',
      'see https://example.org/a?b=1&c=2',
      '<p dir="auto">see <a href="https://example.org/a?b=1&amp;c=2" rel="nofollow noopener">https://example.org/a?b=1&amp;c=2</a></p>\n',
    ],
    [
      'an e-mail address',
      'ann@example.org',
      '<p dir="auto"><a href="mailto:ann@example.org" rel="nofollow noopener">ann@example.org</a></p>\n',
    ],
    ['the name of a file', 'README.md', '<p dir="auto">README.md</p>\n'],
    ['an image', '![a](b.png)', '<p dir="auto"><img src="b.png" alt="a" /></p>\n'],
    ['code', '`<b>`', '<p dir="auto"><code>&lt;b&gt;</code></p>\n'],
    [
      'a block of code',
      '```js\n<b>\n```',
      '<pre><code class="language-js">&lt;b&gt;\n</code></pre>\n',
    ],
    ['harmless HTML', '<kbd>Ctrl</kbd>', '<p dir="auto"><kbd>Ctrl</kbd></p>\n'],
    [
      'a fold',
      '<details open><summary>a</summary>\n\nb\n\n</details>',
      '<details open><summary>a</summary>\n<p dir="auto">b</p>\n</details>',
    ],
    ['angle brackets', '1 < 2 > 0 & 3', '<p dir="auto">1 &lt; 2 &gt; 0 &amp; 3</p>\n'],
    ['entities', '&lt;script&gt;', '<p dir="auto">&lt;script&gt;</p>\n'],
    ['a list that counts from three', '3. a', '<ol start="3" dir="auto">\n<li>a</li>\n</ol>\n'],
    [
      'tasks',
      '- [ ] a\n- [x] **b**\n- [X] c\n- [y] d\n- [ ]e',
      '<ul dir="auto">\n' +
        '<li class="task-list-item"><input type="checkbox" disabled /> a</li>\n' +
        '<li class="task-list-item"><input type="checkbox" disabled checked /> <strong>b</strong></li>\n' +
        '<li class="task-list-item"><input type="checkbox" disabled checked /> c</li>\n' +
        '<li>[y] d</li>\n' +
        '<li>[ ]e</li>\n' +
        '</ul>\n',
    ],
    ['a box outside of a list', '[x] a', '<p dir="auto">[x] a</p>\n'],
    [
      'a table',
      '|a|b|\n|-|-:|\n|1|2|',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th align="right">b</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td>1</td>\n<td align="right">2</td>\n</tr>\n</tbody>\n</table>\n',
    ],
    ['open elements', 'a <b>b', '<p dir="auto">a <b>b</b></p>\n'],
    ['stray ends', 'a</div></body> b', '<p dir="auto">a b</p>\n'],
  ]
  for (const [what, text, html] of table) {
    test(`shows ${what}`, async () => {
      assert.equal(await renderMarkdown(text), html)
    })
  }

  test('breaks lines where it is asked to', async () => {
    assert.equal(
      await renderMarkdown('a\nb', { hardBreaks: true }),
      '<p dir="auto">a<br />\nb</p>\n',
    )
  })
})

suite('a text that would take long', () => {
  const size = 100_000
  const fill = (text: string) => text.repeat(size / text.length)

  for (const text of ['[', '![', '>', '*', '_*', '`', '<', '(', '- ', '[a](', '<b>', '<!--', '|']) {
    test(`is rendered when it is nothing but ${text}`, async () => {
      const html = await renderMarkdown(fill(text))

      assert.ok(html.length <= 10 * size, `${html.length} characters`)
    })
  }

  test('is shown as it is when it is long', async () => {
    const text = `**a** <b>\n\n${'x'.repeat(256 * 1024)}`

    const html = await renderMarkdown(text)

    assert.ok(html.startsWith('<pre>**a** &lt;b&gt;\n\nxxx'))
    assert.ok(html.endsWith('x</pre>\n'))
  })

  test('has no markup within a paragraph that is long', async () => {
    const long = `${'*a* '.repeat(5000)}<b>`

    const html = await renderMarkdown(`*first*\n\n${long}\n\n*last*`)

    assert.ok(html.startsWith('<p dir="auto"><em>first</em></p>\n<p dir="auto">\n*a* '))
    assert.ok(html.endsWith('*a* &lt;b&gt;</p>\n<p dir="auto"><em>last</em></p>\n'))
  })

  test('does not grow by an address that is referred to again and again', async () => {
    const text = `[a]: /${'x'.repeat(50_000)}\n\n${`${'[a]'.repeat(1000)}\n\n`.repeat(15)}`

    const html = await renderMarkdown(text)

    assert.ok(html.startsWith('<pre>[a]: /x'))
    assert.ok(html.length < 2 * text.length)
  })

  test('is nested no deeper than a page needs', async () => {
    const lists = Array.from({ length: 400 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')

    const quoted = await renderMarkdown(`${'> '.repeat(5000)}a`)
    const listed = await renderMarkdown(lists)
    const html = await renderMarkdown(`${'<div>'.repeat(5000)}a`)

    assert.ok((quoted.match(/<blockquote>/g) ?? []).length <= 100)
    assert.ok((listed.match(/<ul/g) ?? []).length <= 100)
    assert.ok((html.match(/<div>/g) ?? []).length <= 200)
  })
})
