// One database is enough: history is in files.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { writeCommitGraph } from '../../../src/platform/git/commit-graph.ts'
import { startGitHost, type GitHost } from './support.ts'

const NAME = 'ann/one'
let count = 0

class History {
  readonly host: GitHost
  readonly work: string

  constructor(host: GitHost, work: string) {
    this.host = host
    this.work = work
  }

  async git(...words: string[]): Promise<string> {
    return this.host.client.git(words, this.work)
  }

  async write(...paths: string[]): Promise<void> {
    for (const path of paths) {
      mkdirSync(dirname(join(this.work, path)), { recursive: true })
      writeFileSync(join(this.work, path), `${++count}\n`)
    }
  }

  async commit(...paths: string[]): Promise<void> {
    await this.write(...paths)
    await this.git('add', '.')
    await this.git('commit', '--quiet', '--message', paths.join(' '))
  }

  async push(): Promise<void> {
    await this.git('push', '--quiet', '--force', this.host.urlFor('ann', NAME), 'main')
  }
}

async function startHistory(t: TestContext): Promise<History> {
  const host = await startGitHost(t)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one' })
  const history = new History(host, await host.client.makeRepository())
  await history.commit('LICENSE', 'a', 'b', 'src/a', 'src/b', 'src/deep/c')
  return history
}

/** Each entry of the folders beside what git itself says of it. */
async function assertAsGit(history: History, folders: readonly string[]): Promise<void> {
  await history.push()
  const { app } = history.host
  for (const folder of folders) {
    const answer = await app.get(undefined, `/repos/${NAME}/contents/${folder}`)
    const shown = (answer.body as { path: string; last_commit_sha: string }[]).map(
      ({ path, last_commit_sha: id }) => [path, id],
    )
    const wanted = shown.map(async ([path = '']) => [
      path,
      await history.git('log', '-1', '--format=%H', '--', path),
    ])
    assert.deepEqual(shown, await Promise.all(wanted), folder)
  }
}

suite('the last commit of each entry is that of git', () => {
  test('where the sides of a merge changed different files', async (t) => {
    const history = await startHistory(t)
    await history.git('checkout', '--quiet', '-b', 'side')
    await history.commit('b', 'src/b')
    await history.git('checkout', '--quiet', 'main')
    await history.commit('a', 'src/deep/c')
    await history.git('merge', '--quiet', 'side')
    await history.commit('other')

    await assertAsGit(history, ['', 'src', 'src/deep'])
  })

  test('where another history was merged below a folder', async (t) => {
    const history = await startHistory(t)
    await history.git('checkout', '--quiet', '--orphan', 'module')
    await history.git('rm', '-r', '--quiet', '--force', '.')
    await history.commit('LICENSE', 'a')
    await history.git('checkout', '--quiet', 'main')
    const joined = ['--allow-unrelated-histories', '--strategy=ours', '--no-commit', '--quiet']
    await history.git('merge', ...joined, 'module')
    await history.git('read-tree', '--prefix=modules/one/', '-u', 'module')
    await history.git('commit', '--quiet', '--message=Squashed')

    await assertAsGit(history, ['', 'modules', 'modules/one'])
  })

  test('where a merge has what none of its sides had', async (t) => {
    const history = await startHistory(t)
    await history.git('checkout', '--quiet', '-b', 'side')
    await history.commit('a', 'src/a')
    await history.git('checkout', '--quiet', 'main')
    await history.commit('b')
    await history.git('merge', '--quiet', '--no-commit', 'side')
    await history.write('src/a', 'src/new')
    await history.git('add', '.')
    await history.git('commit', '--quiet', '--message=evil')

    await assertAsGit(history, ['', 'src'])
  })

  test('where a merge took nothing, or was reverted and came again', async (t) => {
    const history = await startHistory(t)
    await history.git('checkout', '--quiet', '-b', 'side')
    await history.commit('a', 'src/a')
    await history.git('checkout', '--quiet', 'main')
    await history.commit('b')
    await history.git('merge', '--quiet', '--strategy=ours', 'side')
    await history.git('checkout', '--quiet', '-b', 'second')
    await history.commit('src/b', 'b')
    await history.git('checkout', '--quiet', 'main')
    await history.commit('src/a')
    await history.git('merge', '--quiet', 'second')
    await history.git('revert', '--no-edit', '--mainline=1', 'HEAD')
    await history.git('revert', '--no-edit', 'HEAD')

    await assertAsGit(history, ['', 'src', 'src/deep'])
  })

  for (const withGraph of [true, false]) {
    test(`after 1,000 others, ${withGraph ? 'with' : 'without'} git's index`, async (t) => {
      const history = await startHistory(t)
      const input = Array.from(
        { length: 1000 },
        (_, at) =>
          `commit refs/heads/main\ncommitter a <a@example.org> ${2_000_000_000 + at} +0000\n` +
          `data 1\nx\n${at === 0 ? 'from refs/heads/main^0\n' : ''}M 644 inline often\ndata ${String(at).length}\n${at}\n`,
      )
      spawnSync('git', ['-C', history.work, 'fast-import', '--quiet'], { input: input.join('') })
      await history.push()
      if (withGraph) {
        const { git } = history.host.app.ctx
        const folder = await history.host.folderOf(NAME)
        await writeCommitGraph(git, folder, new AbortController().signal)
      }

      await assertAsGit(history, ['', 'src', 'src/deep'])
    })
  }
})
