// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import { addBranch, openPull } from '../../collaboration/pulls/setup.ts'
import { skipWithoutBrowser } from '../../support/browser.ts'
import { assertFits, openAsAnn } from '../open-browser.ts'

suite('a pull request in a browser', { skip: skipWithoutBrowser }, () => {
  test('is opened, spoken about line by line, and merged', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 1280)
    await addBranch(setup, 'topic', { 'a.txt': 'one\ntwo\nthree\n' })

    await page.goto(`${root}/ann/one`)
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.getByRole('link', { name: 'New pull request' }).click()
    await page.getByLabel('From').fill('topic')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByLabel('Title').fill('Three lines')
    await page.getByRole('button', { name: 'Open pull request' }).click()
    await page.getByRole('heading', { name: 'Three lines' }).waitFor()

    await page.getByRole('link', { name: /^Files/ }).click()
    await page.locator('.diff td[data-line="2"]').click()
    const field = page.locator('tr:has(td[data-line="2"]) + tr.remark textarea')
    await field.fill('Why two?')
    assert.equal(await page.getByLabel('Line', { exact: true }).inputValue(), '2')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.locator('tr:has(td[data-line="2"]) + tr.remark', { hasText: 'Why two?' }).waitFor()

    await page.getByRole('link', { name: /^Conversation/ }).click()
    assert.match(await page.locator('.message:visible input').inputValue(), /^Merge pull request/)
    await page.getByLabel('How').selectOption('squash')
    assert.equal(await page.locator('.message:visible input').inputValue(), 'Three lines (#1)')
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('Merged', { exact: true }).waitFor()
    const { body } = await setup.app.get(setup.ann, `${setup.path}/pulls/1`)
    assert.equal(body.merged, true)
    assert.deepEqual(complaints, [])
  })

  test('is spoken about line by line where its sides are beside each other', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 1280)
    await commit(setup, { 'a.ts': 'let a = 1\nlet b = 2\n' })
    await addBranch(setup, 'work', { 'a.ts': 'let a = 1\nlet b = 3\n' })
    await openPull(setup, { head: 'work' })
    const cell = (side: string) => page.locator(`.sides td.${side}[data-line="2"]`)
    const remark = page.locator('tr:has(td.removed) + tr.remark > td')

    await page.goto(`${root}/ann/one/pulls/1/files`)
    await page.getByRole('link', { name: 'Side by side' }).click()
    await page.locator('.sides .removed .hljs-number', { hasText: '2' }).waitFor()
    await cell('removed').click()
    assert.equal(await page.getByLabel('as it is').inputValue(), 'old')
    await remark.locator('textarea').fill('Why not two?')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await remark.nth(0).locator('p', { hasText: 'Why not two?' }).waitFor()
    assert.equal(await remark.nth(1).innerText(), '')
    await cell('added').click()
    assert.equal(await page.getByLabel('as it is').inputValue(), 'new')
    assert.equal(await page.getByLabel('Line', { exact: true }).inputValue(), '2')

    await page.getByRole('link', { name: 'Line 1', exact: true }).press('Enter')
    assert.equal(await page.getByLabel('Line', { exact: true }).inputValue(), '1')
    assert.equal(new URL(page.url()).hash, '#file-1')

    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(`${root}/ann/one/pulls/1/files`)
    const [above, below] = [await cell('removed').boundingBox(), await cell('added').boundingBox()]
    assert.ok(above && below && above.x === below.x && above.y < below.y)
    assert.equal(await page.locator('.sides td.context:visible').count(), 2)
    await assertFits(page)
    assert.deepEqual(complaints, [])
  })

  test('fits a phone, whatever the length of its names', async (t) => {
    const { setup, page, root } = await openAsAnn(t, 360)
    const { app, ann, bob, path } = setup
    const long = 'w'.repeat(90)
    await addBranch(setup, long, { [`${long}.txt`]: `${long}${long}\n` })
    await openPull(setup, { title: long, body: long, head: long })
    const comments = [{ path: `${long}.txt`, new_position: 1, body: long }]
    await app.post(bob, `${path}/pulls/1/reviews`, {
      event: 'REQUEST_CHANGES',
      body: long,
      comments,
    })
    const { body } = await app.get(ann, `${path}/pulls/1`)
    const status = { state: 'failure', context: long }
    await app.post(ann, `${path}/statuses/${body.head.sha}`, status)
    const pull = '/ann/one/pulls/1'
    const compare = `/ann/one/compare/main...${long}`
    const split = [`${pull}/files?style=split`, `${compare}?style=split`]

    const wide: string[] = []
    for (const one of [
      '/ann/one/pulls',
      pull,
      `${pull}/commits`,
      `${pull}/files`,
      compare,
      ...split,
    ]) {
      await page.goto(root + one)
      await page.evaluate(
        'document.querySelectorAll("details").forEach((one) => (one.open = true))',
      )
      const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
      if (!fits) wide.push(one)
    }

    assert.deepEqual(wide, [])
  })
})
