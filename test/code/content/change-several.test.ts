import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { base64, commit, startWithRepository } from '../commits/setup.ts'
import { contentOf, countCommits } from './setup.ts'

const wrong = '1'.repeat(40)

suite('POST /repos/{owner}/{repo}/contents', () => {
  test('changes several files in one commit, each seeing those before it', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { a: 'a', 'b/b': 'b', c: 'c' })
    const sha = async (name: string) => (await app.get(ann, `${path}/contents/${name}`)).body.sha

    const { status, body } = await app.post(ann, `${path}/contents`, {
      message: 'mixed',
      files: [
        { operation: 'update', path: 'a', content: base64('aa'), sha: await sha('a') },
        { operation: 'delete', path: 'b/b', sha: await sha('b/b') },
        { operation: 'create', path: 'b', content: base64('now a file') },
        { operation: 'rename', path: 'd/c', from_path: 'c', sha: await sha('c') },
        { operation: 'upload', path: 'README.md', content: base64('over') },
      ],
    })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['files', 'commit', 'verification'])
    assert.partialDeepStrictEqual(body.files, [
      { path: 'a', content: base64('aa') },
      null,
      { path: 'b', content: base64('now a file') },
      { path: 'd/c', content: base64('c') },
      { path: 'README.md', content: base64('over') },
    ])
    assert.equal(await countCommits(setup), 3)
    assert.equal(await contentOf(setup, 'c'), undefined)
  })

  test('does all or nothing', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup

    const answer = await app.post(ann, `${path}/contents`, {
      files: [
        { operation: 'create', path: 'd', content: base64('d') },
        { operation: 'create', path: 'README.md', content: base64('again') },
      ],
    })

    assertError(answer, 422, 'repository file already exists [path: README.md]')
    assertError(await app.get(ann, `${path}/contents/d`), 404)
    assert.equal(await countCommits(setup), 1)
  })

  test('describes what was done when no message is given', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const { sha } = (await app.get(ann, `${path}/contents/README.md`)).body

    const { body } = await app.post(ann, `${path}/contents`, {
      files: [
        { operation: 'create', path: 'a', content: '' },
        { operation: 'create', path: 'b', content: '' },
        { operation: 'delete', path: 'README.md', sha },
      ],
    })

    assert.equal(body.commit.message, 'Add a, b\nDelete README.md\n')
  })

  test('refuses unknown operations, none, and changes without an id', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const change = (...files: object[]) => app.post(ann, `${path}/contents`, { files })

    assertError(await change(), 422, '[Files]: Required')
    assertError(await app.post(ann, `${path}/contents`, {}), 422, '[Files]: Required')
    assertError(
      await change({ operation: 'explode', path: 'a' }),
      422,
      'unknown operation: explode',
    )
    assertError(await change({ path: 'a' }), 422, 'unknown operation: ')
    assertError(await change({ operation: 'update', path: 'README.md' }), 422)
    assertError(await change({ operation: 'delete', path: 'README.md' }), 422)
    assertError(await change({ operation: 'delete', path: 'missing', sha: wrong }), 404)
    assertError(
      await change({ operation: 'rename', path: 'a', sha: wrong }),
      422,
      '[FromPath]: Required',
    )
    assertError(await change({ operation: 'create', path: 'a', content: '?' }), 422)
    assertError(await app.post(bob, `${path}/contents`, { files: [{}] }), 403)
    assert.equal(await countCommits(setup), 1)
  })

  test('shows every file of a large change', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const files = Array.from({ length: 120 }, (_, index) => ({
      operation: 'create',
      path: `f/${index}`,
      content: base64(String(index)),
    }))

    const { body } = await app.post(ann, `${path}/contents`, { files })

    assert.equal(body.files.filter((file: unknown) => file !== null).length, 120)
    assert.equal(body.files[119].last_commit_sha, body.commit.sha)
  })

  test('works in a repository with longer ids', async (t) => {
    const { app, ann } = await startWithRepository(t)
    const options = { name: 'long', object_format_name: 'sha256', auto_init: true }
    assertStatus(await app.post(ann, '/user/repos', options), 201)

    const made = await app.post(ann, '/repos/ann/long/contents/a', { content: base64('a') })
    const changed = await app.put(ann, '/repos/ann/long/contents/a', {
      content: base64('b'),
      sha: made.body.content.sha,
    })

    assertStatus(changed, 200)
    assert.match(changed.body.content.sha, /^[0-9a-f]{64}$/)
    assert.equal((await app.get(ann, '/repos/ann/long/commits')).body.length, 3)
  })
})
