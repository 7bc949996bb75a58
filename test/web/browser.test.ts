// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, startApp } from '../support/app.ts'
import { openPage, skipWithoutBrowser } from '../support/browser.ts'
import { startServer } from '../support/process.ts'
import { startMachine } from '../support/terminal.ts'

async function signInAs(page: Page, address: string, name: string): Promise<void> {
  await page.goto(`${address}/user/login`)
  await page.getByLabel('Name or e-mail').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: `Account of ${name}` }).waitFor()
}

/**
 * Everything that the browser complains about on this page: scripts, blocked content, failed loads.
 */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`))
  return complaints
}

suite('the first page in a browser', { skip: skipWithoutBrowser }, () => {
  test('leads from the printed link to an account, once', async (t) => {
    const machine = await startMachine(t)
    const server = startServer(t, machine.environment)
    const [, link = ''] = await server.says(/^ {2}(http:\S+)$/m)
    const page = await openPage(t)
    const complaints = complaintsOf(page)

    await page.goto(link)
    await page.getByLabel('Name', { exact: true }).fill('ann')
    await page.getByLabel('E-mail').fill('ann@example.org')
    await page.getByLabel('Password', { exact: true }).fill('password1')
    await page.getByLabel('Password again').fill('password2')
    await page.getByRole('button', { name: 'Create administrator' }).click()
    await page.getByText('The two passwords differ.').waitFor()

    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'ann')
    assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), '')
    // Chromium reports the 422 of the form itself as a failed load.
    assert.deepEqual(complaints.splice(0).filter(isUnexpected), [])

    await page.getByLabel('Password', { exact: true }).fill('password1')
    await page.getByLabel('Password again').fill('password1')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The server is yours' }).waitFor()
    await page.getByRole('link', { name: 'Read what else it can do' }).click()
    await page.getByRole('heading', { name: 'API', exact: false, level: 1 }).waitFor()

    assert.deepEqual(complaints, [])
    const again = await page.goto(link)
    assert.equal(again?.status(), 403)
    assert.match((await page.textContent('h1')) ?? '', /This link has been used/)
    const users = await machine.admin(['user', 'list'])
    assert.match(users.lastLine, /ann +ann@example\.org +yes +yes/)
  })

  test('refuses a form that another site sends', async (t) => {
    const machine = await startMachine(t)
    const server = startServer(t, machine.environment)
    const [, link = ''] = await server.says(/^ {2}(http:\S+)$/m)
    const page = await openPage(t)
    const fields = ['username', 'email', 'password', 'password_again']
    const inputs = fields.map((name) => `<input name="${name}" value="ann@example.org">`).join('')

    await page.setContent(
      `<form method="post" action="${link}">${inputs}<button>Go</button></form>`,
    )
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Cross-origin request blocked' }).waitFor()

    assert.equal((await machine.admin(['user', 'list'])).out.split('\n').length, 1)
  })
})

suite('the frame of pages in a browser', { skip: skipWithoutBrowser }, () => {
  test('signs in, changes its theme, answers to keys, and signs out', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann')
    const address = await app.server.listen({ port: 0 })
    const page = await openPage(t, { colorScheme: 'light' })
    const complaints = complaintsOf(page)
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')

    await page.goto(`${address}/explore/users`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('Name or e-mail').fill('ann')
    await page.getByLabel('Password').fill('password1')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Explore', level: 1 }).waitFor()
    assert.equal(await paper(), 'rgb(255, 255, 255)')
    await page.getByRole('button', { name: 'Account of ann' }).click()
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.waitForFunction("document.documentElement.dataset.theme === 'dark'")
    assert.equal(await paper(), 'rgb(20, 22, 26)')

    await page.waitForLoadState('load')
    await page.keyboard.press('/')
    assert.equal(await page.getByLabel('Search repositories').evaluate(isFocused), true)
    await page.keyboard.type('?')
    assert.equal(await page.getByLabel('Search repositories').inputValue(), '?')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Explore').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.waitForURL('**/ann')

    await page.getByRole('button', { name: 'Account of ann' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    assert.deepEqual(
      (await page.context().cookies()).map(({ name }) => name),
      ['codestead_theme'],
    )
    assert.deepEqual(complaints, [])
  })
})

suite('an issue in a browser', { skip: skipWithoutBrowser }, () => {
  test('is written, answered, given files and closed', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const address = await app.server.listen({ port: 0 })
    const page = await openPage(t)
    const complaints = complaintsOf(page)
    await signInAs(page, address, 'ann')

    await page.goto(`${address}/ann/one`)
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.waitForURL('**/issues')
    await page.getByRole('link', { name: 'New issue' }).click()
    await page.getByLabel('Title').fill('Beam flickers')
    await page.getByLabel('Description').fill('It **flickers**')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('markdown-preview strong', { hasText: 'flickers' }).waitFor()
    assert.equal(await page.getByLabel('Description').isVisible(), false)
    await page.getByRole('button', { name: 'Write' }).click()
    await page.getByRole('button', { name: 'Create issue' }).click()
    await page.getByRole('heading', { name: 'Beam flickers' }).waitFor()

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const file = { name: 'trace.log', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    const chosen = page.getByLabel('Attach to the issue')
    await chosen.setInputFiles(file)
    await page.getByText('5 bytes · sha256 2cf24dba…9824').waitFor()
    assert.equal(await page.getByRole('link', { name: 'trace.log', exact: true }).count(), 1)
    await chosen.setInputFiles({ ...file, name: 'page.html' })
    await page.getByText('forbidden file extension').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    assert.deepEqual(complaints.splice(0).filter(isUnexpected), [])
    // Nobody answers: it goes on until it is cancelled.
    await page.route('**/attachments', () => undefined)
    await chosen.setInputFiles({ ...file, name: 'slow.log' })
    await page.getByRole('progressbar', { name: 'Uploading slow.log' }).waitFor()
    await page.getByRole('button', { name: 'Cancel slow.log' }).click()
    assert.equal(await page.getByText('slow.log').count(), 0)

    await page.getByLabel('Write a comment').fill('Mended')
    await page.getByRole('button', { name: 'Close issue' }).click()
    await page.getByText('Closed', { exact: true }).waitFor()
    await page.getByText('Mended').waitFor()
    // What was cancelled is told as failed.
    const others = complaints.filter((complaint) => !complaint.endsWith('/attachments'))
    assert.deepEqual(others, [])
    assert.equal((await app.get(ann, '/repos/ann/one/issues/1/assets')).body.length, 1)
  })

  test('takes what is pasted for the comment that it is pasted into', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    await app.post(ann, '/repos/ann/one/issues', { title: 'Broken' })
    const { body } = await app.post(ann, '/repos/ann/one/issues/1/comments', { body: 'See' })
    const address = await app.server.listen({ port: 0 })
    const page = await openPage(t)
    await signInAs(page, address, 'ann')
    await page.goto(`${address}/ann/one/issues/1?edit=comment-${body.id}`)
    const paste = (field: string, name: string) =>
      page.locator(field).evaluate((element, fileName) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['hello'], fileName))
        element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, clipboardData }))
      }, name)

    await paste(`#edit-comment-${body.id}`, 'mine.log')
    await paste('#body', 'other.log')

    await page.getByRole('link', { name: 'mine.log', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Leave out other.log' }).waitFor()
    const names = async (path: string) =>
      (await app.get(ann, path)).body.map(({ name }: { name: string }) => name) as readonly string[]
    const comment = `/repos/ann/one/issues/comments/${body.id}/assets`
    assert.deepEqual(await names(comment), ['mine.log'])
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('link', { name: 'other.log', exact: true }).waitFor()
    const said = await app.get(ann, '/repos/ann/one/issues/1/comments')
    const next = `/repos/ann/one/issues/comments/${said.body[1].id}/assets`
    assert.deepEqual(await names(next), ['other.log'])
    assert.deepEqual(await names(comment), ['mine.log'])
    assert.deepEqual(await names('/repos/ann/one/issues/1/assets'), [])
  })
})

suite('pages on a phone', { skip: skipWithoutBrowser }, () => {
  test('fit its width, whatever people write', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const long = 'w'.repeat(90)
    await app.patch(ann, '/user/settings', { full_name: long, description: long, location: long })
    await app.post(ann, '/user/repos', { name: long, description: long })
    await app.post(ann, `/repos/ann/${long}/labels`, { name: long.slice(0, 50), color: '#d73a4a' })
    await app.post(ann, `/repos/ann/${long}/issues`, { title: long, body: long, labels: [1] })
    const address = await app.server.listen({ port: 0 })
    const page = await openPage(t, { viewport: { width: 360, height: 700 } })
    await signInAs(page, address, 'ann')
    const issues = `/ann/${long}/issues`
    const own = ['/', '/?feed=others', '/ann', '/ann?tab=activity']
    const paths = [...own, '/explore/repos', '/repo/create', '/user/change_password']

    const wide: string[] = []
    for (const path of [
      ...paths,
      issues,
      `${issues}/1`,
      `${issues}/1?edit=title`,
      `${issues}/1?edit=text`,
      `${issues}/new`,
    ]) {
      await page.goto(`${address}${path}`)
      const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth')
      if (!fits) wide.push(path)
    }

    assert.deepEqual(wide, [])
  })
})

const isFocused = (element: unknown) =>
  element === (globalThis as { document?: { activeElement: unknown } }).document?.activeElement

function isUnexpected(complaint: string): boolean {
  return !complaint.includes('status of 422')
}
