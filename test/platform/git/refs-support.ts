import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { TestCaller } from '../../support/app.ts'
import { startGitHost, type GitHost } from './support.ts'

const HOUR = 3600

export interface Refs {
  readonly host: GitHost
  readonly ann: TestCaller
  readonly work: string
  readonly folder: string
  readonly push: (...refs: string[]) => Promise<unknown>
  readonly list: () => Promise<string>
  /** As if what changed since the last time had changed long ago, and in this order. */
  readonly passTime: () => void
  /** From now on no git is started on the repository. */
  readonly lockGit: () => void
}

export async function startRefs(t: TestContext, format: 'sha1' | 'sha256' = 'sha1'): Promise<Refs> {
  const host = await startGitHost(t)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one', object_format_name: format })
  const work = await host.client.makeRepository('work', format)
  const push = (...refs: string[]) =>
    host.client.git(['push', '--quiet', host.urlFor('ann', 'ann/one'), ...refs], work)
  await push('main')
  const folder = await host.folderOf('ann/one')
  const list = () => host.client.git(['ls-remote', '--symref', host.url('ann/one')])
  let past = Date.now() / 1000 - HOUR
  const passTime = () => {
    past += 60
    for (const path of pathsOf(folder)) {
      if (Date.now() / 1000 - statSync(path).mtimeMs / 1000 < HOUR / 2) utimesSync(path, past, past)
    }
  }
  passTime()
  const lockGit = () =>
    writeFileSync(join(folder, 'config'), '[core]\n\tbare = true\n\thooksPath = /tmp\n')
  return { host, ann, work, folder, push, list, passTime, lockGit }
}

/** The files and folders of a repository that change with its refs. */
function pathsOf(repository: string): string[] {
  const below = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap(({ name }) => below(join(path, name)))
      .concat(path)
  const files = readdirSync(repository).filter((name) => /^(HEAD|packed-refs)$/.test(name))
  return [...files.map((name) => join(repository, name)), ...below(join(repository, 'refs'))]
}
