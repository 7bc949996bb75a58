import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { protect, start, tags } from './setup.ts'

suite('POST /repos/{owner}/{repo}/releases', () => {
  test('makes the tag at the target and answers the whole record', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const head = (await app.get(ann, `${path}/branches/main`)).body.commit

    const { status, body } = await make({ tag_name: 'v1/one', name: 'First', body: 'text' })

    assert.equal(status, 201)
    const page = 'http://codestead.test/ann/one'
    const url = `http://codestead.test/api/v1${releases}/${body.id}`
    const { author, published_at, ...rest } = body
    assert.deepEqual(Object.entries(rest), [
      ['id', body.id],
      ['tag_name', 'v1/one'],
      ['target_commitish', 'main'],
      ['name', 'First'],
      ['body', 'text'],
      ['url', url],
      ['html_url', `${page}/releases/tag/v1/one`],
      ['tarball_url', `${page}/archive/v1/one.tar.gz`],
      ['zipball_url', `${page}/archive/v1/one.zip`],
      ['upload_url', `${url}/assets`],
      ['draft', false],
      ['prerelease', false],
      ['created_at', head.timestamp],
      ['assets', []],
    ])
    assert.match(published_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.equal(author.email, `${ann.id}+ann@noreply.codestead.test`)
    assert.equal((await app.get(ann, `${path}/tags/v1%2Fone`)).body.commit.sha, head.id)
    assert.deepEqual((await app.get(undefined, `${releases}/tags/v1%2Fone`)).body, body)
    assert.deepEqual((await app.get(undefined, `${releases}/tags/V1%2FONE`)).body, body)
    assert.deepEqual((await app.get(undefined, `${releases}/${body.id}`)).body, body)
    assert.deepEqual((await app.get(undefined, `${releases}/latest`)).body, body)
  })

  test('refuses what cannot be released', async (t) => {
    const setup = await start(t)
    const { app, ann, bob, path, releases, make } = setup
    await app.post(ann, '/user/repos', { name: 'empty' })
    await protect(setup)
    await make({ tag_name: 'v1' })

    assertError(await app.post(undefined, releases, { tag_name: 'v2' }), 401)
    assertError(
      await app.post(bob, releases, { tag_name: 'v2' }),
      403,
      'user should have a permission to write to a repo',
    )
    assertError(await app.post(bob, releases, {}), 403)
    for (const body of [{}, { tag_name: '' }]) {
      assertError(await make(body), 422, '[TagName]: Required')
    }
    assertError(await make({ tag_name: 'v2', draft: 'yes' }), 422, /^\[\]: /)
    for (const tag_name of [
      'a..b',
      '-d',
      'a b',
      'x.lock',
      'a/-b',
      '@',
      'x'.repeat(256),
      'é'.repeat(126),
    ]) {
      assertError(await make({ tag_name }), 422, '[TagName]: GitRefName')
      assertError(await make({ tag_name, draft: true }), 422, '[TagName]: GitRefName')
    }
    assertError(await make({ tag_name: 'v2', target_commitish: 'absent' }), 404, 'target not found')
    assertError(await make({ tag_name: 'V1' }), 409, 'Release is has no Tag')
    assertError(
      await make({ tag_name: 'p-1' }),
      422,
      'release tag name is protected [tag_name: p-1]',
    )
    assertError(
      await app.post(ann, '/repos/ann/empty/releases', { tag_name: 'v1' }),
      422,
      'repo is empty',
    )
    assert.deepEqual(tags(await app.get(ann, releases)), ['v1'])
    assertError(await app.get(ann, `${path}/tags/v2`), 404)
    const refusal = 'user should have a permission to write to a repo'
    assertError(
      await app.post(bob, releases, '{', { 'content-type': 'application/json' }),
      403,
      refusal,
    )
  })

  test('takes over a tag that is there, and leaves the target as it was sent', async (t) => {
    const setup = await start(t)
    const { app, ann, path, make } = setup
    const first = (await app.get(ann, `${path}/branches/main`)).body.commit.id
    const draft = await make({ tag_name: 'v0', draft: true })
    assertStatus(await app.delete(ann, `${path}/releases/${draft.body.id}`), 204)
    await app.post(ann, `${path}/tags`, { tag_name: 'v1', message: 'signed off' })
    await commit(setup, { a: 'x' })

    const { status, body } = await make({ tag_name: 'v1', target_commitish: 'absent' })
    const bare = await make({ tag_name: 'v2', tag_message: 'second' })

    assert.equal(status, 201)
    assert.equal(body.target_commitish, 'absent')
    assert.equal((await app.get(ann, `${path}/tags/v1`)).body.commit.sha, first)
    assert.equal((await app.get(ann, `${path}/tags/v2`)).body.message, 'second')
    assert.equal(bare.body.target_commitish, 'main')
    // Of a draft that was deleted there is no tag.
    const { id } = draft.body
    const again = await make({ tag_name: 'V0' })
    assert.partialDeepStrictEqual(again.body, { id, tag_name: 'V0', target_commitish: 'main' })
    assertStatus(await app.delete(ann, `${path}/releases/${id}`), 204)
    const third = await make({ tag_name: 'v0', name: 'third' })
    assert.partialDeepStrictEqual(third.body, { id, tag_name: 'V0', name: 'third' })
    assertError(await app.get(ann, `${path}/tags/v0`), 404)
  })

  test('takes over a tag in whatever letter case, which stays as it is spelled', async (t) => {
    const { app, ann, path, make } = await start(t)
    for (const name of ['Beta', 'rc/One', 'rc/ONE']) {
      assertStatus(await app.post(ann, `${path}/tags`, { tag_name: name }), 201)
    }

    const beta = await make({ tag_name: 'bETA', target_commitish: 'x' })
    const exact = await make({ tag_name: 'rc/One', draft: true })

    assert.partialDeepStrictEqual(beta.body, { tag_name: 'Beta', target_commitish: 'x' })
    assert.equal(exact.body.tag_name, 'rc/One')
    const listed = await app.get(ann, `${path}/tags`)
    const names = listed.body.map(({ name }: { name: string }) => name)
    assert.deepEqual(names.toSorted(), ['Beta', 'rc/ONE', 'rc/One'])
  })

  test('makes no tag for a draft, and shows it to writers with a writing credential', async (t) => {
    const { app, ann, bob, path, releases, make } = await start(t)
    app.passTime(1000)
    const reader = await app.withToken(ann.account, ['read:repository'])
    const writer = await app.withToken(ann.account, ['write:repository'])

    const { status, body } = await make({ tag_name: 'v1', draft: true, target_commitish: 'absent' })

    assert.equal(status, 201)
    assert.equal(body.published_at, null)
    assert.ok(Math.abs(Date.parse(body.created_at) / 1000 - app.ctx.now()) < 30)
    assertError(await app.get(ann, `${path}/tags/v1`), 404)
    for (const who of [ann, writer, app.withPassword(ann.account)]) {
      assertStatus(await app.get(who, `${releases}/${body.id}`), 200)
      assert.deepEqual(tags(await app.get(who, releases)), ['v1'])
    }
    for (const who of [reader, bob, undefined]) {
      assertError(await app.get(who, `${releases}/${body.id}`), 404, 'not found')
      const list = await app.get(who, releases)
      assert.deepEqual(list.body, [])
      assert.equal(list.headers['x-total-count'], '0')
    }
    assertStatus(await app.get(reader, `${releases}/tags/v1`), 200)
    assertError(await app.get(bob, `${releases}/tags/v1`), 404)
    assertError(await app.get(ann, `${releases}/latest`), 404)
    assert.equal((await app.get(ann, path)).body.release_counter, 0)
    assertError(await make({ tag_name: 'V1' }), 409, 'Release is has no Tag')
    assertError(await app.get(ann, `${path}/tags/V1`), 404)
  })

  test('is done once, however many ask at the same time', async (t) => {
    const { app, ann, path, releases, make } = await start(t)

    const same = await Promise.all(Array.from({ length: 8 }, () => make({ tag_name: 'v1' })))
    const others = await Promise.all([1, 2, 3, 4].map((n) => make({ tag_name: `w${n}` })))
    const drafts = await Promise.all(
      Array.from({ length: 4 }, () => make({ tag_name: 'd1', draft: true })),
    )

    assert.deepEqual(
      same.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409, 409, 409, 409, 409, 409],
    )
    assert.deepEqual(
      others.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    assert.deepEqual(
      drafts.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409, 409],
    )
    assert.equal((await app.get(ann, `${releases}?draft=false`)).headers['x-total-count'], '5')
    assert.equal((await app.get(ann, path)).body.release_counter, 5)
  })

  test('cuts a title that is too long, and reads forms by their own names', async (t) => {
    const { app, ann, releases, make } = await start(t)
    const form = 'tag_name=v2&title=From+a+form&note=n&target=main&is_draft=true&is_prerelease=true'

    const long = await make({ tag_name: 'v1', name: `  ${'x'.repeat(300)}` })
    const sent = await app.post(ann, releases, form, {
      'content-type': 'application/x-www-form-urlencoded',
    })

    assert.equal(long.body.name, `${'x'.repeat(252)}…`)
    assert.partialDeepStrictEqual(sent.body, {
      name: 'From a form',
      body: 'n',
      target_commitish: 'main',
      draft: true,
      prerelease: true,
    })
  })

  test('records what is published, and not drafts', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    await make({ tag_name: 'v1', name: 'One' })
    const { body } = await make({ tag_name: 'v2', name: 'Two', draft: true })
    const feedOf = async () => (await app.get(ann, `${path}/activities/feeds`)).body
    const published = async () => {
      const feed = await feedOf()
      return feed
        .filter(({ op_type }: { op_type: string }) => op_type === 'publish_release')
        .map(({ content, ref_name, is_private }: Record<string, unknown>) => [
          content,
          ref_name,
          is_private,
        ])
    }

    await app.patch(ann, `${releases}/${body.id}`, { body: 'soon' })
    const before = await published()
    assertStatus(await app.patch(ann, path, { private: true }), 200)
    await app.patch(ann, `${releases}/${body.id}`, { draft: false })
    await app.patch(ann, `${releases}/${body.id}`, { body: 'more' })

    assert.deepEqual(before, [['One', 'refs/tags/v1', false]])
    const pushed = (await feedOf()).filter(
      (entry: { op_type: string }) => entry.op_type === 'push_tag',
    )
    assert.deepEqual(
      pushed.map(({ ref_name: ref }: { ref_name: string }) => ref),
      ['refs/tags/v2', 'refs/tags/v1'],
      'a tag is pushed with the release that makes it',
    )
    assert.deepEqual(await published(), [
      ['Two', 'refs/tags/v2', true],
      ['One', 'refs/tags/v1', true],
    ])
  })
})
