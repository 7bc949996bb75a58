import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addFile, foldersOf, listenAndPassOn, startWithMirror } from './support.ts'

/** Does `other` when the server is about to ask the next remote. */
function doWhenAsking(t: TestContext, { ctx: { outside } }: TestApp, other: () => Promise<void>) {
  const locate = outside.locate.bind(outside)
  const mock = t.mock.method(outside, 'locate', async (url: URL) => {
    mock.mock.restore()
    await other()
    return locate(url)
  })
}

suite('a mirror that changes while it is synchronised', () => {
  test('keeps the default branch that it was given', async (t) => {
    const { host, app, ann, bob, sync, read } = await startWithMirror(t)
    await app.post(ann, '/repos/ann/source/branches', { new_branch_name: 'dev' })
    await sync()
    await addFile(app, ann, '/repos/ann/source/contents/a.txt')
    doWhenAsking(t, app, async () => {
      assertStatus(await app.patch(bob, '/repos/bob/copy', { default_branch: 'dev' }), 200)
    })

    await sync()

    const folder = await host.folderOf('bob/copy')
    const head = await host.client.git(['--git-dir', folder, 'symbolic-ref', 'HEAD'])
    assert.deepEqual([(await read()).default_branch, head], ['dev', 'refs/heads/dev'])
  })

  test('leaves no wiki behind when it is deleted', async (t) => {
    const { app, ann, bob, address } = await startWithMirror(t, { wiki: true })
    await app.post(ann, '/repos/ann/source/wiki/new', { title: 'Home', content_base64: 'eA==' })
    const remote = await listenAndPassOn(t, address, async (path) => {
      if (!path.includes('/source.wiki.git/git-upload-pack')) return
      await app.delete(bob, '/repos/bob/copy')
      await app.ctx.jobs.runDue()
    })
    await app.ctx.db
      .updateTable('mirror')
      .set({ address: `${remote}/ann/source.git` })
      .execute()
    assertStatus(await app.post(bob, '/repos/bob/copy/mirror-sync'), 200)

    await app.ctx.jobs.runDue()

    assert.deepEqual(await app.ctx.db.selectFrom('mirror').selectAll().execute(), [])
    // Of what it mirrors, the code and the wiki.
    assert.equal(foldersOf(app), 2)
  })
})
