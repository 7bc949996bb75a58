// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64, commit } from '../../code/commits/setup.ts'
import { fileAt } from './setup.ts'
import { skipWithoutBrowser } from '../../support/browser.ts'
import { assertFits, openAsAnn } from '../open-browser.ts'

const long = 'a-name-that-goes-on-and-on-'.repeat(3)

suite('the forms of a repository in a browser', { skip: skipWithoutBrowser }, () => {
  test('give back a text as it was, and commit what was typed', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 1280)
    const text = '\n\n\tone\n  <b>&amp;</b>\n'
    await commit(setup, { 'a.txt': text })

    await page.goto(`${root}/ann/one/src/branch/main/a.txt`)
    await page.keyboard.press('e')
    await page.getByLabel('What the commit does').fill('Keep it')
    await page.getByRole('textbox', { name: 'Path' }).fill('b.txt')
    await page.getByRole('button', { name: 'Commit' }).click()
    await page.waitForURL(/\/src\/branch\/main\/b\.txt$/)

    assert.equal(await fileAt(setup, 'b.txt'), text)
    await page.getByRole('link', { name: 'Edit' }).click()
    await page.getByLabel('Content').fill('two')
    await page.getByText('To a new branch').click()
    await page.getByLabel('Name of the new branch').fill('mine')
    await page.getByRole('button', { name: 'Commit' }).click()
    await page.waitForURL(/\/compare\/main\.\.\.mine$/)
    assert.equal(await fileAt(setup, 'b.txt', 'mine'), 'two')
    assert.deepEqual(complaints, [])
  })

  test('keep the files of an upload when the folder is wrong', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 1280)
    await commit(setup, { taken: 'x' })
    await page.goto(`${root}/ann/one/_upload/branch/main`)
    const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })
    const input = page.locator('chosen-files input')
    await input.setInputFiles(file('a.txt'))
    await input.setInputFiles(file('b.txt'))
    await page.getByRole('button', { name: 'Leave out a.txt' }).waitFor()

    const folder = page.getByLabel('Folder')
    for (const [name, isTaken] of [
      ['docs/../x', false],
      ['.git/x', false],
      ['.github', true],
      ['a..b/c.d', true],
    ] as const) {
      await folder.fill(name)
      const isValid = await folder.evaluate((one) => (one as HTMLInputElement).checkValidity())
      assert.equal(isValid, isTaken, name)
    }
    await folder.fill('taken')
    await page.getByRole('button', { name: 'Commit' }).click()
    await page.getByText('Something else lies where this path leads.').waitFor()
    // Chromium reports the 422 of the form itself as a failed load.
    assert.deepEqual(
      complaints.splice(0).filter((one) => !one.includes('422')),
      [],
    )
    await folder.fill('docs')
    await page.getByRole('button', { name: 'Commit' }).click()
    await page.waitForURL(/\/src\/branch\/main\/docs$/)

    assert.equal(await fileAt(setup, 'docs/a.txt'), 'a.txt')
    assert.equal(await fileAt(setup, 'docs/b.txt'), 'b.txt')
    assert.deepEqual(complaints, [])
  })

  test('attach files to a release, with size and digest', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 1280)
    const { app, ann, path } = setup
    const made = await app.post(ann, `${path}/releases`, { tag_name: 'v1', draft: true })

    await page.goto(`${root}/ann/one/releases/edit/v1`)
    const file = { name: 'app.bin', mimeType: 'text/plain', buffer: Buffer.from('hello') }
    await page.getByLabel('Attach to the release').setInputFiles(file)
    await page.getByText(/5 bytes · sha256 2cf24dba…9824/).waitFor()

    const { body } = await app.get(ann, `${path}/releases/${made.body.id as number}/assets`)
    assert.deepEqual([body.length, body[0].name], [1, 'app.bin'])
    assert.deepEqual(complaints, [])
  })

  test('fit a phone, whatever the length of names', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 360)
    const { app, ann, bob, path } = setup
    await commit(setup, { [`${long}/${long}.ts`]: `${'x'.repeat(300)}\n` }, { message: long })
    await app.post(ann, `${path}/branches`, { new_branch_name: long })
    await app.post(ann, `${path}/releases`, { tag_name: long, name: long, draft: true })
    await app.post(ann, `${path}/labels`, { name: long, color: '#000000', description: long })
    const { body } = await app.post(ann, `${path}/milestones`, { title: long, description: long })
    await app.post(bob, `${path}/issues`, { title: long })
    await app.post(ann, `${path}/wiki/new`, { title: 'Home', content_base64: base64(long) })
    await app.post(ann, `${path}/wiki/new`, { title: long, content_base64: base64(long) })
    await app.ctx.jobs.runDue()
    const file = `branch/${long}/${long}/${long}.ts`

    for (const address of [
      `/ann/one/src/${file}`,
      `/ann/one/blame/${file}`,
      `/ann/one/_new/branch/${long}/${long}`,
      `/ann/one/_edit/${file}`,
      `/ann/one/_delete/${file}`,
      `/ann/one/_upload/branch/${long}/${long}`,
      '/ann/one/branches',
      '/ann/one/releases',
      `/ann/one/releases/edit/${long}`,
      '/ann/one/labels',
      '/ann/one/milestones',
      `/ann/one/milestone/${body.id as number}`,
      `/ann/one/milestones/${body.id as number}/edit`,
      '/ann/one/wiki',
      `/ann/one/wiki/${long}?action=edit`,
      '/ann/one/wiki/_pages',
      '/notifications',
    ]) {
      const answer = await page.goto(root + address)
      assert.equal(answer?.status(), 200, address)
      await page.evaluate(() => {
        for (const one of document.querySelectorAll('main details:not(.ref-menu)')) {
          one.setAttribute('open', '')
        }
      })
      await assertFits(page)
      const ids = await page.evaluate(() =>
        Array.from(document.querySelectorAll('[id]'), (one) => one.id),
      )
      assert.deepEqual([...new Set(ids)], ids, `${address}: an id is there twice`)
    }
    assert.deepEqual(complaints, [])
  })
})
