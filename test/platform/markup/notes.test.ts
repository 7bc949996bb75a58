// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { renderMarkdown } from '../../../src/platform/markup/render.ts'

const rel = 'rel="nofollow noopener"'

/** With plain names, which are made of the text. */
async function render(text: string): Promise<string> {
  const html = await renderMarkdown(text, { hasNotes: true })
  return html.replaceAll(/:[0-9a-f]{12}:/g, ':')
}

const mark = (number: number, id = ` id="user-content-fnref:${number}"`) =>
  `<sup${id}><a href="#user-content-fn:${number}" ${rel}>${number}</a></sup>`
const back = (number: number) =>
  ` <a href="#user-content-fnref:${number}" title="Back to the text" ${rel}>↩</a>`
const note = (number: number, body: string) => `<li id="user-content-fn:${number}">\n${body}</li>\n`
const list = (...items: string[]) => `<ol class="footnotes" dir="auto">\n${items.join('')}</ol>\n`

suite('footnotes', () => {
  test('are numbered as the text refers to them, and lead back', async () => {
    assert.equal(
      await render('a[^x] b[^1] c[^x]\n\n[^1]: *one*\n[^x]: two\nlines\n'),
      `<p dir="auto">a${mark(1)} b${mark(2)} c${mark(1, '')}</p>\n` +
        list(
          note(1, `<p dir="auto">two\nlines${back(1)}</p>\n`),
          note(2, `<p dir="auto"><em>one</em>${back(2)}</p>\n`),
        ),
    )
  })

  test('hold what is indented below them', async () => {
    assert.equal(
      await render('a[^1]\n\n[^1]: one\n\n    two\n\n    ```\n    x\n    ```\n\nafter'),
      `<p dir="auto">a${mark(1)}</p>\n<p dir="auto">after</p>\n` +
        list(
          note(
            1,
            `<p dir="auto">one</p>\n<p dir="auto">two</p>\n<pre><code>x\n</code></pre>\n${back(1)}`,
          ),
        ),
    )
  })

  test('end where something else begins', async () => {
    assert.equal(
      await render('a[^1]\n\n[^1]: one\n## Next'),
      `<p dir="auto">a${mark(1)}</p>\n<h2 dir="auto">Next</h2>\n` +
        list(note(1, `<p dir="auto">one${back(1)}</p>\n`)),
    )
  })

  test('are text where there is nothing to refer to', async () => {
    assert.equal(await render('a[^1] `[^1]`'), '<p dir="auto">a[^1] <code>[^1]</code></p>\n')
    assert.equal(await render('a\n\n[^1]: one'), '<p dir="auto">a</p>\n')
  })

  test('have other names in every text', async () => {
    const ids = async (text: string) =>
      (await renderMarkdown(text, { hasNotes: true })).match(/id="[^"]+"/g) ?? []
    const [one, two] = [await ids('a[^1]\n\n[^1]: x'), await ids('b[^1]\n\n[^1]: x')]

    assert.equal(new Set([...one, ...two]).size, 4)
  })

  test('leave no other names to a text', async () => {
    const text = '<sup id="menu">a</sup><ol><li id="reply" class="sheet">b</li></ol>'

    assert.equal(await render(text), '<p dir="auto"><sup>a</sup></p><ol><li>b</li></ol><p></p>\n')
  })
})

suite('alerts', () => {
  for (const kind of ['note', 'tip', 'important', 'warning', 'caution']) {
    test(`say that they are of the kind ${kind}`, async () => {
      const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}`
      assert.equal(
        await render(`> [!${kind.toUpperCase()}]\n> a *b*\n>\n> c`),
        `<blockquote class="alert-${kind}">\n<p dir="auto"><strong>${title}</strong></p>\n` +
          '<p dir="auto">a <em>b</em></p>\n<p dir="auto">c</p>\n</blockquote>\n',
      )
    })
  }

  for (const text of ['> [!OTHER]\n> a', '> a\n> [!NOTE]', '> [!NOTE] a', '[!NOTE]\na']) {
    test(`are none in ${JSON.stringify(text)}`, async () => {
      assert.doesNotMatch(await render(text), /class/)
    })
  }
})

suite('without being asked for', () => {
  test('there are neither footnotes nor alerts nor links to pages', async () => {
    assert.equal(
      await renderMarkdown('> [!NOTE]\n> a[^1] [[Home]]\n\n[^1]: x y'),
      '<blockquote>\n<p dir="auto">[!NOTE]\na[^1] [[Home]]</p>\n</blockquote>\n<p dir="auto">[^1]: x y</p>\n',
    )
  })
})

suite('links to pages beside the text', () => {
  const table: [text: string, html: string][] = [
    ['[[Home]]', `<a href="Home" ${rel}>Home</a>`],
    ['[[How to|Read me?]]', `<a href="Read%20me%3F" ${rel}>How to</a>`],
    ['[[Home#part]]', `<a href="Home#part" ${rel}>Home#part</a>`],
    ['`[[Home]]`', '<code>[[Home]]</code>'],
    ['[[a|b|c]]', '[[a|b|c]]'],
    ['[[ ]]', '[[ ]]'],
  ]
  for (const [text, html] of table) {
    test(`of ${text}`, async () => {
      const shown = await renderMarkdown(text, { linksPages: true })
      assert.equal(shown, `<p dir="auto">${html}</p>\n`)
    })
  }
})

suite('a text of many notes', () => {
  for (const piece of ['[^a]: [^b]: ', '[^a]: x\n\n\n', '>[^1]: ', '[^', '[[a|', '> [!note]\n']) {
    test(`is rendered when it is nothing but ${JSON.stringify(piece)}`, async () => {
      const text = `[^1]: x\n\n${piece.repeat(100_000 / piece.length)}`

      const html = await renderMarkdown(text, { hasNotes: true, linksPages: true })

      assert.ok(html.length <= 20 * text.length, `${html.length} characters`)
    })
  }

  test('is rendered with thousands of them', async () => {
    const numbers = Array.from({ length: 5000 }, (_, number) => number)
    const text = numbers.map((number) => `[^${number}]\n\n[^${number}]: x\n\n`).join('')

    assert.equal((await renderMarkdown(text, { hasNotes: true })).split('<li ').length, 5001)
  })
})
