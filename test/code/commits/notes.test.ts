import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startGitHost } from '../../platform/git/support.ts'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('git notes', () => {
  test('are shown with their commit, however git spreads them', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true, private: true })
    const folder = await host.folderOf('ann/one')
    const git = (...words: string[]) => client.git(['--git-dir', folder, ...words])
    const id = await git('rev-parse', 'main')
    const path = '/repos/ann/one/git/notes'
    assertError(await app.get(ann, `${path}/${id}`), 404, `commit doesn't have a note: ${id}`)

    await git('notes', 'add', '-m', 'checked by Ann', 'main')
    for (const name of [id, 'main']) {
      const { status, body } = await app.get(ann, `${path}/${name}`)
      assert.deepEqual([status, Object.keys(body as object)], [200, ['message', 'commit']])
      assert.deepEqual([body.message, body.commit.sha], ['checked by Ann\n', id])
    }
    assert.equal((await app.get(ann, `${path}/${id}?files=false`)).body.commit.files, null)
    assertError(await app.get(ann, `${path}/${'0'.repeat(40)}`), 404)
    assertError(await app.get(ann, `${path}/a..b`), 422)
    assertError(await app.get(undefined, `${path}/${id}`), 404)

    const blob = await git('rev-parse', `refs/notes/commits:${id}`)
    const index = `${id.slice(0, 2)}/${id.slice(2, 4)}/${id.slice(4)}`
    await git('update-ref', '-d', 'refs/notes/commits')
    await git('update-index', '--add', '--cacheinfo', `100644,${blob},${index}`)
    const tree = await git('write-tree')
    await git('update-ref', 'refs/notes/commits', await git('commit-tree', '-m', 'x', tree))
    assert.equal((await app.get(ann, `${path}/${id}`)).body.message, 'checked by Ann\n')
  })
})

suite('rendering at the address of a repository', () => {
  test('gives the same to those who may see it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/user/repos', { name: 'one', private: true })
    const root = '/repos/ann/one'

    for (const path of ['/markdown', '/markup']) {
      const body = { Text: '# Hi', Mode: 'markdown' }
      const there = await app.post(ann, root + path, body)
      assert.deepEqual([there.status, there.text], [200, (await app.post(ann, path, body)).text])
      assertError(await app.post(bob, root + path, body), 404)
    }
    const raw = await app.post(ann, `${root}/markdown/raw`, '*x*', { 'content-type': 'text/plain' })
    assert.match(raw.text, /<em>x<\/em>/)
    await app.patch(ann, root, { private: false })
    assertError(await app.post(undefined, `${root}/markdown`, {}), 401)
    assertStatus(await app.post(bob, `${root}/markdown`, { Text: 'x' }), 200)
  })
})
