// One database is enough: what is shown of a text does not depend on it.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { renderMarkdown } from '../../../src/platform/markup/render.ts'
import { commit, startWithRepository } from '../../code/commits/setup.ts'
import { startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { visit } from '../../web/repository/support.ts'

const wide = (columns: number, rows: number) =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'|b\n'.repeat(rows)}`
const notice = /<p>This text is shown as it was written: it would become too much/

/** All of them are within the limit of size. */
const hostile: Readonly<Record<string, string>> = {
  'a wide table': wide(2000, 2000),
  'many wide tables': wide(100, 200).repeat(100),
  'a table in a quote': wide(2000, 500).replaceAll(/^/gm, '> '),
  'a table in a footnote': `a[^1]\n\n[^1]: b\n${wide(2000, 500).replaceAll(/^/gm, '    ')}`,
  'more links than anybody follows': '[](a)\n\n'.repeat(35_000),
  'addresses without end': Array.from({ length: 15_000 }, (_, at) => `<a href=${at}>`).join('\n'),
}

suite('a text that becomes too much', () => {
  for (const [what, text] of Object.entries(hostile)) {
    test(`is shown as it was written, with a word about it: ${what}`, async (t) => {
      const app = await startApp(t)
      const ann = await app.addCaller('ann')

      const first = await app.post(ann, '/markdown', { Text: text, Mode: 'comment' })
      const again = await app.post(ann, '/markdown', { Text: text, Mode: 'comment' })
      const options = { hasNotes: true, resolve: (address: string) => address }
      const onPages = await renderMarkdown(text, options)

      assertStatus(first, 200)
      assert.match(onPages, notice)
      assert.ok(onPages.startsWith('<pre>'))
      assert.ok(onPages.length < 8 * text.length)
      assert.equal(again.text, first.text)
      assert.ok(first.text.length < 2_000_000, String(first.text.length))
    })
  }

  test('is so for a README, and the folder is seen', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'README.md': wide(2000, 2000) })

    const page = await visit(setup.app, '/ann/one')

    assertStatus(page, 200)
    assert.match(page.text, notice)
    assert.doesNotMatch(page.text, /<td>b/)
  })

  test('is told from one that is long', async () => {
    const table = `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(5000)}`

    const markup = await renderMarkdown(table)

    assert.equal(markup.match(/<td>/g)?.length, 10_000)
    assert.doesNotMatch(markup, notice)
  })
})

suite('a text that is rendered beside', () => {
  test('leads where a short one leads', async () => {
    const text =
      'See #1, @bob, [a](b.md "c"), ![d](e.png), ![f](https://example.org/g.png)[^1], <a href="h">h</a>, https://example.org/?a=1&b=2.\n\n[^1]: A note of @bob.\n\n'
    const rest = 'more words\n'.repeat(1000)
    const options = {
      hasNotes: false,
      linksPictures: true,
      hardBreaks: true,
      refer: (reference: { readonly kind: string }) =>
        reference.kind === 'person' ? '/people/bob' : '/issues/1',
      resolve: (address: string, of: string) => {
        if (of === 'image' && address.startsWith('https:')) return undefined
        return address.startsWith('/') || address.includes(':') ? address : `/of/${of}/${address}`
      },
    }

    const short = await renderMarkdown(text, options)
    const long = await renderMarkdown(text + rest, options)

    assert.match(short, /<a href="\/issues\/1"/)
    assert.match(short, /<img src="\/of\/image\/e\.png"/)
    assert.match(short, /<a href="https:\/\/example\.org\/g\.png"/)
    assert.ok(long.startsWith(short), long.slice(0, 2000))
  })

  test('waits with others, and each gets its own', async () => {
    const texts = Array.from({ length: 30 }, (_, at) => `# ${at}\n\n${'word '.repeat(2000)}`)

    const rendered = await Promise.all(texts.map((text) => renderMarkdown(text)))

    for (const [at, markup] of rendered.entries())
      assert.ok(markup.startsWith(`<h1 dir="auto">${at}</h1>`), markup.slice(0, 100))
  })
})
