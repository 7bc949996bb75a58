import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { baseUrl } from '../../../src/platform/config/urls.ts'
import { countStatements } from '../../support/statements.ts'
import { signIn } from '../support.ts'
import { addIssue, issues, startWithIssues } from './setup.ts'

const id = 'c0ffee0123456789c0ffee0123456789c0ffee01'

suite('what a text refers to', () => {
  test('is linked where it is named, and nowhere else', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, visitor } = setup
    await app.addPerson('shy', { visibility: 'private' })
    const cases: Readonly<Record<string, string>> = {
      'see #12.': 'see <a href="/ann/one/issues/12" rel="nofollow noopener">#12</a>.',
      'bob/two#3': '<a href="/bob/two/issues/3" rel="nofollow noopener">bob/two#3</a>',
      'thanks, @Bob!': 'thanks, <a href="/Bob" rel="nofollow noopener">@Bob</a>!',
      [`in ${id}`]: `in <a href="/ann/one/commit/${id}" rel="nofollow noopener">c0ffee0123</a>`,
      '**#4**': '<strong><a href="/ann/one/issues/4" rel="nofollow noopener">#4</a></strong>',
      '@nobody @shy a#1 x@bob #0 #1a ../..#9': '@nobody @shy a#1 x@bob #0 #1a ../..#9',
      '`#5 @bob`': '<code>#5 @bob</code>',
      '[#6 @bob](https://example.org/)':
        '<a href="https://example.org/" rel="nofollow noopener">#6 @bob</a>',
      '<a href="/x">#7</a>': '<a href="/x" rel="nofollow noopener">#7</a>',
      'https://example.org/#8': 'rel="nofollow noopener">https://example.org/#8</a>',
    }

    for (const [body, shown] of Object.entries(cases)) {
      const number = await addIssue(setup, ann, { body })
      const { text } = await visitor.get(`${issues}/${number}`)
      const said = /<div class="prose">(.*?)<\/div>/s.exec(text)?.[1] ?? ''
      assert.ok(said.includes(shown), `${body} is shown as ${said}`)
      assert.equal(said.split('<a ').length - 1, shown.split('</a>').length - 1, body)
    }
  })

  test('is linked for those who may know of it, whoever has looked before them', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, visitor } = setup
    await app.addPerson('shy', { visibility: 'private' })
    const byShy = await signIn(app, 'shy')
    const link = '<a href="/shy" rel="nofollow noopener">@shy</a>'
    for (const [index, order] of [
      [visitor, byShy],
      [byShy, visitor],
    ].entries()) {
      const number = await addIssue(setup, ann, { body: `ask @shy ${index}` })
      for (const who of [...order, ...order]) {
        const { text } = await who.get(`${issues}/${number}`)
        assert.equal(text.includes(link), who === byShy)
      }
    }
  })

  test('is looked for by as many statements, however much is said', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byAnn } = setup
    const comments = '/repos/ann/one/issues/1/comments'
    await addIssue(setup, ann, { body: 'for @bob' })
    await app.post(bob, comments, { body: 'I, @ann, see' })
    const counting = countStatements(t, app)
    const look = () => counting(async () => void (await byAnn.get(`${issues}/1`)))
    await look()
    const few = await look()

    for (let index = 0; index < 9; index++) await app.post(bob, comments, { body: `@ann ${index}` })

    assert.equal(await look(), few)
  })

  test('is looked for in the code where it is an address of nothing else', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, visitor } = setup
    const own = `${baseUrl(app.ctx.config)}/attachments/1`
    const cases: Readonly<Record<string, string>> = {
      '[guide](docs/a b.md#x)': '[guide](docs/a b.md#x)',
      '[guide](docs/guide.md#x)':
        '<a href="/ann/one/src/branch/main/docs/guide.md#user-content-x" rel="nofollow noopener">guide</a>',
      '![logo](img/logo.png)': '<img src="/ann/one/media/branch/main/img/logo.png" alt="logo" />',
      '[there](/bob) [here](#reply)':
        '<a href="/bob" rel="nofollow noopener">there</a> <a href="#reply" rel="nofollow noopener">here</a>',
      '![a](/attachments/1)': '<img src="/attachments/1" alt="a" />',
      [`![a](${own})`]: `<img src="${own}" alt="a" />`,
      '![far](https://example.org/x.png)':
        '<a href="https://example.org/x.png" rel="nofollow noopener">far</a>',
      '![](//example.org/x.png)': '<p dir="auto"><span></span></p>',
      '[![far](https://example.org/x.png)](https://example.org/)':
        '<a href="https://example.org/" rel="nofollow noopener"><span>far</span></a>',
      '## Heading': '<h3 dir="auto">Heading</h3>',
    }

    for (const [body, shown] of Object.entries(cases)) {
      const number = await addIssue(setup, ann, { body })
      const { text } = await visitor.get(`${issues}/${number}`)
      const said = /<div class="prose">(.*?)<\/div>/s.exec(text)?.[1] ?? ''
      assert.ok(said.includes(shown), `${body} is shown as ${said}`)
    }
  })

  test('is looked for in no more time than it takes to read it', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, visitor } = setup
    for (const piece of ['a/', '@a.', 'a.b-', '#', 'f0']) {
      const number = await addIssue(setup, ann, { body: piece.repeat(8000) })
      assert.equal((await visitor.get(`${issues}/${number}`)).status, 200)
    }
  })
})
