// One database is enough: git is started the same on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startFailingGit } from '../../support/failing-git.ts'

suite('a push', () => {
  test('starts git as often for many refs as for few', async (t) => {
    const { host, takeStarted } = await startFailingGit(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const work = await client.makeRepository()
    const push = async (...refspecs: string[]) => {
      await client.git(['push', '--quiet', host.urlFor('ann', 'ann/one.git'), ...refspecs], work)
      const started = takeStarted()
      // One that reads objects may wait for the next question, or for none.
      const readers = started.filter((command) => command === 'cat-file')
      assert.ok(readers.length <= 1, `${readers.length} readers`)
      return started.filter((command) => command !== 'cat-file')
    }
    // Once, git is asked what it is able to do.
    await push('main')
    await client.git(['commit', '--quiet', '--allow-empty', '--message', 'more'], work)

    assert.deepEqual(await push('main'), ['log', 'receive-pack'])
    const tags = Array.from({ length: 200 }, (_, index) => `main:refs/tags/v${index}`)
    assert.deepEqual(await push(...tags), ['for-each-ref', 'log', 'receive-pack'])
  })
})
