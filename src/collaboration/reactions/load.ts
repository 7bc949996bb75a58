import type { Caller, Context } from '../../platform/context.ts'
import { tallyReactions, type ReactionTally } from './queries.ts'

/**
 * What was said of an issue, by the id of the comment, 0 for the issue itself; with what the caller
 * said.
 */
export async function reactionsAbout(
  ctx: Context,
  { account }: Caller,
  issueId: number,
): Promise<(commentId: number) => readonly ReactionTally[]> {
  const tallies = await tallyReactions(ctx.db, issueId, account?.id ?? 0)
  const byComment = Map.groupBy(tallies, ({ commentId }) => commentId ?? 0)
  return (commentId) => byComment.get(commentId) ?? []
}
