// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { partsOf, workFor } from '../repository/long-documents.ts'
import { visit } from '../repository/support.ts'

const wiki = '/ann/one/wiki'

async function addPage({ app, ann, path }: Setup, title: string, text: string): Promise<void> {
  const page = { title, content_base64: base64(text) }
  assertStatus(await app.post(ann, `${path}/wiki/new`, page), 201)
}

suite('long pages of a wiki', () => {
  test('are rendered once for many views', async (t) => {
    const setup = await startWithRepository(t)
    const works: number[] = []
    for (const name of ['warm', 'warmer', 'ready']) {
      await addPage(setup, name, `${name} ![no picture](none.png)\n\n${partsOf(95_000)}`)
      works.push(await workFor(setup.app, `${wiki}/${name}`))
    }

    const later: number[] = []
    for (let view = 0; view < 3; view++) later.push(await workFor(setup.app, `${wiki}/ready`))

    assert.ok(Math.min(...later) < Math.min(...works) / 2, `${works.join(' ')}: ${later.join(' ')}`)
  })

  test('are shown in part, with a way to the rest', async (t) => {
    const setup = await startWithRepository(t)
    const long = `${partsOf(110_000)}\nthe very end\n`
    await addPage(setup, 'Long', long)
    await addPage(setup, 'Home', `${partsOf(90_000)}\nthe very end\n`)
    await addPage(setup, '_Sidebar', long)

    const page = await visit(setup.app, `${wiki}/Long`)
    const whole = await visit(setup.app, wiki)

    for (const file of ['Long.md', '_Sidebar.md']) {
      const note = `This is the beginning of a long page. The rest is in <a href="${wiki}/raw/${file}">the raw file</a>.`
      assert.ok(page.text.includes(note), file)
    }
    assert.match(page.text, /id="user-content-part"/)
    assert.doesNotMatch(page.text, /the very end/)
    assert.match((await visit(setup.app, `${wiki}/raw/Long.md`)).text, /the very end/)
    assert.equal(whole.text.match(/the very end/g)?.length, 1)
    assert.equal(whole.text.match(/the beginning of a long page/g)?.length, 1)
  })

  test('are rendered again where what they show has changed', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await addPage(setup, 'Home', 'See #1, [[Next]] and ![it](it.md).')
    const before = await visit(app, wiki)
    assertStatus(await app.post(ann, `${path}/issues`, { title: 'x' }), 201)
    await addPage(setup, 'it', 'x')

    const after = await visit(app, wiki)
    assertStatus(await app.patch(ann, path, { name: 'two' }), 200)
    const renamed = await visit(app, '/ann/two/wiki')

    assert.doesNotMatch(before.text, /issues\/1"|raw\/it\.md/)
    assert.match(before.text, /href="\/ann\/one\/wiki\/Next"/)
    assert.match(after.text, /href="\/ann\/one\/issues\/1"/)
    assert.match(after.text, /<img src="\/ann\/one\/wiki\/raw\/it\.md"/)
    assert.match(renamed.text, /href="\/ann\/two\/wiki\/Next"/)
    assert.match(renamed.text, /<img src="\/ann\/two\/wiki\/raw\/it\.md"/)
    assertStatus(await app.delete(ann, '/repos/ann/two/wiki/page/it'), 204)
    assert.doesNotMatch((await visit(app, '/ann/two/wiki')).text, /raw\/it\.md/)
  })
})
