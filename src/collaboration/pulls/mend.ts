import { callerOf, type Context } from '../../platform/context.ts'
import { readTip } from '../../platform/git/tip.ts'
import { issuesById } from '../issues/load.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { findAllById } from '../../identity/users/load.ts'
import { followHead } from './follow-head.ts'
import type { Pull } from './pull.ts'
import { findOpenPulls, moveBase } from './queries.ts'

/**
 * After a push that nobody lived to record: pull requests are where their branches are. Else there
 * is nothing to do.
 */
export async function mendPulls(ctx: Context, repositoryId: number): Promise<void> {
  const repo = (await repositoriesById(ctx.db, [repositoryId])).get(repositoryId)
  if (!repo) return
  await mendBases(ctx, repo)
  const pulls = await findOpenPulls(ctx.db, 'head', repositoryId)
  const moved: Pull[] = []
  for (const pull of pulls) {
    const tip = await readTip(folderOf(ctx, repo), pull.headBranch)
    if (tip !== undefined && tip !== pull.headCommitId) moved.push(pull)
  }
  await followAll(ctx, moved)
}

async function mendBases(ctx: Context, repo: Repository): Promise<void> {
  const pulls = await findOpenPulls(ctx.db, 'base', repo.id)
  const branches = new Map(pulls.map((pull) => [pull.baseBranch, pull.baseCommitId]))
  for (const [branch, known] of branches) {
    const commitId = await readTip(folderOf(ctx, repo), branch)
    if (commitId === undefined || commitId === known) continue
    await moveBase(ctx.db, { repositoryId: repo.id, branch, commitId })
  }
}

/** Who pushed is not known any more: it is told of their authors. */
async function followAll(ctx: Context, pulls: readonly Pull[]): Promise<void> {
  const issues = await issuesById(
    ctx.db,
    pulls.map(({ issueId }) => issueId),
  )
  const authors = await findAllById(
    ctx.db,
    [...issues.values()].flatMap(({ authorId }) => authorId ?? []),
  )
  for (const issue of issues.values()) {
    const account = authors.get(issue.authorId ?? 0)
    if (account) await followHead(ctx, callerOf(account), issue.id)
  }
}
