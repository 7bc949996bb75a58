// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addBranch, openPull } from '../../pulls/setup.ts'
import { openAsAnn } from '../open-browser.ts'

suite('a pull request in a browser', () => {
  test('is opened, spoken about line by line, and merged', async (t) => {
    const opened = await openAsAnn(t, 1280)
    if (!opened) return
    const { setup, page, root, complaints } = opened
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
    await page.getByLabel('How').selectOption('squash')
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('Merged', { exact: true }).waitFor()
    const { body } = await setup.app.get(setup.ann, `${setup.path}/pulls/1`)
    assert.equal(body.merged, true)
    assert.deepEqual(complaints, [])
  })

  test('fits a phone, whatever the length of its names', async (t) => {
    const opened = await openAsAnn(t, 360)
    if (!opened) return
    const { setup, page, root } = opened
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

    const wide: string[] = []
    for (const one of ['/ann/one/pulls', pull, `${pull}/commits`, `${pull}/files`, compare]) {
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
