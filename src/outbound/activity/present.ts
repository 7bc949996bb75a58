import type { Static } from 'typebox'
import { presentAddresses } from '../../collaboration/comments/present.ts'
import type { Caller, Context } from '../../platform/context.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { RepositoryBody } from '../../repositories/repository/schema.ts'
import { formatTime } from '../../platform/time.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { Activity, ActivityComment } from './queries.ts'
import type { ActivityBody } from './schema.ts'

/** Where something happened, as it is shown. */
export interface Place {
  readonly view: RepositoryView
  readonly repo: RepositoryBody
}

export function presentActivity(
  ctx: Context,
  caller: Caller,
  activity: Activity,
  { view, repo }: Place,
): Static<typeof ActivityBody> {
  return {
    id: activity.id,
    user_id: activity.account.id,
    op_type: activity.kind,
    act_user_id: activity.account.id,
    act_user: presentUser(ctx.config, caller, activity.account),
    repo_id: activity.repositoryId,
    repo,
    comment_id: activity.comment?.id ?? 0,
    comment: activity.comment ? presentSaid(ctx, view, activity.comment) : null,
    ref_name: activity.refName,
    is_private: activity.isPrivate,
    content: activity.content,
    created: formatTime(activity.createdAt),
  }
}

/** Whose it is stands beside it. */
function presentSaid({ config }: Context, view: RepositoryView, comment: ActivityComment) {
  return {
    id: comment.id,
    ...presentAddresses(config, view, comment.issue, comment.id),
    user: null,
    original_author: '',
    original_author_id: 0,
    body: comment.body,
    assets: [],
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
  }
}
