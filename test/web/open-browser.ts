import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import type { ConfigChanges } from '../../src/platform/config/config.ts'
import { startWithRepository, type Setup } from '../code/commits/setup.ts'
import { PASSWORD } from '../support/app.ts'
import { openPage } from '../support/browser.ts'

export interface Opened {
  readonly setup: Setup
  readonly page: Page
  /** The address of the server, as the browser knows it. */
  readonly root: string
  /** What the browser complains about. */
  readonly complaints: string[]
}

/** A server with a repository, and a browser before it. Any port, unless one is set. */
export async function openBrowser(
  t: TestContext,
  width: number,
  changes?: ConfigChanges,
): Promise<Opened> {
  const setup = await startWithRepository(t, changes)
  const port = Number(changes?.server?.port ?? 0)
  const root = await setup.app.server.listen({ host: '127.0.0.1', port })
  const page = await openPage(t, { viewport: { width, height: 800 } })
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { setup, page, root, complaints }
}

/** Like `openBrowser`, with ann signed in. */
export async function openAsAnn(
  t: TestContext,
  width: number,
  changes?: ConfigChanges,
): Promise<Opened> {
  const opened = await openBrowser(t, width, changes)
  const { page, root } = opened
  await page.goto(`${root}/user/login`)
  await page.getByLabel('Name or e-mail').fill('ann')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Account of ann' }).waitFor()
  return opened
}

/** Nothing sticks out at the side. */
export async function assertFits(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    innerWidth,
  ])
  assert.ok((content ?? 0) <= (window ?? 0), `${page.url()}: ${content} of ${window}`)
}
