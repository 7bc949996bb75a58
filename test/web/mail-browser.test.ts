// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSWORD } from '../support/app.ts'
import { startMailServer } from '../support/mail-server.ts'
import { skipWithoutBrowser } from '../support/browser.ts'
import { assertFits, openBrowser } from './open-browser.ts'

suite('with mail, in a browser', { skip: skipWithoutBrowser }, () => {
  test('somebody signs up, confirms, chooses what to be mailed, forgets the password and comes back', async (t) => {
    const mail = await startMailServer(t)
    const { setup, page, root, complaints } = await openBrowser(t, 360, {
      users: { sign_up: true },
      security: { email_confirmation: true },
      mail: mail.settings,
    })
    const follow = async (path: string) => {
      await setup.app.ctx.jobs.runDue()
      const [, code = ''] =
        new RegExp(`${path}\\?code=([\\w-]{43})`).exec(mail.take()[0]?.text ?? '') ?? []
      await page.goto(`${root}${path}?code=${code}`)
    }
    const signIn = async (password: string) => {
      await page.goto(`${root}/user/login`)
      await page.getByLabel('Name or e-mail').fill('zoe')
      await page.getByLabel('Password').fill(password)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Account of zoe' }).waitFor()
    }

    await page.goto(`${root}/user/sign_up`)
    await page.getByLabel('Name').fill('zoe')
    await page.getByLabel('E-mail').fill('zoe@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password again').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
    await assertFits(page)
    await follow('/user/activate')
    await assertFits(page)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor()
    await signIn(PASSWORD)
    await page.goto(`${root}/user/settings/emails`)
    await page.getByLabel('Another address').fill('zoe@example.com')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Mail me again' }).waitFor()
    await assertFits(page)
    await page.goto(`${root}/user/settings/notifications`)
    await page.getByLabel('Mail me').selectOption('mentions')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await assertFits(page)
    assert.equal(await page.getByLabel('Mail me').inputValue(), 'mentions')

    await page.context().clearCookies()
    await setup.app.ctx.jobs.runDue()
    mail.take()
    await page.goto(`${root}/user/login`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail').fill('zoe@example.org')
    await assertFits(page)
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
    await follow('/user/recover_account')
    await assertFits(page)
    await page.getByLabel('New password', { exact: true }).fill('another 1')
    await page.getByLabel('New password again').fill('another 1')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()
    await signIn('another 1')

    assert.deepEqual(complaints, [])
  })
})
