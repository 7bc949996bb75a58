// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { commit, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { addBranch, openPull } from '../../collaboration/pulls/setup.ts'
import { skipWithoutBrowser } from '../../support/browser.ts'
import { assertStatus } from '../../support/expect.ts'
import { openBrowser } from '../open-browser.ts'
import { visit } from './support.ts'

/** Looks as if the return were part of the comment. */
const trojan = "/* only admins \u2066\u202e if (isAdmin) */ return 'lamp'\n"
const mark = (code: string, name: string, character: string) =>
  `<span class="invisible" title="${code} ${name}" data-code="${code}">${character}</span>`
const override = mark('U+202E', 'right-to-left override', '\u202e')
const note = /<p class="invisible-note">Here are characters that nobody sees/

/** The pages on which the same line stands. */
async function startWithTrojan(
  t: TestContext,
): Promise<Setup & { readonly pages: readonly string[] }> {
  const setup = await startWithRepository(t)
  await commit(setup, { 'a.ts': 'x\n' })
  const id = await addBranch(setup, 'topic', { 'a.ts': trojan, 'a.none': trojan })
  await openPull(setup, { head: 'topic' })
  const differences = [
    `/ann/one/commit/${id}`,
    '/ann/one/compare/main...topic',
    '/ann/one/pulls/1/files',
  ]
  const files = ['a.ts', 'a.none'].flatMap((name) => [
    `/ann/one/src/branch/topic/${name}`,
    `/ann/one/blame/branch/topic/${name}`,
  ])
  return {
    ...setup,
    pages: [
      ...files,
      ...differences,
      ...differences.map((path) => `${path}?style=split`),
      '/ann/one/search/branch/topic?q=lamp',
    ],
  }
}

suite('characters that nobody sees', () => {
  test('are marked with their names where lines of code are shown, below a word on them', async (t) => {
    const { app, pages } = await startWithTrojan(t)

    for (const path of pages) {
      const page = await visit(app, path)

      assertStatus(page, 200)
      assert.ok(page.text.includes(override), path)
      assert.ok(page.text.includes(mark('U+2066', 'left-to-right isolate', '\u2066')), path)
      assert.match(page.text, note, path)
    }
  })

  test('are those that hide or turn something, and no others', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    const marked = [...'\u00ad\u200b\u200c\u200d\u200f\u2060\u3164\u{e0041}']
    await commit(setup, {
      'odd.txt': `${marked.join('a')}\nb\ufeff`,
      'plain.txt': '\ufeffשלום, Привет 漢字 👩‍💻 ❤️\r\n\tend\n',
    })

    const odd = await visit(app, '/ann/one/src/branch/main/odd.txt')
    const plain = await visit(app, '/ann/one/src/branch/main/plain.txt')

    assert.equal(odd.text.match(/class="invisible" title/g)?.length, marked.length + 1)
    assert.ok(odd.text.includes(mark('U+E0041', 'invisible character', '\u{e0041}')))
    assert.doesNotMatch(plain.text, /class="invisible/)
  })

  test('turn nothing in a browser, and are copied', { skip: skipWithoutBrowser }, async (t) => {
    const { setup, page, root } = await openBrowser(t, 1200)
    await commit(setup, { 'a.none': trojan })
    await page.goto(`${root}/ann/one/src/branch/main/a.none`)

    const [left, right] = await page.locator('#L1 td:last-child').evaluate((line) => {
      const leftOf = (text: string) => {
        const nodes = [...line.childNodes].filter((node) => node.textContent?.includes(text))
        const range = document.createRange()
        const at = nodes[0]?.textContent?.indexOf(text) ?? 0
        range.setStart(nodes[0] as Node, at)
        range.setEnd(nodes[0] as Node, at + text.length)
        return range.getBoundingClientRect().left
      }
      return [leftOf('isAdmin'), leftOf('lamp')]
    })
    const copied = await page.locator('#L1 td:last-child').evaluate((line) => {
      getSelection()?.selectAllChildren(line)
      return String(getSelection())
    })

    assert.ok((left ?? 0) < (right ?? 0), `${left} ${right}`)
    assert.equal(copied, trojan.trimEnd())
  })
})
