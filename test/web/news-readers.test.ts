// One database is enough: what they are told is what the pages tell.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { commit, makePrivate, startWithRepository } from '../code/commits/setup.ts'
import type { TestAnswer } from '../support/app.ts'
import { openPage, skipWithoutBrowser } from '../support/browser.ts'
import { assertStatus } from '../support/expect.ts'
import { signIn, Visitor } from './support.ts'

interface Told {
  readonly titles: readonly string[]
  readonly links: readonly string[]
  readonly contents: readonly string[]
}

const names = {
  atom: { entry: 'entry', content: 'content' },
  rss: { entry: 'item', content: 'description' },
} as const

/** What a program gets that reads the document strictly, as a browser does. */
async function read(t: TestContext, { text }: TestAnswer, format: 'atom' | 'rss'): Promise<Told> {
  const page = await openPage(t)
  return page.evaluate(
    ({ document, entry, content }) => {
      const parsed = new DOMParser().parseFromString(document, 'text/xml')
      const problem = parsed.querySelector('parsererror')
      if (problem) throw new Error(problem.textContent ?? '')
      const of = (name: string) =>
        [...parsed.querySelectorAll(`${entry} > ${name}`)].map(
          (found) => found.getAttribute('href') ?? found.textContent ?? '',
        )
      return { titles: of('title'), links: of('link'), contents: of(content) }
    },
    { document: text, ...names[format] },
  )
}

const base = 'http://codestead.test'
const odd = 'Ünïts <b>"&"</b> \u0001\ufffe🚀'
const shown = 'Ünïts <b>"&"</b> 🚀'

suite('programs that collect news', { skip: skipWithoutBrowser }, () => {
  for (const format of ['atom', 'rss'] as const) {
    test(`are told by ${format} what happens in a repository`, async (t) => {
      const setup = await startWithRepository(t)
      const { app, bob } = setup
      const id = await commit(setup, { 'a.txt': 'x' }, { message: `Add ${odd}` })
      await app.post(bob, '/repos/ann/one/issues', { title: odd })

      const answer = await new Visitor(app).get(`/ann/one.${format}`)

      assertStatus(answer, 200)
      assert.match(answer.headers['content-type'] ?? '', new RegExp(`^application/${format}`))
      const { titles, links, contents } = await read(t, answer, format)
      assert.deepEqual(titles.slice(0, 2), ['bob opened the issue #1', 'ann pushed to main'])
      assert.deepEqual(links.slice(0, 2), [
        `${base}/ann/one/issues/1`,
        `${base}/ann/one/src/branch/main`,
      ])
      assert.ok(contents[0]?.includes('Ünïts &lt;b&gt;&quot;&amp;&quot;&lt;/b&gt; 🚀'), contents[0])
      assert.ok(contents[1]?.includes(`href="${base}/ann/one/commit/${id}"`), contents[1])
      assert.equal(titles.at(-1), 'ann created the repository')
    })
  }

  test('are told what people and organizations do, as far as everybody may know', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await app.post(ann, '/orgs', { username: 'acme', full_name: 'A & B' })
    await app.post(ann, '/orgs/acme/repos', { name: 'open' })
    await app.post(ann, '/user/repos', { name: 'closed', private: true })
    const byAnn = await signIn(app, 'ann')

    const told = async (visitor: Visitor, path: string) =>
      (await read(t, await visitor.get(path), 'atom')).titles

    assert.deepEqual(await told(new Visitor(app), '/acme.atom'), [
      'ann created the repository · acme/open',
    ])
    const titles = await told(new Visitor(app), '/ann.atom')
    assert.ok(titles.includes('ann created the repository · acme/open'))
    assert.ok(!titles.some((title) => title.includes('closed')))
    assert.ok((await told(byAnn, '/ann.atom')).some((title) => title.includes('closed')))
  })

  test('are told of releases with their notes, and of no drafts', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await commit(setup, { 'a.txt': 'x' })
    const release = { tag_name: 'v1', name: odd, body: 'See [a](a.txt) & #1' }
    assertStatus(await app.post(ann, '/repos/ann/one/releases', release), 201)
    await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v2', name: 'D', draft: true })

    const page = await (await signIn(app, 'ann')).get('/ann/one/releases.rss')

    const { titles, contents } = await read(t, page, 'rss')
    assert.deepEqual(titles, [shown])
    assert.match(contents[0] ?? '', /href="http:\/\/[^"/]+\/ann\/one\/src\/tag\/v1\/a\.txt"/)
  })

  test('are told of tags, also of those without a release', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await commit(setup, { 'a.txt': 'x' }, { message: 'Add a' })
    const tag = async (name: string, message?: string) =>
      assertStatus(await app.post(ann, '/repos/ann/one/tags', { tag_name: name, message }), 201)
    await tag('plain')
    await tag('v1/rc', `First ${odd}`)

    const { titles, links, contents } = await read(
      t,
      await new Visitor(app).get('/ann/one/tags.atom'),
      'atom',
    )

    assert.deepEqual(titles.toSorted(), ['plain', 'v1/rc'])
    const first = titles.indexOf('v1/rc')
    assert.equal(links[first], `${base}/ann/one/src/tag/v1/rc`)
    assert.match(contents[first] ?? '', /First Ünïts &lt;b&gt;/)
    assert.match(contents[1 - first] ?? '', /Add a/)
  })

  test('are told of the commits of a branch, and of those of a file', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    const id = await commit(setup, { 'a/b c.txt': 'x' }, { message: `Add ${odd}\n\nWhy: <i>` })
    await commit(setup, { 'd.txt': 'x' }, { message: 'Add d' })
    const told = async (path: string) => read(t, await new Visitor(app).get(path), 'atom')

    const all = await told('/ann/one/atom/branch/main')
    const some = await told('/ann/one/atom/branch/main/a/b%20c.txt')

    assert.deepEqual(all.titles, ['Add d', `Add ${shown}`, 'Initial commit'])
    assert.deepEqual(some.titles, [`Add ${shown}`])
    assert.deepEqual(some.links, [`${base}/ann/one/commit/${id}`])
    assert.match(some.contents[0] ?? '', /\n\nWhy: &lt;i&gt;/)
    assertStatus(await new Visitor(app).get('/ann/one/rss/branch/none'), 404)
  })
})

suite('news', () => {
  test('are found from the pages of what they are about', async (t) => {
    const { app } = await startWithRepository(t)

    for (const [page, news] of [
      ['/ann', '/ann.atom'],
      ['/ann/one/issues', '/ann/one.atom'],
      ['/ann/one/releases', '/ann/one/releases.atom'],
      ['/ann/one/tags', '/ann/one/tags.atom'],
    ] as const) {
      const { text } = await new Visitor(app).get(page)
      assert.ok(text.includes(`rel="alternate" type="application/atom+xml" href="${news}"`), page)
      assertStatus(await new Visitor(app).get(news), 200)
    }
  })

  test('are sent again only when there are any', async (t) => {
    const { app, bob } = await startWithRepository(t)
    const reader = new Visitor(app)
    const { etag = '' } = (await reader.get('/ann/one.atom')).headers

    const same = await reader.get('/ann/one.atom', { 'if-none-match': etag })
    await app.post(bob, '/repos/ann/one/issues', { title: 'x' })
    const other = await reader.get('/ann/one.atom', { 'if-none-match': etag })

    assert.deepEqual([same.status, same.text], [304, ''])
    assert.equal(other.status, 200)
  })

  test('and keys follow what is renamed', async (t) => {
    const { app, ann } = await startWithRepository(t)
    const root = await app.addAdmin()
    assertStatus(await app.patch(ann, '/repos/ann/one', { name: 'two' }), 200)
    assertStatus(await app.post(root, '/admin/users/ann/rename', { new_username: 'eve' }), 204)

    for (const [from, to] of [
      ['/eve/one.atom', '/eve/two.atom'],
      ['/ann/two.rss', '/eve/two.rss'],
      ['/eve/one/releases.atom', '/eve/two/releases.atom'],
      ['/ann.atom', '/eve.atom'],
      ['/ann.keys', '/eve.keys'],
    ] as const) {
      assert.equal((await new Visitor(app).get(from)).headers['location'], to)
      assertStatus(await new Visitor(app).get(to), 200)
    }
  })

  test('are not there for those to whom the repository is not', async (t) => {
    const setup = await startWithRepository(t)
    await makePrivate(setup)
    const { app } = setup

    for (const path of [
      '/ann/one.rss',
      '/ann/one/releases.atom',
      '/ann/one/tags.atom',
      '/ann/none.rss',
      '/none.atom',
    ]) {
      assertStatus(await new Visitor(app).get(path), 404)
    }
    assertStatus(await (await signIn(app, 'ann')).get('/ann/one.rss'), 200)
  })
})
