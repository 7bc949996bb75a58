// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { column } from '../../collaboration/issues/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { skipWithoutBrowser } from '../../support/browser.ts'
import { openAsAnn } from '../open-browser.ts'

suite('a board in a browser', { skip: skipWithoutBrowser }, () => {
  test('lets cards be dragged into place, and shows what could not be saved as it is', async (t) => {
    const { page, root, setup, complaints } = await openAsAnn(t, 1300)
    const { app, ann, path } = setup
    const { body } = await app.post(ann, `${path}/projects`, {
      title: 'Plan',
      template_type: 'basic_kanban',
    })
    const api = `${path}/projects/${body.id}`
    for (const title of ['first', 'second', 'third']) {
      const issue = { title, projects: [body.id] }
      assertStatus(await app.post(ann, `${path}/issues`, issue), 201)
    }
    const columns = (await app.get(ann, `${api}/columns`)).body as { id: number }[]
    const saved = async (at: number) =>
      column(await app.get(ann, `${api}/columns/${columns[at]?.id}/issues`), 'title')
    const card = (title: string) => page.locator('.card', { hasText: title })
    const drop = async (title: string, onto: ReturnType<typeof card>, y: number) => {
      const answered = page.waitForResponse((response) => response.url().endsWith('/move'))
      await card(title).dragTo(onto, { targetPosition: { x: 20, y } })
      await answered
    }

    await page.goto(`${root}${path.replace('/repos', '')}/projects/${body.id}`)
    await drop('third', card('first'), 4)
    assert.deepEqual(await saved(0), ['third', 'first', 'second'])
    await drop('first', page.locator('section.column[data-column]').nth(3).locator('.cards'), 5)
    assert.deepEqual([await saved(0), await saved(3)], [['third', 'second'], ['first']])
    const counts = page.locator('section.column h3 .n')
    assert.deepEqual(await counts.allInnerTexts(), ['2', '0', '0', '1'])
    assert.deepEqual(complaints, [])

    assertStatus(await app.delete(ann, `${path}/issues/1`), 204)
    await drop('first', card('third'), 4)
    await page.waitForLoadState()
    await card('first').waitFor({ state: 'detached' })
    assert.deepEqual(await counts.allInnerTexts(), ['2', '0', '0', '0'])
  })

  test('is used without dragging, and fits narrow screens', async (t) => {
    const { page, root, setup } = await openAsAnn(t, 360)
    const { app, ann, path } = setup
    assertStatus(await app.post(ann, `${path}/issues`, { title: 'A long title '.repeat(9) }), 201)

    await page.goto(`${root}${path.replace('/repos', '')}/projects`)
    await page.getByRole('link', { name: 'New project' }).click()
    await page.getByLabel('Title').fill('Plan')
    await page.getByRole('button', { name: 'Save project' }).click()
    await page.getByLabel('Number of an issue to put into Backlog').fill('#1')
    await page.keyboard.press('Enter')
    await page.getByText('Move #1').click()
    await page.getByLabel('Column', { exact: true }).selectOption('Done')
    await page.getByRole('button', { name: 'Move to the end' }).click()
    await page.locator('section.column', { hasText: 'Done' }).locator('.card').waitFor()

    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.equal(width, 360)
  })
})
