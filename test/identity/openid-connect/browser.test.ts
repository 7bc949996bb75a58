// One database is enough: the browser sees the same.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { findFreePort } from '../../../src/platform/network/free-port.ts'
import { register } from '../oauth2-server/setup.ts'
import { PASSWORD, startApp, type TestApp } from '../../support/app.ts'
import { openPage, skipWithoutBrowser } from '../../support/browser.ts'
import { CALLBACK } from './setup.ts'

async function startAt(t: TestContext, url: string, changes: ConfigChanges = {}): Promise<TestApp> {
  const app = await startApp(t, { ...changes, server: { url } })
  await app.server.listen({ host: '127.0.0.1', port: Number(new URL(url).port) })
  return app
}

async function signInOn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name or e-mail').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}

suite('one server that signs people in at another', { skip: skipWithoutBrowser }, () => {
  test('is asked once, makes an account, and is linked to others', async (t) => {
    const [issuer, root] = [
      `http://localhost:${await findFreePort('127.0.0.1')}`,
      `http://127.0.0.1:${await findFreePort('127.0.0.1')}`,
    ]
    const provider = await startAt(t, issuer)
    await provider.addPerson('zoe')
    await provider.addPerson('yan')
    const client = await register(provider, await provider.addCaller('boss'), {
      redirect_uris: [root + CALLBACK],
      confidential_client: true,
    })
    const openid = { issuer, label: 'Acme', auto_registration: true, ...client }
    const app = await startAt(t, root, { openid })
    await app.addPerson('root', { isAdmin: true })
    const page = await openPage(t)
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))

    await page.goto(`${root}/explore/repos`)
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    await signInOn(page, 'zoe')
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('button', { name: 'Account of zoe' }).waitFor()
    assert.equal(new URL(page.url()).origin, root)

    await page.goto(`${root}/user/settings/openid`)
    await page.locator('#content b', { hasText: 'zoe' }).waitFor()
    await page.context().clearCookies({ domain: '127.0.0.1' })
    await page.goto(`${root}/user/login`)
    await page.getByRole('link', { name: 'Sign in with Acme' }).click()
    await page.getByRole('button', { name: 'Account of zoe' }).waitFor()

    await page.context().clearCookies()
    await page.goto(`${root}/user/login`)
    await signInOn(page, 'root')
    await page.getByRole('button', { name: 'Account of root' }).waitFor()
    await page.goto(`${root}/user/settings/openid`)
    await page.getByRole('link', { name: 'Link with Acme' }).click()
    await signInOn(page, 'yan')
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal(page.url(), `${root}/user/settings/openid?saved=yes`)
    await page.locator('#content b', { hasText: 'yan' }).waitFor()
    assert.deepEqual(complaints, [])
  })
})
