// One database is enough: git is asked.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, startWithRepository } from '../../code/commits/setup.ts'
import { evil, hasScript, importCommits, visit, wordsOf } from './support.ts'

suite('GET /{owner}/{repo}/commits/{kind}/{ref}/{path}?q=', () => {
  const subjects = ({ text }: Awaited<ReturnType<typeof visit>>) =>
    Array.from(text.matchAll(/class="subject"[^>]*>([^<]*)</g), ([, subject]) => subject)

  test('finds commits by their messages, whatever the case, newest first', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'a.txt': 'x' }, { message: 'Light the lamp' })
    await commit(setup, { 'b.txt': 'x' }, { message: 'Other' })
    await commit(setup, { 'c.txt': 'x' }, { message: 'Further\n\nsince the LAMP went out' })

    const page = await visit(setup.app, '/ann/one/commits/branch/main?q=+the+lamp+')
    const ofPath = await visit(setup.app, '/ann/one/commits/branch/main/a.txt?q=lamp')
    const none = await visit(setup.app, '/ann/one/commits/branch/main?q=torch')

    assert.deepEqual(subjects(page), ['Further', 'Light the lamp'])
    assert.match(wordsOf(page), /2 commits/)
    assert.match(page.text, /name="q" value="the lamp"/)
    assert.deepEqual(subjects(ofPath), ['Light the lamp'])
    assert.match(wordsOf(none), /0 commits .*There are no commits here\./)
    const unknown = await visit(setup.app, '/ann/one/commits/branch/main/none?q=lamp')
    assert.equal(unknown.status, 404)
  })

  test('shows what it finds page by page, and how many of very many', async (t) => {
    const setup = await startWithRepository(t)
    await importCommits(setup, 1_010)

    const second = await visit(setup.app, '/ann/one/commits/branch/main?q=number&page=2')

    assert.equal(subjects(second)[0], 'number 960')
    assert.match(second.text, /href="\/ann\/one\/commits\/branch\/main\?q=number&amp;page=3"/)
    assert.match(wordsOf(second), /The first 1,000 commits: there are more/)
    assert.match(wordsOf(second), /Page 2 of 20/)
  })

  test('takes words as they are written, never as options or expressions', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'a.txt': 'x' }, { message: `a.c --all ${evil}` })
    await commit(setup, { 'b.txt': 'x' }, { message: 'abc' })
    const found = async (words: string) => {
      const address = `/ann/one/commits/branch/main?q=${encodeURIComponent(words)}`
      const page = await visit(setup.app, address)
      assert.equal(page.status, 200)
      assert.equal(hasScript(page), false)
      return Number(/(\d+) commits?/.exec(wordsOf(page))?.[1])
    }

    assert.equal(await found('a.c'), 1)
    assert.equal(await found('--all'), 1)
    assert.equal(await found(evil), 1)
    assert.equal(await found('a.c\nabc'), 1)
    assert.equal(await found('.*'), 0)
  })
})
