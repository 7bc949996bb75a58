import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { suite, test, type TestContext } from 'node:test'
import { wikiFolder } from '../../../src/platform/git/layout.ts'
import { addressOf, addressOfFile, fileOf, titleOfFile } from '../../../src/code/wikis/name.ts'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const wiki = '/repos/ann/one/wiki'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const titles = ({ body }: TestAnswer) =>
  body.map(({ title }: { title: string }) => title) as string[]

interface Setup {
  readonly app: TestApp
  /** Owns the repository. */
  readonly ann: TestCaller
  /** Writes to it. */
  readonly bob: TestCaller
  /** Reads it, as everybody does. */
  readonly cleo: TestCaller
  readonly add: (title: string, text?: string, who?: TestCaller) => Promise<TestAnswer>
}

async function start(t: TestContext, changes: ConfigChanges = {}): Promise<Setup> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  const cleo = await app.addCaller('cleo')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
  const permission = { permission: 'write' }
  assertStatus(await app.put(ann, '/repos/ann/one/collaborators/bob', permission), 204)
  const add: Setup['add'] = (title, text = 'text', who = ann) =>
    app.post(who, `${wiki}/new`, { title, content_base64: base64(text) })
  return { app, ann, bob, cleo, add }
}

async function folderOf({ ctx }: TestApp): Promise<string> {
  const row = await ctx.db.selectFrom('repository').select('folder').executeTakeFirstOrThrow()
  return wikiFolder(ctx.config, row.folder)
}

async function filesIn(app: TestApp): Promise<readonly string[]> {
  const text = await app.ctx.git.text(await folderOf(app), ['ls-tree', '--name-only', 'HEAD'])
  return text.split('\n')
}

suite('POST /repos/{owner}/{repo}/wiki/new', () => {
  test('begins a wiki with its first page', async (t) => {
    const { app, bob, cleo, add } = await start(t)

    const { status, body } = await add('Home Page', '# Hello\n', bob)

    assert.equal(status, 201)
    const time = body.last_commit.author.date
    const person = { name: 'bob', email: 'bob@example.org', date: time }
    assert.deepEqual(body, {
      title: 'Home Page',
      html_url: 'http://codestead.test/ann/one/wiki/Home-Page',
      sub_url: 'Home-Page',
      last_commit: {
        sha: body.last_commit.sha,
        author: person,
        commiter: person,
        message: 'Add "Home Page"\n',
      },
      content_base64: base64('# Hello\n'),
      commit_count: 1,
      sidebar: '',
      footer: '',
    })
    assert.match(time, /^\d{4}-\d\d-\d\dT/)
    assert.deepEqual(await filesIn(app), ['Home-Page.md'])
    assert.deepEqual((await app.get(cleo, `${wiki}/page/Home-Page`)).body, body)
    await app.ctx.git.run(await folderOf(app), ['fsck', '--strict'])
    await app.ctx.jobs.runDue()
    assert.ok((await app.get(cleo, '/repos/ann/one')).body.size > 0)
    assert.equal((await app.get(cleo, '/repos/ann/one')).body.empty, true)
  })

  test('takes a message, and no content for an empty page', async (t) => {
    const { app, ann } = await start(t)

    const { status, body } = await app.post(ann, `${wiki}/new`, { title: ' A ', message: 'Begin' })

    assert.equal(status, 201)
    assert.equal(body.title, 'A')
    assert.equal(body.content_base64, '')
    assert.equal(body.last_commit.message, 'Begin\n')
  })

  test('refuses titles that are none or taken, and what is not base64', async (t) => {
    const { app, ann, add } = await start(t)
    const folder = await folderOf(app)

    for (const body of [{}, { title: '' }, { title: '  ' }, { title: null }]) {
      assertError(await app.post(ann, `${wiki}/new`, body), 400)
    }
    for (const title of ['_pages', '_new', '_edit', 'raw', 'x'.repeat(300)]) {
      assertError(await add(title), 400, /^wiki name is/)
    }
    assertError(await app.post(ann, `${wiki}/new`, { title: 'a', content_base64: '*' }), 400)
    assertError(await app.post(ann, `${wiki}/new`, { title: 1 }), 422)
    assert.equal(existsSync(folder), false, 'nothing is made for what is refused')
    assertStatus(await add('a b'), 201)
    assertError(await add('a b'), 400, /already exists/)
    assert.deepEqual(await filesIn(app), ['a-b.md'])
  })

  test('has a limit', async (t) => {
    const { add } = await start(t, {
      api: { default_max_blob_size: '1000B', max_body_size: '2000B' },
    })

    assertError(await add('a', 'x'.repeat(4000)), 413)
  })

  test('is for those who write the wiki', async (t) => {
    const { app, ann, cleo, add } = await start(t)
    const body = { title: 'x' }
    const reading = await app.withToken(ann.account, ['read:repository'])
    const narrow = await app.withToken(ann.account, ['public-only', 'all'])

    assertError(await app.post(undefined, `${wiki}/new`, body), 401)
    assertError(await add('x', '', cleo), 403)
    assertError(await add('x', '', reading), 403, /scope/)
    assertStatus(await add('x', '', narrow), 201)
    await app.patch(ann, '/repos/ann/one', { private: true })
    assertError(await add('y', '', narrow), 404)
    assertError(await add('y', '', cleo), 404)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assertError(await add('y'), 423)
    assertError(await app.patch(ann, `${wiki}/page/x`, {}), 423)
    assertError(await app.delete(ann, `${wiki}/page/x`), 423)
    assertStatus(await app.get(ann, `${wiki}/page/x`), 200)
    await app.patch(ann, '/repos/ann/one', { archived: false })
    await app.patch(ann, '/repos/ann/one', { has_wiki: false })
    for (const [method, path] of [
      ['POST', 'new'],
      ['GET', 'page/x'],
      ['PATCH', 'page/x'],
      ['DELETE', 'page/x'],
      ['GET', 'pages'],
      ['GET', 'revisions/x'],
    ] as const) {
      const sent = method === 'POST' || method === 'PATCH' ? body : undefined
      assertError(await app.send(ann, method, `${wiki}/${path}`, sent), 404)
    }
  })

  test('keeps what others write at the same time', async (t) => {
    const { app, ann, add } = await start(t)

    const added = await Promise.all(['a', 'b', 'c', 'a'].map((title) => add(title)))

    assert.deepEqual(
      added.map(({ status }) => status).sort((a, b) => a - b),
      [201, 201, 201, 400],
    )
    assert.deepEqual(titles(await app.get(ann, `${wiki}/pages`)), ['a', 'b', 'c'])
  })
})

suite('/repos/{owner}/{repo}/wiki/page/{pageName}', () => {
  test('is found by its address, its title and its file', async (t) => {
    const { app, add } = await start(t)
    const pages: readonly [string, string, readonly string[]][] = [
      ['Home Page', 'Home-Page', ['Home-Page', 'Home%20Page', 'Home+Page', 'Home-Page.md']],
      ['2000-01-02 a', '2000-01-02+a.-', ['2000-01-02+a.-', '2000-01-02%20a.-', '2000-01-02%20a']],
      ['100% free', '100%25-free', ['100%25-free', '100%25%20free', '100%2525-free']],
      ['a/b', 'a%2Fb', ['a%2Fb', 'a/b', 'a%252Fb', 'a%252Fb.md']],
      ['c+d', 'c%2Bd', ['c%2Bd', 'c%252Bd']],
      ['ä (!)', '%C3%A4-%28%21%29', ['%C3%A4-%28%21%29', '%C3%A4%20(!)']],
      ['x.md', 'x.md.-', ['x.md.-', 'x.md.-.md']],
    ]

    for (const [title, address, names] of pages) {
      const { body } = await add(title, title)
      assert.deepEqual([body.title, body.sub_url], [title, address])
      for (const name of names) {
        const found = await app.get(undefined, `${wiki}/page/${name}`)
        assertStatus(found, 200)
        assert.equal(found.body.content_base64, base64(title), name)
        assertStatus(await app.get(undefined, `${wiki}/revisions/${name}`), 200)
      }
    }
    for (const name of ['none', 'home-page', '', 'README', '%2E%2E%2Fx']) {
      assert.equal((await app.get(undefined, `${wiki}/page/${name}`)).status, 404, name)
    }
  })

  test('shows sidebar and footer, and how often it has changed', async (t) => {
    const { app, ann, add } = await start(t)
    for (const title of ['Home', '_Sidebar', '_Footer']) await add(title, `${title} text`)

    const edited = await app.patch(ann, `${wiki}/page/Home`, { content_base64: base64('new') })

    assertStatus(edited, 200)
    assert.partialDeepStrictEqual(edited.body, {
      title: 'Home',
      content_base64: base64('new'),
      commit_count: 2,
      sidebar: base64('_Sidebar text'),
      footer: base64('_Footer text'),
      last_commit: { message: 'Update "Home"\n' },
    })
  })

  test('is renamed, with or without other content', async (t) => {
    const { app, ann, add } = await start(t)
    await add('Home', 'one')
    await add('Other', 'two')
    const page = `${wiki}/page/Home`

    assertError(await app.patch(ann, page, { title: 'Other' }), 400, /already exists/)
    assertError(await app.patch(ann, page, { title: 'raw' }), 400)
    assertError(await app.patch(ann, page, { content_base64: '*' }), 400)
    assertError(await app.patch(ann, `${wiki}/page/none`, { title: 'x' }), 404)
    const moved = await app.patch(ann, page, { title: 'New Home', message: 'Move' })
    assert.partialDeepStrictEqual(moved.body, {
      title: 'New Home',
      sub_url: 'New-Home',
      content_base64: base64('one'),
      last_commit: { message: 'Move\n' },
    })
    assertError(await app.get(ann, page), 404)
    assert.deepEqual(await filesIn(app), ['New-Home.md', 'Other.md'])
    const emptied = await app.patch(ann, `${wiki}/page/New-Home`, { content_base64: '' })
    assert.equal(emptied.body.content_base64, '')
  })

  test('is deleted', async (t) => {
    const { app, ann, add } = await start(t)
    await add('Home')
    await add('Other')

    assertStatus(await app.delete(ann, `${wiki}/page/Home`), 204)

    assertError(await app.get(ann, `${wiki}/page/Home`), 404)
    assertError(await app.delete(ann, `${wiki}/page/Home`), 404)
    const log = await app.ctx.git.text(await folderOf(app), ['log', '--format=%s', '-1'])
    assert.equal(log, 'Delete "Home"')
    assertStatus(await app.delete(ann, `${wiki}/page/Other`), 204)
    assert.deepEqual((await app.get(ann, `${wiki}/pages`)).body, [])
    assertStatus(await add('Home'), 201)
  })

  test('is changed by those who write the wiki', async (t) => {
    const { app, ann, bob, cleo, add } = await start(t)
    await add('Home')
    const page = `${wiki}/page/Home`
    const reading = await app.withToken(ann.account, ['read:repository'])

    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? {} : undefined
      assertError(await app.send(undefined, method, page, body), 401)
      assertError(await app.send(cleo, method, page, body), 403)
      assertError(await app.send(reading, method, page, body), 403, /scope/)
    }
    assertStatus(await app.patch(bob, page, { content_base64: base64('x') }), 200)
    assertStatus(await app.delete(bob, page), 204)
  })

  test('and nothing else of a wiki is there before its first page', async (t) => {
    const { app, ann } = await start(t)

    for (const path of ['page/Home', 'pages', 'revisions/Home']) {
      assertError(await app.get(ann, `${wiki}/${path}`), 404)
    }
    assertError(await app.patch(ann, `${wiki}/page/Home`, {}), 404)
    assertError(await app.delete(ann, `${wiki}/page/Home`), 404)
    assert.equal(existsSync(await folderOf(app)), false)
  })
})

suite('/repos/{owner}/{repo}/wiki', () => {
  test('lists its pages, and nothing that is none', async (t) => {
    const { app, ann, cleo, add } = await start(t)
    for (const title of ['b', 'a', 'c d']) await add(title)
    await app.patch(ann, `${wiki}/page/a`, { message: 'again', content_base64: base64('x') })
    await app.ctx.git.run(await folderOf(app), ['fast-import', '--quiet'], {
      input:
        'commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\n' +
        'M 100644 inline image.png\ndata 1\nx\nM 120000 inline link.md\ndata 1\nx\nM 100644 inline deep/x.md\ndata 1\nx\n' +
        'M 100644 inline z z.md\ndata 1\nx\n',
    })

    const { status, body, headers } = await app.get(cleo, `${wiki}/pages`)

    assert.equal(status, 200)
    assert.deepEqual(
      body.map((page: Record<string, { message: string }>) => [
        page['title'],
        page['sub_url'],
        page['last_commit']?.message,
      ]),
      [
        ['a', 'a', 'again\n'],
        ['b', 'b', 'Add "b"\n'],
        ['c d', 'c-d', 'Add "c d"\n'],
        ['z z', 'z-z', 'x'],
      ],
    )
    assert.equal(headers['x-total-count'], '4')
    assertStatus(await app.get(cleo, `${wiki}/page/z%20z`), 200)
    const second = await app.get(undefined, `${wiki}/pages?limit=2&page=2`)
    assert.deepEqual(titles(second), ['c d', 'z z'])
    assert.equal(second.headers['x-total-count'], '4')
    assert.deepEqual(titles(await app.get(undefined, `${wiki}/pages?page=9`)), [])
  })

  test('lists the revisions of a page', async (t) => {
    const { app, ann, cleo, add } = await start(t)
    await add('Home')
    await add('Other')
    for (const message of ['two', 'three'])
      await app.patch(ann, `${wiki}/page/Home`, { message, content_base64: base64(message) })

    const { status, body, headers } = await app.get(cleo, `${wiki}/revisions/Home`)

    assert.equal(status, 200)
    assert.equal(body.count, 3)
    assert.deepEqual(
      body.commits.map(({ message }: { message: string }) => message),
      ['three\n', 'two\n', 'Add "Home"\n'],
    )
    assert.deepEqual(Object.keys(body.commits[0]), ['sha', 'author', 'commiter', 'message'])
    assert.equal(headers['x-total-count'], '3')
    const second = await app.get(cleo, `${wiki}/revisions/Home?page=2&limit=2`)
    assert.deepEqual([second.body.count, second.body.commits.length], [3, 1])
    assertError(await app.get(cleo, `${wiki}/revisions/none`), 404)
  })

  test('is not for those who may not read it', async (t) => {
    const { app, ann, bob, cleo, add } = await start(t)
    await add('Home')
    await app.patch(ann, '/repos/ann/one', { private: true })
    const narrow = await app.withToken(ann.account, ['public-only', 'all'])
    const other = await app.withToken(ann.account, ['read:user'])

    for (const path of ['page/Home', 'pages', 'revisions/Home']) {
      for (const who of [cleo, undefined, narrow]) {
        assertError(await app.get(who, `${wiki}/${path}`), 404)
      }
      assertError(await app.get(other, `${wiki}/${path}`), 403, /scope/)
      assertStatus(await app.get(bob, `${wiki}/${path}`), 200)
    }
  })
})

suite('the name of a page', () => {
  for (const title of [
    'Home',
    'a b',
    'a-b',
    'a - b',
    '100%',
    'a/b',
    'x.md',
    '.-',
    '+',
    'ä&?#',
    '%20',
    '-',
    'a.-',
  ]) {
    test(`${title} survives as a file and as an address`, () => {
      const file = fileOf(addressOf(title))
      assert.equal(titleOfFile(file), title)
      assert.equal(addressOfFile(file), addressOf(title))
      assert.doesNotMatch(file, /\//)
    })
  }
})
