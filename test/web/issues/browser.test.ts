// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { skipWithoutBrowser } from '../../support/browser.ts'
import { openAsAnn } from '../open-browser.ts'

const fileOf = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })

suite('the page of an issue in a browser', { skip: skipWithoutBrowser }, () => {
  test('sends the files that were chosen with the comment, and none that was left out', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 1280)
    const { app, ann, path } = setup
    await app.post(ann, `${path}/issues`, { title: 'Broken' })

    await page.goto(`${root}/ann/one/issues/1`)
    const input = page.getByLabel('Attach files')
    await input.setInputFiles(fileOf('a.log'))
    await page.getByText('5 bytes').waitFor()
    await input.setInputFiles([fileOf('b.log'), fileOf('c.log')])
    await page.getByRole('button', { name: 'Leave out b.log' }).click()
    await page.getByLabel('Write a comment').fill('See')
    const before = await app.get(ann, `${path}/issues/1/assets`)
    assert.deepEqual(before.body, [])
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.waitForURL(/#issuecomment-\d+$/)

    const { body } = await app.get(ann, `${path}/issues/1/comments`)
    const names = body[0].assets.map(({ name }: { name: string }) => name)
    assert.deepEqual([body.length, body[0].body, ...names], [1, 'See', 'a.log', 'c.log'])
    await page.getByLabel('Delete a.log').click()
    await page.getByRole('button', { name: 'Delete for good a.log' }).click()
    await page.waitForURL(/\?page=1#issuecomment-\d+$/)
    assert.equal(await page.getByRole('link', { name: 'a.log', exact: true }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('tells how far they are, can be cancelled, and loses nothing where they are not taken', async (t) => {
    const { setup, page, root } = await openAsAnn(t, 1280)
    const { app, ann, path } = setup
    await app.post(ann, `${path}/issues`, { title: 'Broken' })
    await page.goto(`${root}/ann/one/issues/1`)
    const comment = page.getByRole('button', { name: 'Comment', exact: true })
    await page.getByLabel('Attach files').setInputFiles([fileOf('a.log'), fileOf('b.html')])
    await page.getByLabel('Write a comment').fill('See')

    // Nobody answers: it goes on until it is cancelled.
    await page.route('**/comments', () => undefined)
    await comment.click()
    await page.getByRole('progressbar', { name: 'Sending a.log' }).waitFor()
    assert.equal(await comment.isDisabled(), true)
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await page.getByRole('button', { name: 'Leave out a.log' }).waitFor()
    await page.unroute('**/comments')
    await comment.click()
    await page.getByText('Files such as b.html are not taken here. Nothing was sent.').waitFor()
    assert.equal(await page.getByLabel('Write a comment').inputValue(), 'See')
    await page.getByRole('button', { name: 'Leave out b.html' }).click()
    await comment.click()
    await page.waitForURL(/#issuecomment-\d+$/)
    await page.getByRole('link', { name: 'a.log', exact: true }).waitFor()

    const { body } = await app.get(ann, `${path}/issues/1/comments`)
    assert.deepEqual([body.length, body[0].body, body[0].assets.length], [1, 'See', 1])
  })
})

suite('the page of a new issue in a browser', { skip: skipWithoutBrowser }, () => {
  test('sends the files that were chosen with the text', async (t) => {
    const { setup, page, root, complaints } = await openAsAnn(t, 1280)
    const { app, ann, path } = setup

    await page.goto(`${root}/ann/one/issues/new`)
    await page.getByLabel('Title').fill('Broken')
    await page.getByLabel('Description').fill('See these')
    await page.getByLabel('Attach files').setInputFiles([fileOf('a.log'), fileOf('b.log')])
    await page.getByRole('button', { name: 'Leave out b.log' }).click()
    await page.getByRole('button', { name: 'Create issue' }).click()
    await page.waitForURL(/issues\/1$/)

    const { body } = await app.get(ann, `${path}/issues/1`)
    const names = body.assets.map(({ name }: { name: string }) => name)
    assert.deepEqual([body.title, body.body, ...names], ['Broken', 'See these', 'a.log'])
    await page.getByRole('link', { name: 'a.log', exact: true }).waitFor()
    assert.deepEqual(complaints, [])
  })
})
