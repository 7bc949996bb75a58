// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../support/expect.ts'
import { addIssue, issues, startWithIssues } from './issues/setup.ts'
import { openAsAnn } from './open-browser.ts'
import { skipWithoutBrowser } from '../support/browser.ts'
import { assertSessionEnded } from './support.ts'

suite('a form without a session', () => {
  test('gives back what was written, and the way to sign in and back', async (t) => {
    const setup = await startWithIssues(t)
    const { visitor, ann } = setup
    const number = await addIssue(setup, ann)
    const page = `${issues}/${number}`
    const fields = { body: 'so <b>long</b>\nand more', action: 'comment', password: 'kept back' }

    const from = { referer: `http://codestead.test${page}?page=2#reply` }
    const answer = await visitor.post(`${page}/comments`, fields, from)

    assertSessionEnded(answer)
    assert.match(answer.text, /<textarea [^>]*readonly>\nso &lt;b&gt;long&lt;\/b&gt;\nand more</)
    assert.ok(!answer.text.includes('kept back'))
    assert.ok(!answer.text.includes('>comment<'))
    const back = encodeURIComponent(`${page}?page=2`)
    assert.ok(answer.text.includes(`href="/user/login?redirect_to=${back}"`))
    assert.ok(answer.text.includes(`href="${page}?page=2"`))
  })

  test('leads back to the closest page where nothing of ours is said to be its own', async (t) => {
    const { visitor } = await startWithIssues(t)
    const led = async (path: string, referer = '') =>
      /redirect_to=([^"]+)">Sign in<\/a> <a/.exec(
        (await visitor.post(path, { title: 'x' }, { referer })).text,
      )?.[1]

    assert.equal(await led(`${issues}/3/comments`), encodeURIComponent(`${issues}/3`))
    assert.equal(await led(`${issues}/new`), encodeURIComponent(`${issues}/new`))
    const elsewhere = await led(`${issues}/new`, 'https://elsewhere.test/ann')
    assert.equal(elsewhere, encodeURIComponent(`${issues}/new`))
    assert.equal(
      await led('/user/settings/keys/ssh/delete'),
      encodeURIComponent('/user/settings/keys'),
    )
  })

  test('gives back the texts of one with files, however large these are', async (t) => {
    const { app, visitor } = await startWithIssues(t)
    const root = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const body = new FormData()
    body.append('title', 'Broken door')
    body.append('form-field-why', 'It fell')
    body.append('attachment', new Blob(['x'.repeat(6_000_000)]), 'a.txt')

    const { headers } = visitor
    const answer = await fetch(`${root}${issues}/new`, { method: 'POST', headers, body })

    assert.equal(answer.status, 401)
    const text = await answer.text()
    assert.match(text, /readonly>\nBroken door</)
    assert.match(text, /readonly>\nIt fell</)
    assert.ok(!text.includes('xxx'))
  })

  test('of a script is answered by a sentence', async (t) => {
    const { visitor } = await startWithIssues(t)

    for (const path of [`${issues}/new`, `${issues}/1/attachments`]) {
      const told = await visitor.post(path, { title: 'x' }, { accept: 'application/json' })
      assertStatus(told, 401)
      assert.match(told.body.message as string, /^Your session has ended\./)
    }
  })

  test('that cannot be read is told of as well', async (t) => {
    const { visitor } = await startWithIssues(t)

    assertSessionEnded(await visitor.post(`${issues}/new`, { title: 'a\0b' }))
    const type = { 'content-type': 'multipart/form-data' }
    assertSessionEnded(await visitor.send(`${issues}/new`, 'nothing', type))
  })
})

suite('a page whose session has ended', { skip: skipWithoutBrowser }, () => {
  test('says so beside files and previews', async (t) => {
    const { page, root } = await openAsAnn(t, 1000)
    await page.goto(`${root}/ann/one/issues/new`)
    await page.getByLabel('Title').fill('Broken')
    const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }
    await page.locator('chosen-files input').setInputFiles(file)
    await page.context().clearCookies()

    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Your session has ended. Sign in on another page to see it.').waitFor()
    await page.getByRole('button', { name: 'Create issue' }).click()

    const told = 'Your session has ended. Sign in on another page, then send it again here.'
    await page.getByText(told).waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Broken')
  })
})
