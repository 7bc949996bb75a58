// One database is enough: history is in files.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { findChanges } from '../../../src/platform/git/diff.ts'
import { countCommits, listCommitIds, readCommits } from '../../../src/platform/git/history.ts'
import { findLastCommits } from '../../../src/platform/git/last-commits.ts'
import { withObjects } from '../../../src/platform/git/object-pool.ts'
import { startGitHost } from './support.ts'

suite('the history of a commit', () => {
  test('is asked of git once, for each question', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const work = await client.makeRepository()
    const [from, first] = [
      await client.commit(work, 'second'),
      await client.git(['rev-parse', 'HEAD^'], work),
    ]
    await client.git(['push', '--quiet', host.urlFor('ann', 'ann/one'), 'main'], work)
    const folder = await host.folderOf('ann/one')
    const ask = (paths: readonly string[] = ['file.txt']) =>
      Promise.all([
        countCommits(app.ctx.git, folder, { from }),
        countCommits(app.ctx.git, folder, { from, without: [first] }),
        listCommitIds(app.ctx.git, folder, { from }, { offset: 0, limit: 10 }),
        listCommitIds(app.ctx.git, folder, { from }, { offset: 1, limit: 10 }),
        findLastCommits(app.ctx.git, folder, {
          from,
          within: paths,
          paths,
        }),
      ])

    const answers = [2, 1, [from, first], [first], new Map([['file.txt', from]])]
    assert.deepEqual(await ask(), answers)
    // Git is not started on such a repository.
    writeFileSync(join(folder, 'config'), '[core]\n\tbare = true\n\thooksPath = /tmp\n')
    assert.deepEqual(await ask(), answers)
    await assert.rejects(ask(['other.txt']), /foreign settings/)
  })

  test('has been asked for its changes once, whatever else is asked for with it', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const work = await client.makeRepository()
    const second = await client.commit(work, 'second')
    const first = await client.git(['rev-parse', 'HEAD^'], work)
    await client.git(['push', '--quiet', host.urlFor('ann', 'ann/one'), 'main'], work)
    const { git } = app.ctx
    const folder = await host.folderOf('ann/one')
    const commits = await withObjects(git, folder, (objects) =>
      readCommits(objects, [first, second]),
    )
    const ask = async (asked = commits) => {
      const changes = await findChanges(git, folder, asked)
      return asked
        .map(({ id }) => changes(id))
        .map(({ additions, deletions }) => [additions, deletions])
    }

    assert.deepEqual(await ask(commits.slice(1)), [[1, 1]])
    assert.deepEqual(await ask(), [
      [1, 0],
      [1, 1],
    ])
    // Git is not started on such a repository.
    writeFileSync(join(folder, 'config'), '[core]\n\tbare = true\n\thooksPath = /tmp\n')
    assert.deepEqual(await ask(commits.toReversed()), [
      [1, 1],
      [1, 0],
    ])
  })
})
