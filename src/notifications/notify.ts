import type { Context } from '../context.ts'
import { insertNews } from './recipients-queries.ts'

/** The job: told twice, it is told once. */
export async function notifyOfIssue(
  ctx: Context,
  { issueId, actorId }: { issueId: number; actorId: number },
): Promise<void> {
  await insertNews(ctx.db, { issueId, actorId, now: ctx.now() })
}
