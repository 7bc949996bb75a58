// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { wikiFolder } from '../../../src/platform/git/layout.ts'
import { base64, makePrivate } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { startInBrowser, type WebSetup } from '../files/setup.ts'
import { edit, evil, hasScript, wordsOf } from '../repository/support.ts'

const wiki = '/ann/one/wiki'

async function addPage({ app, ann, path }: WebSetup, title: string, text: string): Promise<void> {
  const page = { title, content_base64: base64(text) }
  assertStatus(await app.post(ann, `${path}/wiki/new`, page), 201)
}

/** What the API cannot write into a wiki. */
async function importFiles(
  { app }: WebSetup,
  files: Readonly<Record<string, string>>,
  branch = 'main',
): Promise<void> {
  const { folder } = await app.ctx.db
    .selectFrom('repository')
    .select('folder')
    .executeTakeFirstOrThrow()
  const changes = Object.entries(files).map(
    ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  )
  const from = branch === 'main' ? 'from refs/heads/main^0\n' : ''
  const input = `commit refs/heads/${branch}\ncommitter A <a@x.example> 1700000000 +0000\ndata 6\nFiles\n${from}${changes.join('')}`
  const git = wikiFolder(app.ctx.config, folder)
  await app.ctx.git.run(git, ['fast-import', '--quiet', '--force'], { input })
}

async function changesIn({ visitor }: WebSetup, page: string): Promise<readonly string[]> {
  const { text } = await visitor.get(`${wiki}/${page}?action=history`)
  return Array.from(text.matchAll(/class="subject" href="([^"]+)"/g), ([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
}

suite('GET /{owner}/{repo}/wiki/{page}?action=change', () => {
  test('shows what a commit changed, from the history of a page', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, visitor } = setup
    await addPage(setup, 'Home', 'one\ntwo\n')
    await app.patch(ann, `${path}/wiki/page/Home`, {
      content_base64: base64(`one\n${evil}\n`),
      message: `Better ${evil}\n\nmore words`,
    })

    const changes = await changesIn(setup, 'Home')

    assert.equal(changes.length, 2)
    const latest = await visitor.get(changes[0] ?? '')
    assertStatus(latest, 200)
    assert.match(latest.text, /<tr class="removed">.*<td id="file-1-old-2">two<\/td>/)
    const uncoloured = latest.text.replaceAll(
      /<span class="(?:hljs|language)-[\w-]+">|<\/span>/g,
      '',
    )
    assert.match(uncoloured, /<tr class="added">.*<td id="file-1-new-2">&lt;script&gt;/)
    assert.match(wordsOf(latest), /Better .*History of Home .*more words .*1 file changed/)
    assert.equal(hasScript(latest), false)
    assert.match(latest.text, /href="\/ann\/one\/wiki\/Home\?action=history"/)
    const beside = /<a href="([^"]+)">Side by side/.exec(latest.text)?.[1]?.replaceAll('&amp;', '&')
    assert.equal(beside, `${changes[0]}&style=split`)
    assert.match(
      (await visitor.get(beside)).text,
      /<td class="removed" data-sign="-" id="file-1-old-2">two</,
    )
    const first = await visitor.get(changes[1] ?? '')
    assert.match(first.text, /<tr class="added">.*<td id="file-1-new-1">one<\/td>/)
    assert.doesNotMatch(first.text, /ann\/one\/src\//)
  })

  test('is for those who read the wiki, and for commits that led to it', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn, visitor } = setup
    await addPage(setup, 'Home', 'one')
    const [change = ''] = await changesIn(setup, 'Home')

    for (const commit of ['', 'main', 'a'.repeat(40), change.slice(-40, -30), '--all']) {
      const address = `${wiki}/Home?action=change&commit=${commit}`
      assertStatus(await visitor.get(address), 404)
    }
    assertStatus(await visitor.get(change.replace('/Home', '/Gone')), 404)
    assertStatus(await visitor.get(change), 200)
    await makePrivate(setup)
    assertStatus(await visitor.get(change), 404)
    assertStatus(await byAnn.get(change), 200)
    await edit(setup, { has_wiki: false })
    assertStatus(await byAnn.get(change), 404)
  })

  test('shows no commit of another branch', async (t) => {
    const setup = await startInBrowser(t)
    const { app, visitor } = setup
    await addPage(setup, 'Home', 'one')
    await importFiles(setup, { 'x.md': 'aside' }, 'aside')
    const { folder } = await app.ctx.db
      .selectFrom('repository')
      .select('folder')
      .executeTakeFirstOrThrow()
    const git = wikiFolder(app.ctx.config, folder)
    const id = await app.ctx.git.text(git, ['rev-parse', 'refs/heads/aside'])

    assertStatus(await visitor.get(`${wiki}/Home?action=change&commit=${id}`), 404)
  })
})

suite('GET /{owner}/{repo}/wiki/raw/{path}', () => {
  const text =
    '![a](img/p.gif) ![b](/top.gif) ![c](../top.gif "T") ![d](none.gif) ![e](img) ![f](https://x.example/p.gif)\n\n<img src="./img/a b.gif">'

  test('gives the pictures that lie in the wiki, and its pages show them', async (t) => {
    const setup = await startInBrowser(t)
    const { visitor } = setup
    await addPage(setup, 'Home', text)
    await addPage(setup, '_Sidebar', '![s](top.gif)')
    await addPage(setup, 'raw/x', 'a page')
    const picture = 'GIF89a-picture'
    const files = { 'img/p.gif': picture, 'top.gif': picture, '"img/a b.gif"': picture }
    await importFiles(setup, files)

    const page = await visitor.get(wiki)

    const shown = Array.from(page.text.matchAll(/<img src="([^"]+)"/g), ([, src = '']) => src)
    assert.deepEqual(
      shown.filter((src) => src.startsWith(wiki)),
      [
        `${wiki}/raw/img/p.gif`,
        `${wiki}/raw/top.gif`,
        `${wiki}/raw/top.gif`,
        `${wiki}/raw/img/a%20b.gif`,
        `${wiki}/raw/top.gif`,
      ],
    )
    assert.ok(shown.every((src) => src.startsWith('/')))
    for (const src of shown.filter((one) => one.startsWith(wiki))) {
      const answer = await visitor.get(src)
      assertStatus(answer, 200)
      assert.equal(answer.headers['content-type'], 'image/gif')
      assert.match(answer.headers['content-security-policy'] ?? '', /sandbox/)
      assert.equal(answer.text, picture)
    }
    assert.match(wordsOf(await visitor.get(`${wiki}/raw%2Fx`)), /a page/)
  })

  test('runs nothing, and is for those who read the wiki', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addPage(setup, 'Home', 'one')
    await importFiles(setup, { 'x.html': evil, 'img/p.gif': 'GIF89a' })

    const answer = await visitor.get(`${wiki}/raw/x.html`)
    assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
    for (const missing of ['none.gif', 'img', 'img/', '..%2f..%2fHEAD', 'img/p.gif/x', '']) {
      assertStatus(await visitor.get(`${wiki}/raw/${missing}`), 404)
    }
    await makePrivate(setup)
    const picture = `${wiki}/raw/img/p.gif`
    assertStatus(await visitor.get(picture), 404)
    assertStatus(await byBob.get(picture), 404)
    assertStatus(await byAnn.get(picture), 200)
    assertStatus(await app.get(ann, `^${picture}`), 200)
    await edit(setup, { has_wiki: false })
    assertStatus(await byAnn.get(picture), 404)
  })
})
