import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  archive,
  commit,
  folderOf,
  names,
  startWithRepository,
  statuses,
} from '../commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('POST /repos/{owner}/{repo}/tags', () => {
  test('makes a light tag on the default branch', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const { commit: head } = (await app.get(ann, `${path}/branches/main`)).body

    const { status, body } = await app.post(ann, `${path}/tags`, { tag_name: 'v1' })

    assert.equal(status, 201)
    assert.deepEqual(Object.entries(body), [
      ['name', 'v1'],
      ['message', 'Initial commit'],
      ['id', head.id],
      [
        'commit',
        {
          url: `http://codestead.test/api/v1${path}/git/commits/${head.id}`,
          sha: head.id,
          created: head.timestamp,
        },
      ],
      ['zipball_url', 'http://codestead.test/ann/one/archive/v1.zip'],
      ['tarball_url', 'http://codestead.test/ann/one/archive/v1.tar.gz'],
    ])
  })

  test('makes an annotated one when it has a message', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const first = (await app.get(ann, `${path}/branches/main`)).body.commit.id
    await commit(setup, { a: 'x' })

    const { body } = await app.post(ann, `${path}/tags`, {
      tag_name: 'release/v2',
      message: 'second\n\nwith more',
      target: first,
    })

    assert.notEqual(body.id, first)
    assert.partialDeepStrictEqual(body, {
      name: 'release/v2',
      message: 'second\n\nwith more',
      commit: { sha: first },
      zipball_url: 'http://codestead.test/ann/one/archive/release%2Fv2.zip',
    })
    assert.deepEqual((await app.get(undefined, `${path}/tags/release/v2`)).body, body)
    assert.deepEqual((await app.get(undefined, `${path}/tags/release%2Fv2`)).body, body)
  })

  test('points at the commit when another tag is the target', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const { body: heavy } = await app.post(ann, `${path}/tags`, { tag_name: 'v1', message: 'x' })

    const { body } = await app.post(ann, `${path}/tags`, { tag_name: 'v2', target: 'v1' })

    assert.equal(body.id, heavy.commit.sha)
  })

  test('refuses names that are taken or bad, and unknown targets', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    const create = (body: object) => app.post(ann, `${path}/tags`, body)

    assertError(await create({ tag_name: 'v1' }), 409, 'tag already exists [name: v1]')
    assertError(await create({ tag_name: 'v1/below' }), 409)
    assertError(
      await create({ tag_name: 'v2', target: 'missing' }),
      404,
      'target not found: object does not exist [id: missing, rel_path: ]',
    )
    assertError(await create({}), 422, '[TagName]: Required')
    for (const bad of ['-d', 'a/-d', 'a..b', 'a b', 'a~1'])
      assertError(await create({ tag_name: bad }), 422, '[TagName]: GitRefName')
    assertError(await app.post(ann, '/repos/ann/empty/tags', { tag_name: 'v1' }), 404)
  })

  test('is for those who may write', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup

    assertError(await app.post(undefined, `${path}/tags`, { tag_name: 'v1' }), 401)
    assertError(await app.post(bob, `${path}/tags`, { tag_name: 'v1' }), 403)
    await archive(setup)
    assertError(await app.post(ann, `${path}/tags`, { tag_name: 'v1' }), 423)
  })

  test('of several who make the same tag one does', async (t) => {
    const { app, ann, path } = await startWithRepository(t)

    const answers = await Promise.all(
      ['a', 'b', 'c'].map((message) => app.post(ann, `${path}/tags`, { tag_name: 'v1', message })),
    )

    assert.deepEqual(statuses(answers), [201, 409, 409])
  })
})

suite('GET /repos/{owner}/{repo}/tags', () => {
  test('lists tags by pages, newest first', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    for (const name of ['v1', 'v2', 'a3']) {
      app.passTime(10)
      assertStatus(await app.post(ann, `${path}/tags`, { tag_name: name, message: name }), 201)
    }

    const all = await app.get(undefined, `${path}/tags`)
    const page = await app.get(undefined, `${path}/tags?limit=2&page=2`)

    assert.deepEqual(names(all.body), ['a3', 'v2', 'v1'])
    assert.equal(all.headers['x-total-count'], '3')
    assert.deepEqual(names(page.body), ['v1'])
    assert.deepEqual((await app.get(undefined, `${path}/tags?page=9`)).body, [])
  })

  test('leaves out what names no commit', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    const { sha } = (await app.get(ann, `${path}/contents/README.md`)).body
    await app.ctx.git.run(await folderOf(app, 'one'), ['update-ref', 'refs/tags/blob', sha])

    const { body, headers } = await app.get(undefined, `${path}/tags`)

    assert.deepEqual(names(body), ['v1'])
    assert.equal(headers['x-total-count'], '1')
    assertError(await app.get(undefined, `${path}/tags/blob`), 404)
  })

  test('is empty in an empty repository', async (t) => {
    const { app, ann } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })

    assert.deepEqual((await app.get(ann, '/repos/ann/empty/tags')).body, [])
  })

  test('does not find an unknown tag', async (t) => {
    const { app, path } = await startWithRepository(t)

    assertError(await app.get(undefined, `${path}/tags/missing`), 404, "tag doesn't exist: missing")
    assertError(await app.get(undefined, `${path}/tags/main`), 404)
    assertError(await app.get(undefined, `${path}/tags/-d`), 404)
  })
})

suite('DELETE /repos/{owner}/{repo}/tags/{tag}', () => {
  test('deletes a tag', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, `${path}/tags`, { tag_name: 'a/v1', message: 'x' })

    assertStatus(await app.delete(ann, `${path}/tags/a/v1`), 204)

    assertError(await app.get(ann, `${path}/tags/a/v1`), 404)
    assertError(await app.delete(ann, `${path}/tags/a/v1`), 404, 'not found')
    assertError(await app.delete(ann, `${path}/tags/--all`), 404)
  })

  test('is for those who may write', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })

    assertError(await app.delete(undefined, `${path}/tags/v1`), 401)
    assertError(await app.delete(bob, `${path}/tags/v1`), 403)
    await archive(setup)
    assertError(await app.delete(ann, `${path}/tags/v1`), 423)
  })
})
