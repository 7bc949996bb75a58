import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { chromium, type Page } from 'playwright-core'
import type { ConfigChanges } from '../../src/config/config.ts'
import { startWithRepository, type Setup } from '../commits/setup.ts'
import { PASSWORD } from '../support/app.ts'

export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
export const chromiumFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
]

export interface Opened {
  readonly setup: Setup
  readonly page: Page
  /** The address of the server, as the browser knows it. */
  readonly root: string
  /** What the browser complains about. */
  readonly complaints: string[]
}

/** A server with a repository, and a browser before it; nothing where there is no browser. Any port, unless one is set. */
export async function openBrowser(
  t: TestContext,
  width: number,
  changes?: ConfigChanges,
): Promise<Opened | undefined> {
  if (!existsSync(chromiumPath)) {
    t.skip(`there is no Chromium at ${chromiumPath}; set CHROMIUM_PATH`)
    return undefined
  }
  const setup = await startWithRepository(t, changes)
  const port = Number(changes?.server?.port ?? 0)
  const root = await setup.app.server.listen({ host: '127.0.0.1', port })
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  t.after(() => browser.close())
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { setup, page, root, complaints }
}

/** The same, with ann signed in. */
export async function openAsAnn(
  t: TestContext,
  width: number,
  changes?: ConfigChanges,
): Promise<Opened | undefined> {
  const opened = await openBrowser(t, width, changes)
  if (!opened) return undefined
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
