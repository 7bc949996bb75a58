import type { Context } from '../../platform/context.ts'
import { blame } from '../../platform/git/blame.ts'
import { readCommits } from '../../platform/git/history.ts'
import { keepHistory } from '../../platform/git/kept-history.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { readingCode } from './code.ts'

/** Lines that follow each other, and the commit that wrote them. */
export interface WrittenLines {
  readonly commit: Commit
  readonly count: number
}

/** Who wrote the lines of a file; undefined where git needs too long to find out. */
export async function loadBlame(
  ctx: Context,
  repo: Repository,
  file: { readonly commitId: string; readonly path: string },
): Promise<readonly WrittenLines[] | undefined> {
  const folder = folderOf(ctx, repo)
  const runs = await keepHistory(ctx.git, [folder, 'blame', file.commitId, file.path], async () => {
    const value = await blame(ctx.git, folder, file)
    return { value, weight: value ? 120 * value.length : Infinity }
  })
  if (!runs) return undefined
  const ids = [...new Set(runs.map(({ commitId }) => commitId))]
  const commits = await readingCode(ctx, repo, (objects) => readCommits(objects, ids))
  const byId = new Map(commits.map((commit) => [commit.id, commit]))
  return runs.flatMap(({ commitId, count }) => {
    const commit = byId.get(commitId)
    return commit ? [{ commit, count }] : []
  })
}
