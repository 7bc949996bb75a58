// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, startWithRepository } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { signIn } from '../support.ts'
import { partsOf, workFor } from './long-documents.ts'
import { visit } from './support.ts'

suite('long documents', () => {
  test('are rendered once for many views', async (t) => {
    const setup = await startWithRepository(t)
    const works: number[] = []
    for (const word of ['warm', 'warmer', 'ready']) {
      await commit(setup, { 'README.md': `${word}\n\n${partsOf(95_000)}` })
      works.push(await workFor(setup.app, '/ann/one'))
    }

    const later = [
      await workFor(setup.app, '/ann/one'),
      await workFor(setup.app, '/ann/one'),
      await workFor(setup.app, '/ann/one'),
    ]

    assert.ok(Math.min(...later) < Math.min(...works) / 2, `${works.join(' ')}: ${later.join(' ')}`)
  })

  test('are rendered again where they lead elsewhere, and for who sees other things', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const text = 'See #1, ann/hidden#1 and [this](a.md).'
    await commit(setup, { 'README.md': text, 'docs/README.md': text })
    assertStatus(await app.post(ann, '/user/repos', { name: 'hidden', private: true }), 201)
    assertStatus(await app.post(ann, '/repos/ann/hidden/issues', { title: 'x' }), 201)
    const byAnn = await signIn(app, 'ann')
    const before = await visit(app, '/ann/one')
    assertStatus(await app.post(ann, `${path}/issues`, { title: 'x' }), 201)

    const after = await visit(app, '/ann/one')
    const own = await byAnn.get('/ann/one')
    const other = await visit(app, '/ann/one/src/branch/main/docs')
    assertStatus(await app.patch(ann, path, { name: 'two' }), 200)
    const renamed = await visit(app, '/ann/two')

    assert.doesNotMatch(before.text, /href="\/ann\/one\/issues\/1"/)
    assert.match(after.text, /href="\/ann\/one\/issues\/1"/)
    assert.doesNotMatch(after.text, /href="\/ann\/hidden/)
    assert.match(own.text, /href="\/ann\/hidden\/issues\/1"/)
    assert.match(after.text, /href="\/ann\/one\/src\/branch\/main\/a\.md"/)
    assert.match(other.text, /href="\/ann\/one\/src\/branch\/main\/docs\/a\.md"/)
    assert.match(renamed.text, /href="\/ann\/two\/src\/branch\/main\/a\.md"/)
  })

  test('are shown in part, with a way to the rest', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'README.md': `${partsOf(110_000)}\nthe very end\n` })
    await commit(setup, { 'b.md': `${partsOf(90_000)}\nthe very end\n` })

    for (const path of ['/ann/one', '/ann/one/src/branch/main/README.md']) {
      const page = await visit(setup.app, path)
      assert.match(page.text, /This is the beginning of a long document\./, path)
      assert.match(
        page.text,
        /href="\/ann\/one\/raw\/branch\/main\/README\.md">the raw file</,
        path,
      )
      assert.match(page.text, /id="user-content-part"/, path)
      assert.doesNotMatch(page.text, /the very end/, path)
    }
    const whole = await visit(setup.app, '/ann/one/src/branch/main/b.md')
    assert.match(whole.text, /the very end/)
    assert.doesNotMatch(whole.text, /the beginning of a long document/)
  })
})
