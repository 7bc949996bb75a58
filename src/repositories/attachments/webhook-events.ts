import type { Attachment } from './attachment.ts'
import { presentAttachment } from './present.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Account } from '../../identity/users/account.ts'
import { announce } from '../../events/webhooks/announce.ts'
import { presentPerson, presentPlace } from '../repository/webhook-payload.ts'

/** A file that came to an issue, a comment or a release, or was taken from it by itself. */
export async function announceAttachment(
  ctx: Context,
  tx: Executor,
  actor: Account,
  attachment: Attachment,
  action: 'added' | 'removed',
): Promise<void> {
  const { repositoryId, issueId, commentId, releaseId } = attachment
  const payload = async () => ({
    action,
    attachment: presentAttachment(ctx.config, attachment),
    issue_id: issueId ?? 0,
    comment_id: commentId ?? 0,
    release_id: releaseId ?? 0,
    repository: await presentPlace(ctx, tx, repositoryId),
    sender: presentPerson(ctx, actor),
  })
  await announce(ctx, tx, repositoryId, [{ kind: 'attachment', payload }])
}
