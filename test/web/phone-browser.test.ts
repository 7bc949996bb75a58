// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { skipWithoutBrowser } from '../support/browser.ts'
import { assertStatus } from '../support/expect.ts'
import { assertFits, openAsAnn } from './open-browser.ts'

const WIDTH = 375

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

async function boxOf(locator: Locator): Promise<Box> {
  return locator.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    return { left, right, top, bottom }
  })
}

suite('pages on a phone', { skip: skipWithoutBrowser }, () => {
  test('show all of the menu that adds files', async (t) => {
    const { page, root } = await openAsAnn(t, WIDTH)

    await page.goto(`${root}/ann/one`)
    await page.getByText('Add file').click()
    const { left, right } = await boxOf(page.locator('.add-menu .choices'))

    assert.ok(left >= 0 && right <= WIDTH, `${left} ${right}`)
  })

  test('have a bar of two rows, whatever is unread', async (t) => {
    const { setup, page, root } = await openAsAnn(t, WIDTH)
    const { app, bob, path } = setup
    const before = await boxOf(page.locator('.bar'))
    for (let number = 1; number <= 12; number++) {
      assertStatus(await app.post(bob, `${path}/issues`, { title: 'x' }), 201)
    }
    await app.ctx.jobs.runDue()

    await page.goto(`${root}/explore/repos`)
    const after = await boxOf(page.locator('.bar'))

    assert.equal(await page.locator('.news b').textContent(), '12')
    assert.equal(after.bottom, before.bottom)
    await assertFits(page)
  })

  test('keep buttons and the cards below them apart', async (t) => {
    const { setup, page, root } = await openAsAnn(t, WIDTH)
    const { app, ann, path } = setup
    const remote = { remote_address: 'https://example.org/a.git', interval: '8h' }
    assertStatus(await app.post(ann, `${path}/push_mirrors`, remote), 200)

    await page.goto(`${root}/ann/one/settings/mirrors`)
    const button = await boxOf(page.getByRole('button', { name: 'Push now' }))
    const card = await boxOf(page.locator('form:has-text("Push now") + .sheet'))

    assert.ok(card.top - button.bottom >= 12, `${button.bottom} ${card.top}`)
  })

  test('draw no frame around nothing after the last page of a list', async (t) => {
    const { setup, page, root } = await openAsAnn(t, WIDTH)
    const { app, ann, path } = setup
    assertStatus(await app.post(ann, `${path}/issues`, { title: 'x' }), 201)

    await page.goto(`${root}/ann/one/issues?page=99`)
    await page.getByText('There is no page 99.').waitFor()

    assert.equal(await page.locator('ul.sheet').isVisible(), false)
  })
})
