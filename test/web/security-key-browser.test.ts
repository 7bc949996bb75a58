// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { findFreePort } from '../code/lfs/support.ts'
import { PASSWORD, startApp, type TestApp } from '../support/app.ts'
import { openPage, skipWithoutBrowser } from '../support/browser.ts'
import { assertFits } from './open-browser.ts'

interface Opened {
  readonly app: TestApp
  readonly page: Page
  readonly devices: CDPSession
  readonly complaints: string[]
}

async function openWithAccount(t: TestContext): Promise<Opened> {
  // Browsers trust it without https.
  const port = await findFreePort()
  const root = `http://codestead.localhost:${port}`
  const app = await startApp(t, { server: { url: root } })
  await app.addPerson('ann')
  await app.server.listen({ host: '127.0.0.1', port })
  const page = await openPage(t, { baseURL: root, viewport: { width: 1000, height: 800 } })
  // A busy machine may take its time.
  page.setDefaultTimeout(120_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  return { app, page, devices, complaints }
}

/** One that somebody touches whenever it is asked. */
async function plugIn(devices: CDPSession): Promise<string> {
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      hasResidentKey: false,
      hasUserVerification: false,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

/** One that is built in and knows its owner. */
async function buildIn(devices: CDPSession): Promise<void> {
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function showPassword(page: Page): Promise<void> {
  await page.goto(`/user/login`)
  await page.getByLabel('Name or e-mail').fill('ann')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}

async function addKey(page: Page, name: string): Promise<void> {
  await page.goto(`/user/settings/two-factor`)
  await page.getByRole('link', { name: 'Add a security key' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Add' }).click()
}

const account = (page: Page) => page.getByRole('button', { name: 'Account of ann' })

suite('a security key in a browser', { skip: skipWithoutBrowser }, () => {
  test('is enrolled and signs in, and others do not answer for it', async (t) => {
    const { page, devices, complaints } = await openWithAccount(t)
    const first = await plugIn(devices)
    await showPassword(page)
    await account(page).waitFor()
    await addKey(page, 'Blue')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    assert.equal(await page.locator('.codes code').count(), 10)
    await page.getByRole('link', { name: 'I have kept them' }).click()
    await page.getByText('not used yet').waitFor()
    await assertFits(page)

    await page.context().clearCookies()
    await showPassword(page)
    await page.getByRole('button', { name: 'Use your security key' }).waitFor()
    await assertFits(page)
    await page.getByRole('button', { name: 'Use your security key' }).click()
    await account(page).waitFor()

    // The same key is not added twice; its owner is told so in place.
    await addKey(page, 'Again')
    await page.getByText('You have added this key already.').waitFor()
    await devices.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: first })
    await page.goto(`/user/settings/two-factor`)
    await page.getByRole('link', { name: 'Remove Blue' }).click()
    await page.getByLabel('Your password').fill(PASSWORD)
    // Another one, which has not been enrolled, does not answer for it.
    await plugIn(devices)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The key did not answer. Try again.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('confirms that it is removed, and that a token is made', async (t) => {
    const { app, page, devices, complaints } = await openWithAccount(t)
    await plugIn(devices)
    await showPassword(page)
    await account(page).waitFor()
    await addKey(page, 'Blue')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const code = (await page.locator('.codes code').first().textContent()) ?? ''

    await page.goto(`/user/settings/two-factor`)
    await page.getByRole('link', { name: 'Remove Blue' }).click()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByText('It is off.').waitFor()

    await addKey(page, 'Red')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    assert.ok(!(await page.locator('.codes').textContent())?.includes(code))
    await page.goto(`/user/settings/tokens`)
    await page.getByLabel('Name', { exact: true }).fill('by key')
    await page.locator('select[name="scope-user"]').selectOption('read')
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Make token' }).click()
    await page.locator('.rows b', { hasText: 'by key' }).waitFor()
    const tokens = await app.ctx.db.selectFrom('access_token').select('name').execute()
    assert.deepEqual(
      tokens.map(({ name }) => name),
      ['by key'],
    )
    assert.deepEqual(complaints, [])
  })

  test('is added beside another, which confirms it', async (t) => {
    const { app, page, devices, complaints } = await openWithAccount(t)
    const authenticatorId = await plugIn(devices)
    await showPassword(page)
    await account(page).waitFor()
    await addKey(page, 'Blue')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    // Once the first has confirmed, nobody touches it any more: the second is the one that is
    // added.
    await page.route('**/keys/offer', async (route) => {
      await devices.send('WebAuthn.setAutomaticPresenceSimulation', {
        authenticatorId,
        enabled: false,
      })
      await plugIn(devices)
      await route.continue()
    })

    await addKey(page, 'Red')

    await page.getByText('Saved.').waitFor()
    const keys = await app.ctx.db.selectFrom('security_key').select('name').orderBy('id').execute()
    assert.deepEqual(
      keys.map(({ name }) => name),
      ['Blue', 'Red'],
    )
    assert.deepEqual(complaints, [])
  })

  test('signs nobody in a second time by what it has answered', async (t) => {
    const { app, page, devices } = await openWithAccount(t)
    await plugIn(devices)
    await showPassword(page)
    await account(page).waitFor()
    await addKey(page, 'Blue')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    await page.context().clearCookies()
    await showPassword(page)
    const button = page.getByRole('button', { name: 'Use your security key' })
    await button.waitFor()
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/second-factor'),
    )
    await button.click()
    const body = (await sent).postData() ?? ''
    await account(page).waitFor()
    assert.match(body, /key_signature=/)

    await page.context().clearCookies()
    await showPassword(page)
    await button.waitFor()
    const status = await page.evaluate(async (form) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const options = { method: 'POST', headers, body: form }
      return (await fetch('/user/login/second-factor', options)).status
    }, body)

    assert.equal(status, 422)
    assert.equal((await app.ctx.db.selectFrom('half_sign_in').selectAll().execute()).length, 1)
    await button.click()
    await account(page).waitFor()
  })

  test('that knows its owner signs in without a password', async (t) => {
    const { page, devices, complaints } = await openWithAccount(t)
    await buildIn(devices)
    await showPassword(page)
    await account(page).waitFor()
    await addKey(page, 'Laptop')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()

    await page.context().clearCookies()
    await page.goto('/user/login?redirect_to=%2Fuser%2Fsettings%2Ftwo-factor')
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.waitFor()
    await assertFits(page)
    await button.click()
    await page.getByText(/· used /).waitFor()

    assert.deepEqual(complaints, [])
  })

  test('needs script, and without it the page offers the code', async (t) => {
    const { page, devices } = await openWithAccount(t)
    await plugIn(devices)
    await showPassword(page)
    await account(page).waitFor()
    await addKey(page, 'Blue')
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const code = (await page.locator('.codes code').first().textContent()) ?? ''

    const baseURL = new URL(page.url()).origin
    const plain = await openPage(t, { baseURL, javaScriptEnabled: false })
    await showPassword(plain)
    await plain.getByText('A security key needs script, which does not run here.').waitFor()
    assert.equal(await plain.getByRole('button', { name: 'Use your security key' }).count(), 0)
    await plain.getByLabel('Recovery code').fill(code)
    await plain.getByRole('button', { name: 'Sign in with the code' }).click()
    await account(plain).waitFor()
  })
})
