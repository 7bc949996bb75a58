import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import {
  archive,
  base64,
  commit,
  folderOf,
  importInto,
  startWithRepository,
  statuses,
} from '../commits/setup.ts'
import { contentOf } from './setup.ts'

const wrong = '1'.repeat(40)

suite('PUT /repos/{owner}/{repo}/contents/{path}', () => {
  test('changes a file whose id is given, and keeps its mode', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await importInto(
      setup,
      'commit refs/heads/odd\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 100755 inline run\ndata 1\nx\n',
    )
    const { sha } = (await app.get(ann, `${path}/contents/run?ref=odd`)).body

    const { status, body } = await app.put(ann, `${path}/contents/run`, {
      content: base64('new'),
      sha,
      branch: 'odd',
    })

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body.content, { content: base64('new'), mode: '100755' })
    assert.equal(body.commit.message, 'Update run\n')
  })

  test('changes a file that an old version of git has given a mode of its own', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const { sha } = (await app.get(ann, `${path}/contents/README.md`)).body
    const folder = await folderOf(app, 'one')
    const git = async (parameters: readonly string[], text: string | Buffer = '') =>
      (await app.ctx.git.text(folder, parameters, { input: Buffer.from(text) })).trim()
    const tree = Buffer.concat([Buffer.from('100664 shared\0'), Buffer.from(String(sha), 'hex')])
    const treeId = await git(['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], tree)
    const person = 'A <a@b> 1 +0000'
    const commitText = `tree ${treeId}\nauthor ${person}\ncommitter ${person}\n\nx\n`
    const id = await git(['hash-object', '-t', 'commit', '-w', '--stdin'], commitText)
    await git(['update-ref', 'refs/heads/old', id])

    const change = { content: base64('new'), sha, branch: 'old' }
    const { status, body } = await app.put(ann, `${path}/contents/shared`, change)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body.content, { content: base64('new'), mode: '100644' })
  })

  test('moves a file, with new content too', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'docs/a': 'one' })
    const { sha } = (await app.get(ann, `${path}/contents/docs/a`)).body

    const { status, body } = await app.put(ann, `${path}/contents/docs/b`, {
      content: base64('two'),
      sha,
      from_path: 'docs/a',
    })

    assert.equal(status, 200)
    assert.equal(body.content.path, 'docs/b')
    assert.equal(await contentOf(setup, 'docs/a'), undefined)
    assert.equal(await contentOf(setup, 'docs/b'), 'two')

    const moved = { sha: body.content.sha, from_path: 'docs/b' }
    assertStatus(await app.put(ann, `${path}/contents/docs/c`, moved), 200)
    assert.equal(await contentOf(setup, 'docs/c'), 'two')
  })

  test('creates a file when no id is given', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup

    const made = await app.put(ann, `${path}/contents/new`, { content: base64('x') })
    const again = await app.put(ann, `${path}/contents/new`, { content: base64('y'), sha: '' })

    assertStatus(made, 201)
    assertError(again, 422, 'repository file already exists [path: new]')
  })

  test('refuses another id, an unknown file, a folder, a place that is taken', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { a: 'one', 'd/b': 'two' })
    const { sha } = (await app.get(ann, `${path}/contents/a`)).body
    const put = (name: string, options: object) =>
      app.put(ann, `${path}/contents/${name}`, { content: base64('x'), ...options })

    assertError(
      await put('a', { sha: wrong }),
      422,
      `sha does not match [given: ${wrong}, expected: ${sha}]`,
    )
    assertError(
      await put('missing', { sha }),
      404,
      'object does not exist [id: , rel_path: missing]',
    )
    assertError(await put('d', { sha }), 422)
    assertError(await put('d/b', { sha, from_path: 'a' }), 422)
    assertError(await put('c', { sha, from_path: '../a' }), 422)
    assertError(await put('c', { sha, from_path: 'missing' }), 404)
    assert.equal(await contentOf(setup, 'a'), 'one')
  })

  test('of several who change the same file one does', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { a: 'one' })
    const { sha } = (await app.get(ann, `${path}/contents/a`)).body

    const answers = await Promise.all(
      ['x', 'y', 'z'].map((text) =>
        app.put(ann, `${path}/contents/a`, { content: base64(text), sha }),
      ),
    )

    assert.deepEqual(statuses(answers), [200, 422, 422])
  })
})

suite('DELETE /repos/{owner}/{repo}/contents/{path}', () => {
  test('deletes a file whose id is given', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'd/a': 'one' })
    const { sha } = (await app.get(ann, `${path}/contents/d/a`)).body

    const { status, body } = await app.delete(ann, `${path}/contents/d/a`, { sha })

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { content: null, commit: { message: 'Delete d/a\n' } })
    assertError(await app.get(ann, `${path}/contents/d`), 404)
  })

  test('takes its fields from the query when there is no body', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { a: 'one' }, { new_branch: 'side' })
    const { sha } = (await app.get(ann, `${path}/contents/a?ref=side`)).body

    assertStatus(await app.delete(ann, `${path}/contents/a?sha=${sha}&branch=side`), 200)
  })

  test('refuses no id, another one, an unknown file, a folder', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await commit(setup, { 'd/a': 'one' })
    const remove = (name: string, body: object) => app.delete(ann, `${path}/contents/${name}`, body)

    assertError(await remove('d/a', {}), 422, '[SHA]: Required')
    assertError(await remove('d/a', { sha: wrong }), 422, /^sha does not match/)
    assertError(await remove('missing', { sha: wrong }), 404)
    assertError(await remove('d', { sha: wrong }), 422)
    assertError(await app.delete(bob, `${path}/contents/d/a`, { sha: wrong }), 403)
    await archive(setup)
    assertError(await remove('d/a', { sha: wrong }), 423)
  })
})
