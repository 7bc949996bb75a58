// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, commit } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { startInBrowser, type WebSetup } from '../files/setup.ts'
import { edit, evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'

const releases = '/ann/one/releases'
const fresh = `${releases}/new`

async function releaseAt({ app, ann, path }: WebSetup, tag: string) {
  return app.get(ann, `${path}/releases/tags/${encodeURIComponent(tag)}`)
}

suite('/{owner}/{repo}/releases/new', () => {
  test('publishes a release, and makes its tag', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    assert.match((await byAnn.get(releases)).text, /href="\/ann\/one\/releases\/new"/)
    assert.match((await byAnn.get(fresh)).text, /name="target"[^>]*\svalue="main"/)

    const answer = await byAnn.post(fresh, {
      tag_name: 'app/v1',
      target: 'main',
      title: 'First',
      content: 'a\r\nb',
      prerelease: 'true',
      action: 'publish',
    })

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], `${releases}/tag/app/v1`)
    const { body } = await releaseAt(setup, 'app/v1')
    assert.deepEqual(
      [body.name, body.body, body.draft, body.prerelease],
      ['First', 'a\nb', false, true],
    )
  })

  test('saves a draft, to which files are attached before it is published', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup

    const saved = await byAnn.post(fresh, { tag_name: 'v1', title: 'Soon', action: 'draft' })

    assert.equal(saved.headers['location'], `${releases}/edit/v1`)
    assert.equal((await releaseAt(setup, 'v1')).body.draft, true)
    assertStatus(await app.get(ann, `${path}/tags/v1`), 404)
    const sent = { tag_name: 'v1.0', target: 'main', title: 'Now', action: 'publish' }
    const published = await byAnn.post(`${releases}/edit/v1`, sent)
    assert.equal(published.headers['location'], `${releases}/tag/v1.0`)
    assert.equal((await releaseAt(setup, 'v1.0')).body.draft, false)
    assertStatus(await app.get(ann, `${path}/tags/v1.0`), 200)
  })

  test('writes notes from the commits, behind what was written', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    await commit(setup, { a: 'a' }, { message: `Add a ${evil}` })

    const filled = await byAnn.post(fresh, {
      tag_name: 'v1',
      target: 'main',
      content: 'Mine.',
      action: 'notes',
    })

    assertStatus(filled, 200)
    assert.match(filled.text, />\nMine\.\n\n[^]*Add a/)
    assert.equal(hasScript(filled), false)
    assertStatus(await releaseAt(setup, 'v1'), 404)
  })

  test('says in place what is wrong, and keeps what was typed', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    await app.post(ann, `${path}/releases`, { tag_name: 'v1' })
    await app.post(ann, `${path}/tag_protections`, {
      name_pattern: 'sealed',
      whitelist_usernames: ['bob'],
    })
    for (const [fields, problem] of [
      [{ tag_name: 'v1' }, /There is a release of this tag already/],
      [{ tag_name: 'V1' }, /There is a release of this tag already/],
      [{ tag_name: 'a..b' }, /Git does not take this as the name of a tag/],
      [{ tag_name: '' }, /Git does not take this as the name of a tag/],
      [{ tag_name: 'sealed' }, /rules of this repository do not let you make this tag/],
      [{ tag_name: 'v2', target: evil }, /There is no such branch or commit/],
    ] as const) {
      const answer = await byAnn.post(fresh, { title: evil, content: evil, ...fields })
      assertStatus(answer, 422)
      assert.match(wordsOf(answer), problem)
      assert.match(answer.text, />\n&lt;script&gt;[^<]*<\/textarea>/)
      assert.equal(hasScript(answer), false)
    }
    assert.equal((await app.get(ann, `${path}/releases`)).body.length, 1)
  })

  test('is for those who write releases, on this site', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn, byBob, visitor } = setup
    const sent = { tag_name: 'v1', target: 'main', action: 'publish' }

    assertStatus(await visitor.get(fresh), 303)
    assertSessionEnded(await visitor.post(fresh, sent))
    assertStatus(await byBob.get(fresh), 404)
    assertStatus(await byBob.post(fresh, sent), 403)
    assertStatus(await byAnn.post(fresh, sent, fromElsewhere), 403)
    assert.doesNotMatch((await byBob.get(releases)).text, /releases\/new/)
    await archive(setup)
    assertStatus(await byAnn.post(fresh, sent), 423)
    assert.doesNotMatch((await byAnn.get(releases)).text, /releases\/new/)
    await edit(setup, { archived: false, has_releases: false })
    assertStatus(await byAnn.post(fresh, sent), 404)
    await edit(setup, { has_releases: true, private: true })
    assertStatus(await byBob.post(fresh, sent), 404)
    assert.deepEqual((await app.get(ann, `${path}/releases`)).body, [])
  })
})

suite('/{owner}/{repo}/releases/edit/{tag}', () => {
  test('changes what is said, also to nothing, and leaves the tag of what is published', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn, byBob, visitor } = setup
    await app.post(ann, `${path}/releases`, { tag_name: 'app/v1', name: evil, body: evil })
    const form = await byAnn.get(`${releases}/edit/app/v1`)
    assert.equal(hasScript(form), false)
    assert.doesNotMatch(form.text, /name="tag_name"/)
    assert.match((await byAnn.get(releases)).text, /href="\/ann\/one\/releases\/edit\/app\/v1"/)

    const sent = { title: 'New', content: '', tag_name: 'v9', prerelease: 'true' }
    const answer = await byAnn.post(`${releases}/edit/app/v1`, sent)

    assert.equal(answer.headers['location'], `${releases}/tag/app/v1`)
    const { body } = await releaseAt(setup, 'app/v1')
    assert.deepEqual([body.name, body.body, body.prerelease, body.draft], ['New', '', true, false])
    assertStatus(await byBob.get(`${releases}/edit/app/v1`), 404)
    assertStatus(await byBob.post(`${releases}/edit/app/v1`, sent), 403)
    assertStatus(await visitor.get(`${releases}/edit/app/v1`), 303)
    assertStatus(await byAnn.post(`${releases}/edit/app/v1`, sent, fromElsewhere), 403)
    assertStatus(await byAnn.get(`${releases}/edit/none`), 404)
    assert.doesNotMatch((await byBob.get(releases)).text, /releases\/edit/)
  })
})

suite('POST /{owner}/{repo}/releases/delete/{tag}', () => {
  test('deletes the release when the name of its tag is typed, and keeps the tag', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn, byBob, visitor } = setup
    await app.post(ann, `${path}/releases`, { tag_name: 'v1', name: 'One' })
    const address = `${releases}/delete/v1`
    const sent = { confirm: 'v1' }

    assertSessionEnded(await visitor.post(address, sent))
    assertStatus(await byBob.post(address, sent), 403)
    assertStatus(await byAnn.post(address, sent, fromElsewhere), 403)
    const mistyped = await byAnn.post(address, { confirm: evil })
    assertStatus(mistyped, 422)
    assert.match(wordsOf(mistyped), /Type v1 to delete it\./)
    assertStatus(await releaseAt(setup, 'v1'), 200)

    assert.equal((await byAnn.post(address, sent)).headers['location'], releases)
    assertStatus(await releaseAt(setup, 'v1'), 404)
    assertStatus(await app.get(ann, `${path}/tags/v1`), 200)
  })
})
