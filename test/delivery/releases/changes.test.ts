import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { upload } from '../../repositories/attachments/form.ts'
import { storedKeys } from '../release-attachments/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'
import { protect, start, tags } from './setup.ts'

suite('PATCH /repos/{owner}/{repo}/releases/{id}', () => {
  test('changes what is given and not empty', async (t) => {
    const { app, ann, bob, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1', name: 'one', body: 'text' })
    const release = `${releases}/${body.id}`

    const edited = await app.patch(ann, release, { body: 'other', prerelease: true })
    const kept = await app.patch(ann, release, { body: '', name: null, tag_name: '' })
    const byTag = await app.patch(ann, `${releases}/tags/v1`, { name: 'two' })

    assertStatus(edited, 200)
    assert.deepEqual(edited.body, { ...body, body: 'other', prerelease: true })
    assert.deepEqual(kept.body, edited.body)
    assert.deepEqual(byTag.body, { ...edited.body, name: 'two' })
    assertError(await app.patch(undefined, release, {}), 401)
    assertError(await app.patch(bob, release, {}), 403)
    assertError(await app.patch(ann, release, { draft: 'yes' }), 422)
    assertError(await app.patch(ann, `${releases}/999`, {}), 404, 'not found')
    assertError(await app.patch(ann, `${releases}/999`, { draft: 1 }), 422)
    const final = await app.patch(ann, release, { prerelease: false })
    assert.deepEqual(final.body, { ...byTag.body, prerelease: false })
  })

  test('leaves alone what somebody else changes meanwhile', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1', draft: true, target_commitish: 'absent' })
    const edit = (change: object) => app.patch(ann, `${releases}/${body.id}`, change)
    const publish = () => edit({ draft: false, tag_name: 'v2', target_commitish: 'main' })

    const named = await doMeanwhile(t, app, () => edit({ name: 'one' }), publish)

    const expected = { draft: false, tag_name: 'v2', target_commitish: 'main', name: 'one' }
    assert.partialDeepStrictEqual(named, { status: 200, body: expected })
    assert.deepEqual((await app.get(ann, `${releases}/${body.id}`)).body, named.body)
    assert.equal((await app.get(ann, path)).body.release_counter, 1)
  })

  test('leaves a draft a draft, with a name that a tag can have and nobody else has', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'd1', draft: true, target_commitish: 'main' })
    const draft = `${releases}/${body.id}`
    await make({ tag_name: 'd2', draft: true })
    const { body: published } = await make({ tag_name: 'v1' })

    const edited = await app.patch(ann, draft, { tag_name: 'D1', target_commitish: 'absent' })

    const changed = { draft: true, tag_name: 'D1', target_commitish: 'absent', published_at: null }
    assert.partialDeepStrictEqual(edited, { status: 200, body: changed })
    assertError(await app.patch(ann, draft, { tag_name: 'a b' }), 422, '[TagName]: GitRefName')
    assertError(await app.patch(ann, draft, { tag_name: 'D2' }), 409, 'Release is has no Tag')
    const taken = { tag_name: 'd2' }
    assertError(await app.patch(ann, `${releases}/${published.id}`, taken), 409)
    const stale = await app.patch(ann, draft, { draft: false }, { 'if-match': '"x"' })
    assertError(stale, 412, 'the record is not what If-Match says')
    assertError(await app.delete(ann, draft, undefined, { 'if-match': '"x"' }), 412)
    assertStatus(await app.delete(ann, draft), 204)
    const again = { draft: false, target_commitish: 'main' }
    assertError(await app.patch(ann, draft, again), 404, 'not found')
    for (const tag of ['D1', 'd2']) assertError(await app.get(ann, `${path}/tags/${tag}`), 404)
  })

  test('publishes a draft with its tag, and takes it back', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1', draft: true })
    const release = `${releases}/${body.id}`

    app.passTime(1000)
    const published = await app.patch(ann, release, { draft: false })
    const counted = (await app.get(ann, path)).body.release_counter
    const back = await app.patch(ann, release, { draft: true })

    assert.partialDeepStrictEqual(published.body, { draft: false, tag_name: 'v1' })
    assert.notEqual(published.body.published_at, null)
    const { timestamp } = (await app.get(ann, `${path}/branches/main`)).body.commit
    assert.equal(published.body.created_at, timestamp)
    assertStatus(await app.get(ann, `${path}/tags/v1`), 200)
    assert.equal(counted, 1)
    assert.equal(back.body.published_at, null)
    assert.ok(back.body.created_at > timestamp)
    assert.equal((await app.get(ann, path)).body.release_counter, 0)
  })

  test('moves a release to another tag, where that is free', async (t) => {
    const setup = await start(t)
    const { app, ann, path, releases, make } = setup
    await protect(setup)
    const { body } = await make({ tag_name: 'v1' })
    await make({ tag_name: 'v2' })
    const draft = await make({ tag_name: 'v3', draft: true, target_commitish: 'absent' })
    const release = `${releases}/${body.id}`

    const moved = await app.patch(ann, release, { tag_name: 'v1.1' })

    assert.equal(moved.body.tag_name, 'v1.1')
    assertStatus(await app.get(ann, `${path}/tags/v1`), 200)
    assertStatus(await app.get(ann, `${path}/tags/v1.1`), 200)
    assertError(await app.patch(ann, release, { tag_name: 'V2' }), 409, 'Release is has no Tag')
    assertError(await app.get(ann, `${path}/tags/V2`), 404)
    assertError(await app.patch(ann, release, { tag_name: 'a..b' }), 422, '[TagName]: GitRefName')
    assertError(
      await app.patch(ann, release, { tag_name: 'p-1' }),
      422,
      'release tag name is protected [tag_name: p-1]',
    )
    assertError(
      await app.patch(ann, `${releases}/${draft.body.id}`, { draft: false }),
      404,
      'target not found',
    )
    const guarded = await make({ tag_name: 'p-2', draft: true })
    assertError(
      await app.patch(ann, `${releases}/${guarded.body.id}`, { draft: false }),
      422,
      'release tag name is protected [tag_name: p-2]',
    )
    assert.equal((await app.get(ann, `${releases}/${guarded.body.id}`)).body.draft, true)
    assertError(await app.get(ann, `${path}/tags/p-2`), 404)
  })

  test('takes over a tag without a release, be it one that had a release before', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1' })
    const former = await make({ tag_name: 'v3' })
    assertStatus(await app.post(ann, `${path}/tags`, { tag_name: 'v2', message: 'two' }), 201)
    assertStatus(await app.delete(ann, `${releases}/${former.body.id}`), 204)
    const release = `${releases}/${body.id}`
    assertStatus(await upload(app, ann, `${release}/assets`), 201)

    const bare = await app.patch(ann, release, { tag_name: 'v2' })
    const taken = await app.patch(ann, release, { tag_name: 'V3' })

    assert.partialDeepStrictEqual(bare, { status: 200, body: { id: body.id, tag_name: 'v2' } })
    assert.equal((await app.get(ann, `${path}/tags/v2`)).body.message, 'two')
    assert.partialDeepStrictEqual(taken, { status: 200, body: { id: body.id, tag_name: 'V3' } })
    assert.deepEqual((await app.get(ann, `${releases}/tags/v3`)).body, taken.body)
    assert.deepEqual(tags(await app.get(ann, releases)), ['V3'])
    assertError(await app.get(ann, `${releases}/${former.body.id}/assets`), 404)
    assert.equal(taken.body.assets.length, 1)
    assert.equal((await storedKeys(app)).length, 1)
  })

  test('is locked with an archived repository; deleting is not', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1' })
    assertStatus(await app.patch(ann, path, { archived: true }), 200)

    assertError(await make({}), 423, 'repo is archived')
    assertError(await app.patch(ann, `${releases}/${body.id}`, {}), 423, 'repo is archived')
    assertStatus(await app.delete(ann, `${releases}/${body.id}`), 204)
  })
})

suite('DELETE /repos/{owner}/{repo}/releases/{id}', () => {
  test('keeps the tag, and its number for the next release of it', async (t) => {
    const { app, ann, bob, path, releases, make } = await start(t)
    const first = await make({ tag_name: 'v1', name: 'one', body: 'text' })
    const second = await make({ tag_name: 'v2' })
    const release = `${releases}/${first.body.id}`

    assertError(await app.delete(undefined, release), 401)
    assertError(await app.delete(bob, release), 403)
    assertError(await app.delete(undefined, `${releases}/tags/absent`), 401)
    assertError(await app.delete(bob, `${releases}/tags/absent`), 403)
    assertError(await app.delete(ann, `${releases}/tags/absent`), 404, 'not found')
    assertError(await app.delete(ann, `${path}/tags/v1`), 409, /attached to a release/)
    assertStatus(await app.delete(ann, release), 204)
    assertStatus(await app.delete(ann, `${releases}/tags/V2`), 204)

    for (const gone of [release, `${releases}/tags/v1`, `${releases}/tags/v2`]) {
      assertError(await app.get(ann, gone), 404, 'not found')
      assertError(await app.delete(ann, gone), 404, 'not found')
    }
    assert.equal((await app.get(ann, path)).body.release_counter, 0)
    assertStatus(await app.get(ann, `${path}/tags/v1`), 200)
    const again = await make({ tag_name: 'v1' })
    assert.partialDeepStrictEqual(again.body, { id: first.body.id, name: '', body: '' })
    assert.notEqual((await make({ tag_name: 'v4' })).body.id, second.body.id)
    assertStatus(await app.delete(ann, `${path}/tags/v2`), 204)
  })

  test('shows a release whose author is gone', async (t) => {
    const { app, ann, bob, path, releases } = await start(t)
    const root = await app.addAdmin()
    await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' })
    const { body } = await app.post(bob, releases, { tag_name: 'v1' })

    assertStatus(await app.delete(root, '/admin/users/bob'), 204)

    const read = await app.get(undefined, `${releases}/${body.id}`)
    assert.partialDeepStrictEqual(read.body, { author: { id: -1, login: 'Ghost' } })
  })
})

suite('a release whose tag is deleted meanwhile', () => {
  test('is a draft, be it made or published', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const tag = (name: string) => app.post(ann, `${path}/tags`, { tag_name: name })
    const untag = (name: string) => app.delete(ann, `${path}/tags/${name}`)
    await tag('v1')
    await tag('v2')
    const { body: draft } = await make({ tag_name: 'd1', draft: true })
    const change = { draft: false, tag_name: 'v2' }
    const publish = () => app.patch(ann, `${releases}/${draft.id}`, change)

    const made = await doMeanwhile(
      t,
      app,
      () => make({ tag_name: 'v1' }),
      () => untag('v1'),
    )
    const published = await doMeanwhile(t, app, publish, () => untag('v2'))

    assertStatus(made, 201)
    assertStatus(published, 200)
    for (const { body } of [made, published]) {
      const { draft: isDraft, published_at } = (await app.get(ann, `${releases}/${body.id}`)).body
      assert.deepEqual({ isDraft, published_at }, { isDraft: true, published_at: null })
    }
    assert.equal((await app.get(ann, path)).body.release_counter, 0)
  })
})
