import type { Comment } from './comment.ts'
import { presentComment } from './present.ts'
import { viewComment } from './view.ts'
import { anonymous, type Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Issue } from '../issues/issue.ts'
import { presentIssue } from '../issues/present.ts'
import { viewIssue } from '../issues/view.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import type { Account } from '../../identity/users/account.ts'
import { announce } from '../../events/webhooks/announce.ts'
import {
  presentChanges,
  presentPerson,
  viewPlace,
} from '../../repositories/repository/webhook-payload.ts'

export interface CommentNews {
  readonly action: 'created' | 'edited' | 'deleted'
  /** The text before an edit. */
  readonly from?: string
}

/** Told before a comment goes, and after any other change. */
export async function announceComment(
  ctx: Context,
  tx: Executor,
  actor: Account,
  { repositoryId, isPull }: Pick<Issue, 'repositoryId' | 'isPull'>,
  comment: Comment,
  { action, from }: CommentNews,
): Promise<void> {
  const payload = async () => {
    const place = await viewPlace(ctx, tx, repositoryId)
    const view = await viewComment(tx, comment)
    const issue = presentIssue(ctx.config, anonymous, await viewIssue(tx, view.issue))
    return {
      action,
      number: issue.number,
      issue,
      comment: presentComment(ctx.config, place, view),
      ...(from === undefined ? {} : { changes: presentChanges({ body: { from } }) }),
      repository: presentRepository(ctx.config, place),
      sender: presentPerson(ctx, actor),
      is_pull: isPull,
    }
  }
  const kind = isPull ? ('pull_request_comment' as const) : ('issue_comment' as const)
  await announce(ctx, tx, repositoryId, [{ kind, payload }])
}
