// One database is enough: commits are in git.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { visit } from '../../web/repository/support.ts'
import { importInto, startWithRepository, type Setup } from './setup.ts'

const MB = 1_000_000
const long = `subject ${'s'.repeat(100_000)}\n\n${'word '.repeat(MB / 4)}`

/** Ten commits, each with a message of 1.3 MB and a name of 100 KB, and as many tags. */
async function startWithLong(t: TestContext): Promise<Setup> {
  const setup = await startWithRepository(t)
  const person = `${'n'.repeat(100_000)} <ann@example.org> 1700000000 +0000`
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const commits = Array.from({ length: 10 }, (_, at) =>
    [
      `commit refs/heads/long\nmark :${at + 1}\ncommitter ${person}\n${data(`${at} ${long}`)}`,
      at === 0 ? '' : `from :${at}\n`,
      `M 100644 inline a.txt\n${data(String(at))}`,
      `tag v${at}\nfrom :${at + 1}\ntagger ${person}\n${data(`${at} ${long}`)}`,
    ].join(''),
  )
  await importInto(setup, commits.join(''))
  return setup
}

suite('messages and names that are long', () => {
  test('fit into an answer of the API, in lists and by themselves', async (t) => {
    const { app, ann, path } = await startWithLong(t)

    for (const list of ['commits?sha=long', 'tags', 'branches', 'compare/main...long']) {
      const answer = await app.get(ann, `${path}/${list}`)
      assertStatus(answer, 200)
      assert.ok(answer.text.length < 5 * MB, `${list}: ${answer.text.length}`)
    }
    const { body } = await app.get(ann, `${path}/commits?sha=long&limit=3`)
    const one = await app.get(ann, `${path}/git/commits/${body[0].sha}`)

    assert.equal(body.length, 3)
    assert.match(body[0].commit.message, /^9 subject s+\n\nword word /)
    assert.ok(body[0].commit.author.name.length <= 1024)
    assert.ok(one.body.commit.message.length <= 1_048_576)
    assert.ok(one.body.commit.message.length >= 1_000_000)
  })

  test('are cut on pages and in feeds, with a way to the whole', async (t) => {
    const setup = await startWithLong(t)
    const { app, ann, path } = setup
    const { body } = await app.get(ann, `${path}/commits?sha=long&limit=1`)
    const id = body[0].sha as string

    for (const page of [
      '/ann/one/commits/branch/long',
      '/ann/one/src/branch/long',
      '/ann/one/blame/branch/long/a.txt',
      '/ann/one/branches',
      '/ann/one/tags',
      '/ann/one/rss/branch/long',
      '/ann/one/tags.rss',
    ]) {
      const answer = await visit(app, page)
      assertStatus(answer, 200)
      assert.ok(answer.text.length < 0.5 * MB, `${page}: ${answer.text.length}`)
    }
    const commit = await visit(app, `/ann/one/commit/${id}`)
    const feed = await visit(app, '/ann/one/rss/branch/long')

    assert.ok(commit.text.length < 0.2 * MB, String(commit.text.length))
    assert.match(commit.text, /beginning of a long message.*href="\/ann\/one\/commit\/\w+\.patch"/)
    assert.match(feed.text, /The rest of the message/)
    const patch = await visit(app, `/ann/one/commit/${id}.patch`)
    assert.ok(patch.text.length > 1.2 * MB)
  })
})
