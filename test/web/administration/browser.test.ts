// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { skipWithoutBrowser } from '../../support/browser.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertFits, openAsAnn } from '../open-browser.ts'

suite('the lists of administrators, on a phone', { skip: skipWithoutBrowser }, () => {
  test('fit, whatever names are in them, and are searched', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 375)
    const { app, ann, bob } = setup
    await app.ctx.db.updateTable('account').set({ is_admin: 1 }).where('id', '=', ann.id).execute()
    const long = 'w'.repeat(90)
    await app.post(bob, '/user/repos', { name: long })
    await app.post(bob, '/user/emails', { emails: [`${'w'.repeat(60)}@${long}.example.org`] })
    const type = { 'content-type': 'application/octet-stream' }
    const file = `^/api/packages/bob/generic/${long}/${long}/f`
    assertStatus(await app.put(bob, file, 'x', type), 201)

    for (const list of ['repos', 'packages', 'emails']) {
      await page.goto(`${root}/-/admin/${list}`)
      await assertFits(page)
      await page.getByRole('search', { name: 'This list' }).getByRole('searchbox').fill('www')
      await page.getByRole('button', { name: 'Search' }).click()
      await page.waitForURL(/\?q=www/)
      assert.equal(await page.locator('.rows > li').count(), 1, list)
      await assertFits(page)
    }
    assert.deepEqual(complaints, [])
  })
})
