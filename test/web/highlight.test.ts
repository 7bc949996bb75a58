// One database is enough: none is used.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { suite, test } from 'node:test'
import { readPatch } from '../../src/platform/git/patch.ts'
import { renderMarkdown } from '../../src/platform/markup/render.ts'
import { colourCodeBlocks } from '../../src/web/highlight/code-blocks.ts'
import { highlightFile, highlightLines, toLines } from '../../src/web/highlight/highlight.ts'
import { highlightPatch } from '../../src/web/highlight/patch.ts'
import { html } from '../../src/platform/html.ts'
import { HighlightThread } from '../../src/web/highlight/thread.ts'

suite('the lines of a coloured text', () => {
  const lines = (markup: string) => toLines(markup)?.map(String)

  test('close what is open at their end, and open it again', () => {
    assert.deepEqual(lines('a <span class="x"><span class="y">b\nc</span>\n</span>d'), [
      'a <span class="x"><span class="y">b</span></span>',
      '<span class="x"><span class="y">c</span></span>',
      '<span class="x"></span>d',
    ])
  })

  test('are none where the markup is not of the form that was asked for', () => {
    for (const markup of [
      '<b>x</b>',
      '<span onclick="x">y</span>',
      '</span>',
      '<span class="x">',
      '<script>',
    ])
      assert.equal(lines(markup), undefined, markup)
  })

  test('do not have one more after the last line break', () => {
    assert.deepEqual(lines('a\n'), ['a'])
    assert.deepEqual(lines('a\n\n'), ['a', ''])
    assert.deepEqual(lines('<span class="x">a\n</span>'), ['<span class="x">a</span>'])
    assert.deepEqual(lines(''), [''])
  })

  test('stay plain where the language is not known', async () => {
    const shown = await highlightLines({ id: '1', name: 'a.none', text: '<a>\r\nb' })

    assert.deepEqual(shown.map(String), ['&lt;a&gt;', 'b'])
  })

  test('stay plain where one is as long as no person writes it', async () => {
    const long = `[${'1,'.repeat(6000)}1]`

    for (const text of [long, `[]\n${long}\n`]) {
      const shown = await highlightLines({ id: text, name: 'a.json', text })
      assert.doesNotMatch(shown.map(String).join(), /<span/)
    }
  })

  test('are coloured by what is in a file where its ending says too little', async () => {
    const text = '#!/usr/bin/env python3\nimport os\n'

    const { lines: shown, language } = await highlightFile({ id: 'script', name: 'tool', text })

    assert.equal(language, 'Python')
    assert.match(String(shown[1]), /<span class="hljs-keyword">import</)
  })

  test('are coloured by what .gitattributes call their language', async () => {
    const file = { id: 'inc', name: 'a.inc', text: 'def f(): pass\n', attribute: 'python' }

    const { lines: shown, language } = await highlightFile(file)

    assert.equal(language, 'Python')
    assert.match(String(shown[0]), /<span class="hljs-keyword">def</)
  })

  test('have the language of a text that is too long for colours', async () => {
    const text = `class A {};\n${'int a;\n'.repeat(50_000)}`

    const { lines: shown, language } = await highlightFile({ id: 'long', name: 'a.h', text })

    assert.equal(language, 'C++')
    assert.equal(String(shown[1]), 'int a;')
  })

  test('are coloured by the ending of the name', async () => {
    const shown = await highlightLines({ id: '2', name: 'A.JSON', text: '{"a": true}' })

    assert.match(String(shown[0]), /<span class="hljs-literal">/)
  })
})

suite('the code in a text', () => {
  const shown = async (text: string) => colourCodeBlocks(await renderMarkdown(text))
  const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`

  test('is coloured by the language that it names, and nothing beside it is changed', async () => {
    const text = `Look:\n\n${block('json', '{"a": true}')}\n*so*\n`

    const markup = await shown(text)

    assert.match(markup, /^<p dir="auto">Look:<\/p>\n<pre><code><span class="hljs-/)
    assert.match(
      markup,
      /<span class="hljs-literal">.*true.*\n<\/code><\/pre>\n<p dir="auto"><em>so/,
    )
  })

  test('stays what it is, letter by letter', async () => {
    const code = `let a = "<b>" && '&lt;' // &amp;amp; </code></pre><script>`

    const markup = await shown(block('js', code))

    assert.match(markup, /hljs-keyword/)
    assert.equal(lettersOf(markup), `${code}\n`)
  })

  test('stays plain in languages that are none', async () => {
    for (const language of ['', 'none', 'js"onclick="x'])
      assert.doesNotMatch(await shown(block(language, 'let a = 1')), /hljs|onclick="/, language)
  })

  test('stays plain after many others', async () => {
    const blocks = Array.from({ length: 21 }, (_, number) => block('json', `[${number}]`))

    const markup = await shown(blocks.join('\n'))

    const [first = '', ...others] = markup.split('</pre>')
    assert.match(first, /hljs-number/)
    assert.match(others[19] ?? '', /<code class="language-json">\[20\]/)
  })
})

suite('the lines of a difference', () => {
  /** Each line by its text, as it is shown on the sides where it is. */
  async function shownOf(name: string, lines: readonly string[]) {
    const limits = { files: 9, lines: 9_999, linesOfFile: 9_999, lineLength: 9_999 }
    const text = [`diff --git a/${name} b/${name}`, ...lines]
    const patch = await readPatch(Readable.from(text), limits)
    const show = await highlightPatch(patch)
    return patch.files.flatMap((file) =>
      file.lines
        .filter(({ kind }) => kind !== 'place' && kind !== 'note')
        .map((line) => ({
          text: line.text,
          old: line.old === undefined ? undefined : String(html`${show(line, 'old')}`),
          new: line.new === undefined ? undefined : String(html`${show(line, 'new')}`),
        })),
    )
  }

  test('are coloured on each side by what that side says', async () => {
    const [before, added, context, removed, after] = await shownOf('src/a.ts', [
      '@@ -1,4 +1,4 @@',
      ' let a = 1',
      '+/* from here',
      ' let b = 2',
      '-/* on the other side',
      ' to here */',
    ])

    assert.match(before?.old ?? '', /hljs-keyword">let/)
    assert.match(before?.new ?? '', /hljs-keyword">let/)
    assert.equal(added?.new, '<span class="hljs-comment">/* from here</span>')
    assert.match(context?.old ?? '', /hljs-keyword">let/)
    assert.equal(context?.new, '<span class="hljs-comment">let b = 2</span>')
    assert.equal(removed?.old, '<span class="hljs-comment">/* on the other side</span>')
    assert.equal(after?.old, '<span class="hljs-comment">to here */</span>')
    assert.equal(after?.new, '<span class="hljs-comment">to here */</span>')
  })

  test('are coloured place by place', async () => {
    const [open, other] = await shownOf('a.ts', [
      '@@ -1 +1 @@',
      '+/* without an end',
      '@@ -90 +90 @@',
      '+let a = 1',
    ])

    assert.match(open?.new ?? '', /hljs-comment/)
    assert.match(other?.new ?? '', /hljs-keyword">let/)
  })

  test('stay what they are, letter by letter', async () => {
    const lines = [
      ' let a = "<script>alert(1)</script>" && `</span>`',
      '-// </span></td></tr></table> &amp; &lt; \' " \t',
      '-',
      '+const b = /<\\/span>/ // \r',
      '+<span class="x"><!-- ]]> */',
      '\\ No newline at end of file',
    ]

    for (const name of ['a.ts', 'a.html', 'a.php', 'a.diff', 'a.md', 'a.none', 'Makefile']) {
      const shown = await shownOf(name, ['@@ -1,3 +1,3 @@', ...lines])
      assert.equal(shown.length, 5)
      for (const { text, ...sides } of shown) {
        for (const markup of [sides.old, sides.new]) {
          if (markup === undefined) continue
          assert.equal(lettersOf(`${markup}|`), `${text}|`, name)
          assert.doesNotMatch(markup, /<(?!span class="[\w .-]*">|\/span>)/, name)
        }
      }
    }
  })

  test('stay plain where nobody knows the language, or there are many', async () => {
    const line = `+const a = ${'1 + '.repeat(100)}1`
    const many = Array.from({ length: 700 }, () => line)

    for (const [name, lines] of [
      ['dir.ts/a.none', [line]],
      ['a.ts', many],
    ] as const) {
      const shown = await shownOf(name, ['@@ -0,0 +1 @@', ...lines])
      assert.doesNotMatch(shown.map((one) => one.new).join(''), /<span/, name)
    }
  })
})

/** As a browser reads it. */
function lettersOf(markup: string): string {
  const letters = new Map([
    ['lt', '<'],
    ['gt', '>'],
    ['quot', '"'],
    ['amp', '&'],
    ['#x27', "'"],
    ['#39', "'"],
  ])
  const text = markup.trimEnd().replaceAll(/<[^>]*>/g, '')
  return text.replaceAll(/&(#?\w+);/g, (entity, name: string) => letters.get(name) ?? entity)
}

suite('the thread that colours', () => {
  const question = { text: 'const a = 1', language: 'ts' }

  test('is ended when it takes too long, and the next text gets another', async () => {
    const thread = new HighlightThread({ timeLimitMs: 0 })

    assert.deepEqual(await thread.ask({ ...question, text: 'const a = 1\n'.repeat(20_000) }), {
      markup: undefined,
    })
    assert.deepEqual(await thread.ask({ ...question, text: 'const a = 1\n'.repeat(20_000) }), {
      markup: undefined,
    })
  })

  test('sends away who waits behind a text that takes too long', async () => {
    const thread = new HighlightThread({ timeLimitMs: 0 })
    const slow = { ...question, text: 'const a = 1\n'.repeat(20_000) }

    const replies = await Promise.all([thread.ask(slow), thread.ask(slow), thread.ask(question)])

    assert.deepEqual(replies, [{ markup: undefined }, 'busy', 'busy'])
    assert.notEqual(await thread.ask(slow), 'busy')
  })

  test('answers in order, and sends away who would wait too long', async () => {
    const thread = new HighlightThread()

    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        thread.ask({ text: `${number}`, language: 'json' }),
      ),
    )

    const markups = replies.flatMap((reply) => (reply === 'busy' ? [] : reply.markup))
    assert.equal(markups.length, 32)
    assert.match(markups[31] ?? '', />31</)
    assert.equal(replies.at(-1), 'busy')
    assert.notEqual(await thread.ask(question), 'busy')
  })
})
