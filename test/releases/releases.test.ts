import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { commit, startWithRepository, type Setup } from '../commits/setup.ts'
import type { TestAnswer } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'

interface ReleaseSetup extends Setup {
  readonly releases: string
  readonly make: (body: object) => Promise<TestAnswer>
}

async function start(t: TestContext): Promise<ReleaseSetup> {
  const setup = await startWithRepository(t)
  const releases = `${setup.path}/releases`
  return { ...setup, releases, make: (body) => setup.app.post(setup.ann, releases, body) }
}

/** Tags that begin with p- are bob's. */
async function protect({ app, ann, path }: Setup): Promise<void> {
  const rule = { name_pattern: 'p-*', whitelist_usernames: ['bob'] }
  await app.put(ann, `${path}/collaborators/bob`, { permission: 'read' })
  assertStatus(await app.post(ann, `${path}/tag_protections`, rule), 201)
}

const tags = ({ body }: TestAnswer) =>
  (body as { tag_name: string }[]).map(({ tag_name }) => tag_name)

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
  })

  test('takes over a tag that is there, and leaves the target as it was sent', async (t) => {
    const setup = await start(t)
    const { app, ann, path, make } = setup
    const first = (await app.get(ann, `${path}/branches/main`)).body.commit.id
    await app.post(ann, `${path}/tags`, { tag_name: 'v1', message: 'signed off' })
    await commit(setup, { a: 'x' })

    const { status, body } = await make({ tag_name: 'v1', target_commitish: 'absent' })
    const bare = await make({ tag_name: 'v2', tag_message: 'second' })

    assert.equal(status, 201)
    assert.equal(body.target_commitish, 'absent')
    assert.equal((await app.get(ann, `${path}/tags/v1`)).body.commit.sha, first)
    assert.equal((await app.get(ann, `${path}/tags/v2`)).body.message, 'second')
    assert.equal(bare.body.target_commitish, 'main')
  })

  test('makes no tag for a draft, and shows it to writers with a writing credential', async (t) => {
    const { app, ann, bob, path, releases, make } = await start(t)
    const reader = await app.withToken(ann.account, ['read:repository'])
    const writer = await app.withToken(ann.account, ['write:repository'])

    const { status, body } = await make({ tag_name: 'v1', draft: true, target_commitish: 'absent' })

    assert.equal(status, 201)
    assert.equal(body.published_at, null)
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

    assert.deepEqual(
      same.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409, 409, 409, 409, 409, 409],
    )
    assert.deepEqual(
      others.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    assert.equal((await app.get(ann, releases)).headers['x-total-count'], '5')
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
    const published = async () => {
      const feed = (await app.get(ann, `${path}/activities/feeds`)).body
      return feed
        .filter(({ op_type }: { op_type: string }) => op_type === 'publish_release')
        .map(({ content, ref_name }: Record<string, string>) => [content, ref_name])
    }

    const before = await published()
    await app.patch(ann, `${releases}/${body.id}`, { draft: false })
    await app.patch(ann, `${releases}/${body.id}`, { body: 'more' })

    assert.deepEqual(before, [['One', 'refs/tags/v1']])
    assert.deepEqual(await published(), [
      ['Two', 'refs/tags/v2'],
      ['One', 'refs/tags/v1'],
    ])
  })
})

suite('GET /repos/{owner}/{repo}/releases', () => {
  test('narrows and pages the list, newest first', async (t) => {
    const { app, ann, releases, make } = await start(t)
    await make({ tag_name: 'v1.0' })
    await make({ tag_name: 'V2_rc', prerelease: true })
    await make({ tag_name: 'nightly%1', prerelease: true })
    app.passTime(60)
    await make({ tag_name: 'v3', draft: true })
    const cases: [string, string[]][] = [
      ['', ['v3', 'nightly%1', 'V2_rc', 'v1.0']],
      ['?draft=true', ['v3']],
      ['?draft=false&pre-release=false', ['v1.0']],
      ['?pre-release=1', ['nightly%1', 'V2_rc']],
      ['?pre-release=', ['v3', 'nightly%1', 'V2_rc', 'v1.0']],
      ['?tag_filter=v*', ['v3', 'V2_rc', 'v1.0']],
      ['?tag_filter=*RC', ['V2_rc']],
      ['?tag_filter=*1*', ['nightly%1', 'v1.0']],
      ['?tag_filter=2_', ['V2_rc']],
      ['?tag_filter=%25', ['nightly%1']],
      ['?tag_filter=v*0', ['v1.0']],
      ['?tag_filter=3*', []],
      ['?tag_filter=1', ['nightly%1', 'v1.0']],
    ]

    for (const [query, expected] of cases) {
      const list = await app.get(ann, releases + query)
      assert.deepEqual(tags(list), expected, query)
      assert.equal(list.headers['x-total-count'], String(expected.length), query)
    }
    const page = await app.get(ann, `${releases}?limit=1&page=2`)
    assert.deepEqual(tags(page), ['nightly%1'])
    assert.match(page.headers['link'] ?? '', /page=3>; rel="next"/)
    assert.equal((await app.get(undefined, `${releases}/latest`)).body.tag_name, 'v1.0')
  })

  test('is not for those who may not read releases', async (t) => {
    const { app, ann, bob, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1' })
    assertStatus(await app.patch(ann, path, { has_releases: false }), 200)

    for (const below of ['', '/latest', '/tags/v1', `/${body.id}`, `/${body.id}/assets`]) {
      assertError(await app.get(bob, releases + below), 403, /specific read permission/)
    }
    assertStatus(await app.get(ann, releases), 200)
    for (const id of ['0', '-1', 'abc', '99999999999999999999']) {
      assertError(await app.get(ann, `${releases}/${id}`), 404, 'not found')
    }
    assertError(await app.get(ann, `${releases}/tags/absent`), 404, 'not found')
  })
})

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
  })

  test('publishes a draft with its tag, and takes it back', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1', draft: true })
    const release = `${releases}/${body.id}`

    const published = await app.patch(ann, release, { draft: false })
    const counted = (await app.get(ann, path)).body.release_counter
    const back = await app.patch(ann, release, { draft: true })

    assert.partialDeepStrictEqual(published.body, { draft: false, tag_name: 'v1' })
    assert.notEqual(published.body.published_at, null)
    assertStatus(await app.get(ann, `${path}/tags/v1`), 200)
    assert.equal(counted, 1)
    assert.equal(back.body.published_at, null)
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
  })

  test('takes over a tag without a release, be it one that had a release before', async (t) => {
    const { app, ann, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1' })
    const former = await make({ tag_name: 'v3' })
    assertStatus(await app.post(ann, `${path}/tags`, { tag_name: 'v2', message: 'two' }), 201)
    assertStatus(await app.delete(ann, `${releases}/${former.body.id}`), 204)
    const release = `${releases}/${body.id}`

    const bare = await app.patch(ann, release, { tag_name: 'v2' })
    const taken = await app.patch(ann, release, { tag_name: 'V3' })

    assert.partialDeepStrictEqual(bare, { status: 200, body: { id: body.id, tag_name: 'v2' } })
    assert.equal((await app.get(ann, `${path}/tags/v2`)).body.message, 'two')
    assert.partialDeepStrictEqual(taken, { status: 200, body: { id: body.id, tag_name: 'V3' } })
    assert.deepEqual((await app.get(ann, `${releases}/tags/v3`)).body, taken.body)
    assert.deepEqual(tags(await app.get(ann, releases)), ['V3'])
    assertError(await app.get(ann, `${releases}/${former.body.id}/assets`), 404)
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
