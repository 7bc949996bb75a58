// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { skipWithoutBrowser } from '../support/browser.ts'
import { openAsAnn } from './open-browser.ts'

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
})
