import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { signIn } from '../../web/support.ts'
import { refsOf, startWithMirror } from './support.ts'

const copy = '/repos/bob/copy'
const refused = /mirror/

suite('the tags of a mirror', () => {
  test('are made and deleted by nobody, since they are those of the remote', async (t) => {
    const { host, app, ann, bob, sync } = await startWithMirror(t)
    assertStatus(await app.post(ann, '/repos/ann/source/tags', { tag_name: 'v1' }), 201)
    await sync()
    const refs = await refsOf(host, 'bob/copy')
    const byBob = await signIn(app, 'bob')
    const form = { tag_name: 'own', target: 'main', title: 'Own', note: '', action: 'publish' }

    assertError(await app.post(bob, `${copy}/tags`, { tag_name: 'own' }), 403, refused)
    assertError(
      await app.post(bob, `${copy}/tags`, { tag_name: 'own', message: 'm' }),
      403,
      refused,
    )
    assertError(await app.delete(bob, `${copy}/tags/v1`), 403, refused)
    const release = { tag_name: 'own', name: 'Own' }
    assertError(await app.post(bob, `${copy}/releases`, release), 403, refused)
    const page = await byBob.post('/bob/copy/releases/new', form)

    assertStatus(page, 422)
    assert.match(page.text, /its tags are those of its remote/)
    assert.deepEqual(await refsOf(host, 'bob/copy'), refs)
    assert.ok(refs.includes('refs/tags/v1'))
    assert.deepEqual((await app.get(bob, `${copy}/releases`)).body, [])
  })

  test('have releases, which stay when the mirror is synchronised', async (t) => {
    const { app, ann, bob, sync } = await startWithMirror(t)
    assertStatus(await app.post(ann, '/repos/ann/source/tags', { tag_name: 'v1' }), 201)
    await sync()
    const published = await app.post(bob, `${copy}/releases`, { tag_name: 'v1', name: 'First' })
    const draft = { tag_name: 'later', name: 'Later', draft: true }
    const drafted = await app.post(bob, `${copy}/releases`, draft)
    assertStatus(published, 201)
    assertStatus(drafted, 201)

    const { id } = drafted.body
    assertError(await app.patch(bob, `${copy}/releases/${id}`, { draft: false }), 403, refused)
    for (let time = 0; time < 2; time++) {
      app.passTime(60)
      await sync()
    }

    const { body } = await app.get(bob, `${copy}/releases`)
    assert.deepEqual(
      body.map(({ tag_name: tag, draft: isDraft }: Record<string, unknown>) => [tag, isDraft]),
      [
        ['later', true],
        ['v1', false],
      ],
    )
    assertStatus(await app.post(ann, '/repos/ann/source/tags', { tag_name: 'later' }), 201)
    await sync()
    assertStatus(await app.patch(bob, `${copy}/releases/${id}`, { draft: false }), 200)
  })
})
