// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, makePrivate, startWithRepository } from '../../code/commits/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { edit, evil, hasScript, visit } from './support.ts'

/** The commit of each run of lines, and how many there are. */
function runsOf({ text }: TestAnswer): readonly string[] {
  const found = text.matchAll(/rowspan="(\d+)"><span><a class="subject" href="([^"]+)">([^<]*)</g)
  return Array.from(found, ([, count, path, subject]) => `${count} ${subject} ${path}`)
}

suite('GET /{owner}/{repo}/blame/{kind}/{ref}/{path}', () => {
  test('shows beside the lines the commits that wrote them', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const first = await commit(setup, { 'a/b.ts': 'const a = 1\nb\nc\n' }, { message: 'One' })
    const second = await commit(
      setup,
      { 'a/b.ts': `const a = 1\n${evil}\nc\nd\n` },
      { message: `Two ${evil}` },
    )
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })

    for (const ref of ['branch/main', 'tag/v1', `commit/${second}`]) {
      const page = await visit(app, `/ann/one/blame/${ref}/a/b.ts`)
      assert.equal(page.status, 200, ref)
      assert.deepEqual(runsOf(page), [
        `1 One /ann/one/commit/${first}`,
        `1 Two &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; /ann/one/commit/${second}`,
        `1 One /ann/one/commit/${first}`,
        `1 Two &lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; /ann/one/commit/${second}`,
      ])
      assert.match(page.text, /<tr id="L4">/)
      assert.match(page.text, /hljs-keyword">const/)
      assert.ok(!hasScript(page))
    }
    const before = await visit(app, `/ann/one/blame/commit/${first}/a/b.ts`)
    assert.deepEqual(runsOf(before), [`3 One /ann/one/commit/${first}`])
  })

  test('says who wrote each block and when, also where it has one line', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    await commit(setup, { 'a.txt': 'one\n' })

    const page = await visit(app, '/ann/one/blame/branch/main/a.txt')
    const [, styles = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page.text) ?? []
    const sheet = (await visit(app, styles)).text

    assert.match(page.text, /<th scope="rowgroup" rowspan="1">.*<span class="mute">.*ann.*<time/)
    const hiding = /[^{}]*\{[^{}]*(?:display: ?none|visibility: ?hidden)[^{}]*\}/g
    const rules = Array.from(sheet.matchAll(hiding), ([rule]) => rule)
    assert.ok(rules.length > 0)
    assert.deepEqual(
      rules.filter((rule) => rule.includes('.blame')),
      [],
    )
  })

  test('is linked from texts, and there for nothing else', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    await commit(setup, { 'data.bin': 'a\0b', 'empty.txt': '', 'a/b.txt': 'x', '-x[1]*': 'x\n' })

    assert.match(
      (await visit(app, '/ann/one/src/branch/main/a/b.txt')).text,
      /href="\/ann\/one\/blame\/branch\/main\/a\/b\.txt"/,
    )
    assert.equal((await visit(app, '/ann/one/blame/branch/main/-x%5B1%5D*')).status, 200)
    for (const path of ['data.bin', 'empty.txt']) {
      assert.doesNotMatch((await visit(app, `/ann/one/src/branch/main/${path}`)).text, />Blame</)
    }
    for (const path of ['data.bin', 'empty.txt']) {
      const page = await visit(app, `/ann/one/blame/branch/main/${path}`)
      assert.equal(page.status, 200)
      assert.match(page.text, /has no blame: it is empty, not text, or too long/)
      assert.match(page.text, new RegExp(`href="/ann/one/src/branch/main/${path}">Show the file`))
    }
    for (const path of ['a', 'none', ''])
      assert.equal((await visit(app, `/ann/one/blame/branch/main/${path}`)).status, 404, path)
    assert.equal((await visit(app, '/ann/one/blame/tag/main/README.md')).status, 404)
  })

  test('is missing where the code is not shown', async (t) => {
    const setup = await startWithRepository(t)
    const path = '/ann/one/blame/branch/main/README.md'
    assert.equal((await visit(setup.app, path)).status, 200)

    await edit(setup, { has_code: false })
    assert.equal((await visit(setup.app, path)).status, 404)
    await edit(setup, { has_code: true })
    await makePrivate(setup)
    assert.equal((await visit(setup.app, path)).status, 404)
  })
})
