// One database is enough: browsers see the same.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { upload } from '../repositories/attachments/form.ts'
import { base64, makePrivate, type Setup } from '../code/commits/setup.ts'
import { findFreePort } from '../code/lfs/support.ts'
import { assertStatus } from '../support/expect.ts'
import { skipWithoutBrowser } from '../support/browser.ts'
import { openAsAnn, type Opened } from './open-browser.ts'
import { dot } from './support.ts'

interface WithHost extends Opened {
  /** The root of the host of files. */
  readonly files: string
}

/** Two names of one server, of which neither is a part of the other: two sites. */
async function openWithHost(t: TestContext): Promise<WithHost> {
  const port = await findFreePort()
  const files = `http://files.localhost:${port}`
  const server = { port, url: `http://127.0.0.1:${port}`, files_url: files }
  const opened = await openAsAnn(t, 1280, {
    server,
    attachment: { allowed_types: '' },
  })
  return { ...opened, files }
}

async function commitPicture({ app, ann, path }: Setup, readme: string): Promise<void> {
  const files = { 'dot.png': dot.toString('base64'), 'PICTURE.md': base64(readme) }
  const operations = Object.entries(files).map(([name, content]) => ({
    operation: 'upload',
    path: name,
    content,
  }))
  assertStatus(await app.post(ann, `${path}/contents`, { files: operations }), 201)
}

async function openAnotherSite(t: TestContext, page: string): Promise<string> {
  const port = await findFreePort()
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(page)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://another.localhost:${port}`
}

/** How wide they are; what was not loaded has no width. */
async function picturesOf(page: Page, alt: string): Promise<readonly number[]> {
  await page.waitForLoadState('load')
  return page.evaluate(
    (text) =>
      Array.from(document.images)
        .filter((image) => image.alt === text)
        .map((image) => image.naturalWidth),
    alt,
  )
}

suite('a host for files alone, in a browser', { skip: skipWithoutBrowser }, () => {
  test('has the pictures that pages show, of private repositories too', async (t) => {
    const { setup, page, root, files, complaints } = await openWithHost(t)
    await commitPicture(setup, '![dot](dot.png)')
    await makePrivate(setup)
    const answers: string[] = []
    page.on('response', (answer) => answers.push(`${answer.status()} ${answer.url()}`))

    await page.goto(`${root}/ann/one/src/branch/main/PICTURE.md`)

    assert.deepEqual(await picturesOf(page, 'dot'), [1])
    const path = '/ann/one/media/branch/main/dot.png'
    assert.ok(answers.includes(`303 ${root}${path}`))
    assert.ok(answers.some((answer) => answer.startsWith(`200 ${files}${path}?signed=`)))
    assert.deepEqual(complaints, [])
  })

  test('has no way in for pictures of private repositories that another site shows', async (t) => {
    const { setup, page, root } = await openWithHost(t)
    await commitPicture(setup, '')
    const picture = `${root}/ann/one/raw/branch/main/dot.png`
    // Such as a browser sends by itself, once somebody has signed in to git there.
    await page.context().setExtraHTTPHeaders(setup.ann.headers)
    const another = await openAnotherSite(t, `<img alt="dot" src="${picture}">`)
    const show = async () => {
      await page.goto(another)
      return picturesOf(page, 'dot')
    }

    assert.deepEqual(await show(), [1])
    await makePrivate(setup)
    assert.deepEqual(await show(), [0])
  })

  test('runs nothing, and has no cookie that could be read', async (t) => {
    const { setup, page, root, files } = await openWithHost(t)
    const { app, ann, path } = setup
    const cookies: (string | null)[] = []
    page.on('request', async (request) => {
      if (request.url().startsWith(files)) cookies.push(await request.headerValue('cookie'))
    })
    await page.context().addCookies([{ name: 'other', value: '1', url: root }])
    await app.post(ann, `${path}/issues`, { title: 'an issue' })
    const script = 'document.documentElement.dataset.ran = document.cookie || "ran"'
    const payloads = {
      'a.html': `<html><body onload='${script}'><script>${script}</script></body></html>`,
      'a.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'><script>${script}</script></svg>`,
      'a.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>${script}</script></html>`,
    }

    for (const [filename, content] of Object.entries(payloads)) {
      const made = await upload(app, ann, `${path}/issues/1/assets`, { filename, content })
      assertStatus(made, 201)
      const answer = await page.goto(`${root}/attachments/${made.body.uuid}`)
      const { origin } = new URL(page.url())
      assert.equal(origin, files)
      assert.equal(answer?.status(), 200)
      assert.equal(await answer?.headerValue('set-cookie'), null)
      // Whatever stands in it did not run; what we ask ourselves may not read cookies either.
      const seen = await page.evaluate(() => {
        const { ran } = document.documentElement.dataset
        try {
          return [ran, document.cookie]
        } catch (error) {
          return [ran, (error as Error).name]
        }
      })
      assert.deepEqual(seen, [undefined, 'SecurityError'], filename)
    }
    assert.deepEqual(cookies, [null, null, null])
    assert.deepEqual(await page.context().cookies(files), [])
  })

  test('leads back to who is signed in when the time of an address is over', async (t) => {
    const { setup, page, root, files } = await openWithHost(t)
    await makePrivate(setup)
    await page.goto(`${root}/ann/one/raw/branch/main/README.md`)
    const first = page.url()
    assert.ok(first.startsWith(`${files}/ann/one/raw/branch/main/README.md?signed=`))

    setup.app.passTime(600)
    await page.reload()

    assert.notEqual(page.url(), first)
    assert.ok(page.url().startsWith(files))
    assert.equal(await page.textContent('body'), '# one\n\n')
  })
})
