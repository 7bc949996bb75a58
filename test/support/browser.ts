import { existsSync } from 'node:fs'
import { after, type TestContext } from 'node:test'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'

/**
 * The first without the frame around pages, which nobody sees and which costs more than they do.
 */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const program = process.env['CHROMIUM_PATH'] ?? programs.find(existsSync) ?? ''
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const skipWithoutBrowser = existsSync(program)
  ? false
  : `there is no Chromium at ${program || programs.join(' or ')}; set CHROMIUM_PATH`

/** One for all tests of a process: it takes longer to start than most of them. */
let browser: Promise<Browser> | undefined
after(async () => (await browser)?.close())

/** A window that shares nothing with those of other tests, nor with others of this one. */
export async function openPage(t: TestContext, options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath: program, args: flags })
  const context = await (await browser).newContext(options)
  t.after(() => context.close())
  return context.newPage()
}
