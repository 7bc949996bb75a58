import type { Context } from '../context.ts'
import { issuesById } from '../issues/load.ts'
import { insertNews } from './recipients-queries.ts'

/** The job: told twice, it is told once. Of an issue that is gone there is nothing to tell. */
export async function notifyOfIssue(
  ctx: Context,
  { issueId, actorId }: { issueId: number; actorId: number },
): Promise<void> {
  const issue = (await issuesById(ctx.db, [issueId])).get(issueId)
  if (!issue) return
  const { repositoryId } = issue
  await insertNews(ctx.db, { issueId, repositoryId, actorId, now: ctx.now() })
}
