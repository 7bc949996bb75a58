// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import { skipWithoutBrowser } from '../../support/browser.ts'
import { assertFits, openAsAnn, openBrowser, type Opened } from '../open-browser.ts'

/** Before a page that may use the clipboard, and loads all of its parts. */
async function open(t: TestContext, width: number): Promise<Opened> {
  const opened = await openBrowser(t, width)
  const { page, complaints } = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  page.on('requestfailed', (request) => {
    // A page that is left before it has loaded all of its parts does without them.
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason}: ${request.url()}`)
  })
  return opened
}

const long = 'a-name-that-goes-on-and-on-'.repeat(3)

suite('a repository in a browser', { skip: skipWithoutBrowser }, () => {
  test('is walked through by its links and keys', async (t) => {
    const { setup, page, root, complaints } = await open(t, 1280)
    await commit(setup, { 'src/beam.ts': 'export const beam = 1\n', 'docs/guide.md': '# Guide\n' })

    await page.goto(`${root}/ann/one`)
    await page.getByRole('button', { name: 'Copy the address for HTTP' }).click()
    await page.getByText('Copied').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(copied, 'http://codestead.test/ann/one.git')

    const menu = page.locator('.ref-menu')
    await menu.locator('summary').click()
    await page.getByRole('link', { name: 'main', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await menu.getAttribute('open'), null)
    await menu.locator('summary').click()
    await page.locator('.audience').click()
    assert.equal(await menu.getAttribute('open'), null)

    await page.getByRole('link', { name: 'src', exact: true }).click()
    await page.getByRole('link', { name: 'beam.ts', exact: true }).click()
    await page.locator('.hljs-keyword', { hasText: 'export' }).waitFor()
    await page.getByRole('link', { name: 'Line 1' }).click()
    assert.match(page.url(), /#L1$/)

    await page.keyboard.press('t')
    await page.waitForURL(/\/find\/branch\/main/)
    await page.keyboard.type('guide')
    await page.getByText('1 file', { exact: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Guide' }).waitFor()
    assert.match(page.url(), /\/src\/branch\/main\/docs\/guide\.md$/)

    await page.keyboard.press('t')
    await page.waitForURL(/\/find\/branch\/main/)
    await page.keyboard.type('dogui')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Guide' }).waitFor()
    assert.match(page.url(), /\/src\/branch\/main\/docs\/guide\.md$/)
    assert.deepEqual(complaints, [])
  })

  test('leads to the lines of a difference, however it is shown', async (t) => {
    const { setup, page, root, complaints } = await open(t, 1280)
    const text = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`)
    await commit(setup, { 'a.txt': text.join('\n') })
    const id = await commit(setup, { 'a.txt': text.slice(0, 299).join('\n').replaceAll('e', 'E') })
    const address = `${root}/ann/one/commit/${id}`

    for (const [style, width] of [
      ['unified', 1280],
      ['unified', 390],
      ['split', 1280],
      ['split', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${address}?style=${style}#file-1-old-299`)
      const target = page.locator('td:target')
      const box = await target.boundingBox()
      assert.ok(box && box.y >= 0 && box.y < 800, `${style} ${width}: ${box?.y}`)
      assert.equal(await target.innerText(), 'line 299')
      await page.getByRole('link', { name: 'Line 299', exact: true }).click()
      assert.equal(new URL(page.url()).hash, '#file-1-new-299')
      assert.equal(await target.innerText(), 'linE 299')
      await assertFits(page)
    }
    assert.deepEqual(complaints, [])
  })

  test('fits a phone, whatever the length of its names', async (t) => {
    const { setup, page, root, complaints } = await open(t, 390)
    const { app, ann, path } = setup
    await app.patch(ann, path, { description: long, website: `https://example.org/${long}` })
    const text = `${'x'.repeat(2000)}\n\n| a | b |\n|---|---|\n| ${long} | ${long} |\n`
    const id = await commit(
      setup,
      { [`${long}.md`]: text, 'README.md': `# ${long}\n\n${text}` },
      { message: long },
    )
    await app.post(ann, `${path}/branches`, { new_branch_name: long })
    await app.post(ann, `${path}/releases`, { tag_name: `v-${long}`, name: long, body: text })

    for (const address of [
      '',
      `/src/branch/${long}/${long}.md`,
      `/src/branch/main/${long}.md?display=source`,
      '/commits/branch/main',
      `/commit/${id}`,
      '/branches',
      '/tags',
      '/find/branch/main',
      '/releases',
      '/activity',
    ]) {
      const answer = await page.goto(`${root}/ann/one${address}`)
      assert.equal(answer?.status(), 200, address)
      await assertFits(page)
    }
    assert.deepEqual(complaints, [])
  })

  test('shows on a phone where one is, and tables that can be read', async (t) => {
    const { setup, page, root } = await openAsAnn(t, 390)
    const row = (cell: string) => `|${`${cell}|`.repeat(8)}`
    const table = [row('Description'), row('---'), row('lighthouse')].join('\n')
    await commit(setup, { 'README.md': table })

    await page.goto(`${root}/ann/one`)
    const cell = await page.locator('.prose td').first().boundingBox()
    assert.ok(cell && cell.height < 50, `a cell is ${cell?.height} high`)
    await assertFits(page)

    await page.goto(`${root}/ann/one/settings`)
    const tab = page.getByRole('navigation', { name: 'Repository' }).getByText('Settings')
    const place = await tab.boundingBox()
    assert.ok(place && place.x > 0 && place.x + place.width < 390, `the tab is at ${place?.x}`)

    await page.goto(`${root}/pulls`)
    await assertFits(page)
  })

  test('fits a desk with names of files that do not', async (t) => {
    const { setup, page, root } = await open(t, 1280)
    const name = `${'name-'.repeat(45)}.txt`
    await commit(setup, { [`folder/${name}`]: 'x' })

    await page.goto(`${root}/ann/one/src/branch/main/folder`)

    await assertFits(page)
    assert.equal(await page.getByRole('link', { name, exact: true }).getAttribute('title'), name)
  })

  test('shows in blame who wrote a block of one line, beside what it is', async (t) => {
    const { setup, page, root } = await open(t, 1280)
    await commit(setup, { 'a.txt': 'one\n' }, { message: 'A subject that goes on and on' })

    await page.goto(`${root}/ann/one/blame/branch/main/a.txt`)

    const [subject, author] = await Promise.all(
      ['.subject', '.mute'].map((part) => page.locator(`.blame th ${part}`).first().boundingBox()),
    )
    assert.ok(subject && author && author.width > 20)
    assert.ok(Math.abs(subject.y - author.y) < author.height)
  })

  test('shows drawings in documents and by themselves, and nothing in them runs', async (t) => {
    const { setup, page, root, complaints } = await open(t, 1280)
    const size = 'xmlns="http://www.w3.org/2000/svg" width="40" height="30"'
    const drawing = `<svg ${size} onload="document.title='ran'"><script>document.title='ran'</script></svg>`
    await commit(setup, { 'beam.svg': drawing, 'docs/guide.md': '![Beam](../beam.svg)\n' })

    for (const path of ['docs/guide.md', 'beam.svg']) {
      await page.goto(`${root}/ann/one/src/branch/main/${path}`)
      const width = await page
        .locator('img[src$="beam.svg"]')
        .evaluate(async (image: HTMLImageElement) => {
          await image.decode()
          return image.naturalWidth
        })
      assert.equal(width, 40, path)
    }
    assert.deepEqual(complaints, [])
    await page.goto(`${root}/ann/one/raw/branch/main/beam.svg`)
    assert.equal(await page.locator('svg').count(), 1)
    assert.notEqual(await page.title(), 'ran')
  })
})
