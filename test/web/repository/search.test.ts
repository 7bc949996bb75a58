// One database is enough: git is asked.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, makePrivate, startWithRepository } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, visit, wordsOf } from './support.ts'

const path = '/ann/one/search/branch/main'

suite('GET /{owner}/{repo}/search/{kind}/{ref}', () => {
  test('shows the lines that hold the words, whatever their case', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    await commit(setup, {
      'src/lamp.ts': 'const a = 1\nlightTheLAMP(a)\n',
      'docs/odd name.md': 'x\n\n<b>the lamp</b>: 12:y\n',
      'other.txt': 'nothing\n',
    })

    const page = await visit(app, `${path}?q=the+lamp`)
    const both = await visit(app, `${path}?q=lamp`)

    assertStatus(page, 200)
    assert.match(page.text, /href="\/ann\/one\/src\/branch\/main\/docs\/odd%20name\.md#L3"/)
    assert.match(page.text, /&lt;b&gt;<mark>the lamp<\/mark>&lt;\/b&gt;: 12:y</)
    assert.match(wordsOf(page), /1 file /)
    assert.match(both.text, /lightThe<mark>LAMP<\/mark>\(a\)/)
    assert.match(wordsOf(both), /2 files /)
    assert.match((await visit(app, '/ann/one')).text, new RegExp(`href="${path}"`))
  })

  test('searches other branches, tags and commits as they were', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    const before = await commit(setup, { 'a.txt': 'early bird' })
    await app.post(ann, '/repos/ann/one/tags', { tag_name: 'v1', target: before })
    await commit(setup, { 'b.txt': 'early worm' }, { new_branch: 'feature/x' })

    const count = async (place: string) =>
      (await visit(app, `/ann/one/search/${place}?q=early`)).text.match(/<mark>/g)?.length ?? 0
    assert.equal(await count('branch/main'), 1)
    assert.equal(await count('branch/feature/x'), 2)
    assert.equal(await count('tag/v1'), 1)
    assert.equal(await count(`commit/${before}`), 1)
    assertStatus(await visit(app, '/ann/one/search/branch/none?q=early'), 404)
  })

  test('takes words as they are written, never as options, expressions or several', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    await commit(setup, { 'a.txt': `a.c --open-files-in-pager=x ${evil}\nabc\n` })
    const found = async (words: string) => {
      const page = await visit(app, `${path}?q=${encodeURIComponent(words)}`)
      assertStatus(page, 200)
      assert.equal(hasScript(page), false)
      return page.text.match(/data-line="\d+"/g)?.length ?? 0
    }

    assert.equal(await found('a.c'), 1)
    assert.equal(await found('--open-files-in-pager=x'), 1)
    assert.equal(await found(evil), 1)
    assert.equal(await found('a.c\nabc'), 1)
    assert.equal(await found('.*'), 0)
    assert.equal(await found('-Oless'), 0)
    assert.equal(await found('x'.repeat(10_000)), 0)
    assert.match(wordsOf(await visit(app, `${path}?q=.*`)), /No line holds this\./)
  })

  test('asks for more than one letter', async (t) => {
    const { app } = await startWithRepository(t)

    for (const words of ['', 'a', '%20%20a%20']) {
      assert.match(wordsOf(await visit(app, `${path}?q=${words}`)), /at least two letters/)
    }
  })

  test('leaves out what is no text, and shows a part of what is long', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    await commit(setup, {
      'binary.dat': `needle\0needle`,
      'long.txt': `${'a'.repeat(5000)}needle${'b'.repeat(5000)}\n`,
      'often.txt': 'needle\n'.repeat(8),
    })

    const page = await visit(app, `${path}?q=needle`)

    assert.doesNotMatch(page.text, /binary\.dat/)
    assert.match(page.text, />…a{80}<mark>needle<\/mark>b{214}…</)
    assert.match(wordsOf(page), /often\.txt 3 more lines/)
    assert.equal(page.text.match(/data-line/g)?.length, 6)
  })

  test('says that there is more than it shows', async (t) => {
    const setup = await startWithRepository(t)
    const names = Array.from({ length: 60 }, (_, number) => [`f${number}.txt`, 'needle\n'])
    await commit(setup, Object.fromEntries(names) as Record<string, string>)

    const page = await visit(setup.app, `${path}?q=needle`)
    await commit(setup, { 'flood.txt': `needle ${'x'.repeat(80)}\n`.repeat(11_000) })
    const flooded = await visit(setup.app, `${path}?q=needle`)

    assert.match(wordsOf(page), /The first 50 files/)
    assert.equal(page.text.match(/<mark>/g)?.length, 50)
    assert.match(wordsOf(flooded), /The first 50 files/)
  })

  test('is missing where the code is not shown', async (t) => {
    const setup = await startWithRepository(t)
    await makePrivate(setup)

    assertStatus(await visit(setup.app, `${path}?q=one`), 404)
  })
})
