// One database is enough: history is in files.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { countCommits, findLastCommits, listCommitIds } from '../../src/git/history.ts'
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
})
