// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { html } from '../../src/platform/html.ts'
import { commit, startWithRepository, type Setup } from '../code/commits/setup.ts'
import { skipWithoutBrowser } from '../support/browser.ts'
import { assertStatus } from '../support/expect.ts'
import { openBrowser } from './open-browser.ts'
import { signIn } from './support.ts'

const turned = 'lamp\u202epmal'
/** Ends the isolation around it before it turns what follows. */
const escaping = 'lamp\u2069\u202epmal'

/** Names and texts of people, each in its place. */
async function fill({ app, ann, path }: Setup): Promise<string> {
  const id = await commit({ app, ann, path, bob: ann }, { [turned]: 'x\n' }, { message: turned })
  const send = async (address: string, body: Readonly<Record<string, unknown>>) =>
    assertStatus(await app.post(ann, `${path}${address}`, body), 201)
  await send('/branches', { new_branch_name: turned, old_branch_name: 'main' })
  await send('/tags', { tag_name: turned })
  await send('/issues', { title: escaping })
  await send('/labels', { name: turned, color: '#336699' })
  await send('/milestones', { title: turned })
  await send(`/statuses/${id}`, { state: 'success', context: turned })
  assertStatus(await app.patch(ann, path, { description: turned }), 200)
  return id
}

async function startFilled(t: TestContext): Promise<{ setup: Setup; id: string }> {
  const setup = await startWithRepository(t)
  return { setup, id: await fill(setup) }
}

suite('texts of people', () => {
  test('are isolated from what stands around them', async (t) => {
    const { setup, id } = await startFilled(t)
    const ann = await signIn(setup.app, 'ann')

    for (const path of [
      '/ann',
      '/ann/one',
      '/ann/one/branches',
      '/ann/one/tags',
      '/ann/one/issues',
      '/ann/one/issues/1',
      '/ann/one/labels',
      '/ann/one/milestones',
      '/ann/one/activity',
      '/ann/one/commits/branch/main',
      `/ann/one/commit/${id}`,
      '/explore/repos',
    ]) {
      const { text } = await ann.get(path)
      const shown = text
        .replaceAll(/<title>[^]*?<\/title>|="[^"]*"/g, '')
        .replaceAll(/<textarea[^]*?<\/textarea>/g, '')
      assert.ok(shown.includes(`<bdi>${turned}</bdi>`), path)
      assert.doesNotMatch(shown.replaceAll(`<bdi>${turned}</bdi>`, ''), /\u202e/, path)
    }
  })

  test('are not changed in fields', async (t) => {
    const { setup } = await startFilled(t)
    const ann = await signIn(setup.app, 'ann')

    const issue = await ann.get('/ann/one/issues/1?edit=title')

    assert.ok(issue.text.includes(`value="${escaping}"`))
  })

  test('are marked up between tags alone, and only where a letter asks for it', () => {
    const hebrew = 'שלום'

    assert.equal(String(html`<b>${hebrew}</b> ${'lamp'}`), `<b><bdi>${hebrew}</bdi></b> lamp`)
    assert.equal(
      String(html`<a title="${hebrew} of ${hebrew}">x</a>`),
      `<a title="${hebrew} of ${hebrew}">x</a>`,
    )
    assert.equal(
      String(html`<textarea name="${'a'}">\n${hebrew}</textarea>${hebrew}`),
      `<textarea name="a">\n${hebrew}</textarea><bdi>${hebrew}</bdi>`,
    )
    assert.equal(String(html`${['\u2067a\u2069\u2069']}`), '<bdi>\u2067a\u2069</bdi>')
  })

  test('turn nothing in a browser', { skip: skipWithoutBrowser }, async (t) => {
    const { setup, page, root } = await openBrowser(t, 1200)
    const { app, ann, path } = setup
    await fill(setup)
    assertStatus(await app.patch(ann, `${path}/issues/1`, { title: `now ${escaping}` }), 201)

    await page.goto(`${root}/ann/one/issues/1`)
    const heading = await placesOf(page, 'h2', ['lamp', '#1'])
    const event = await placesOf(page, '.event', ['from', 'lamp', ' to ', 'now', 'just'])

    assert.deepEqual(heading, heading.toSorted(ascending))
    assert.deepEqual(event, event.toSorted(ascending))
  })
})

const ascending = (a: number, b: number) => a - b

/** How far from the left each of the words stands in an element. */
async function placesOf(
  page: Page,
  selector: string,
  words: readonly string[],
): Promise<readonly number[]> {
  return page
    .locator(selector)
    .first()
    .evaluate((element, wanted) => {
      const leftOf = (word: string) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
          const at = walker.currentNode.textContent?.indexOf(word) ?? -1
          if (at < 0) continue
          const range = document.createRange()
          range.setStart(walker.currentNode, at)
          range.setEnd(walker.currentNode, at + word.length)
          return range.getBoundingClientRect().left
        }
        return -1
      }
      return wanted.map(leftOf)
    }, words)
}
