import type { Executor } from '../../platform/db/database.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import {
  deleteOfRefs,
  findRefsSince,
  hideActivities,
  insertActivities,
  updateOwner,
  updateRef,
} from './record-queries.ts'

/** What the contract records of repositories. */
export type ActivityKind =
  | 'create_repo'
  | 'rename_repo'
  | 'transfer_repo'
  | 'commit_repo'
  | 'push_tag'
  | 'delete_tag'
  | 'delete_branch'
  | 'create_issue'
  | 'comment_issue'
  | 'close_issue'
  | 'reopen_issue'
  | 'comment_pull'
  | 'create_pull_request'
  | 'merge_pull_request'
  | 'auto_merge_pull_request'
  | 'approve_pull_request'
  | 'reject_pull_request'
  | 'close_pull_request'
  | 'reopen_pull_request'
  | 'publish_release'
  | 'mirror_sync_push'
  | 'mirror_sync_create'
  | 'mirror_sync_delete'

export interface NewActivity {
  readonly repositoryId: number
  readonly accountId: number
  readonly kind: ActivityKind
  readonly refName?: string
  readonly content?: string
  readonly isPrivate: boolean
  /** What it is about: the activity goes with them. */
  readonly issueId?: number
  readonly commentId?: number
  readonly at: number
}

/** In the transaction of what happened. */
export async function recordActivity(tx: Executor, activity: NewActivity): Promise<void> {
  await recordActivities(tx, [activity])
}

/** Many at once, in the transaction of what happened. */
export async function recordActivities(
  tx: Executor,
  activities: readonly NewActivity[],
): Promise<void> {
  await insertActivities(tx, activities.map(toRow))
}

function toRow(activity: NewActivity): NewRow<'activity'> {
  return {
    repository_id: activity.repositoryId,
    account_id: activity.accountId,
    kind: activity.kind,
    ref_name: activity.refName ?? '',
    content: activity.content ?? '',
    is_private: activity.isPrivate ? 1 : 0,
    issue_id: activity.issueId ?? null,
    comment_id: activity.commentId ?? null,
    created_at: activity.at,
  }
}

/** What was recorded of repositories that become private stays private for good. */
export async function concealActivities(
  tx: Executor,
  repositoryIds: readonly number[],
): Promise<void> {
  await hideActivities(tx, repositoryIds)
}

/** The refs of a repository of which something was recorded since. */
export async function refsToldSince(
  db: Executor,
  repositoryId: number,
  since: number,
): Promise<ReadonlySet<string>> {
  return findRefsSince(db, repositoryId, since)
}

/** What is no longer told of these refs. */
export async function forgetActivities(
  tx: Executor,
  repositoryId: number,
  kind: ActivityKind,
  refNames: readonly string[],
): Promise<void> {
  await deleteOfRefs(tx, repositoryId, kind, refNames)
}

export async function renameActivities(
  tx: Executor,
  repositoryId: number,
  kind: ActivityKind,
  refs: { readonly from: string; readonly to: string },
): Promise<void> {
  await updateRef(tx, repositoryId, kind, refs)
}

/** What was recorded of a repository goes with it to its new owner. */
export async function moveActivities(
  tx: Executor,
  repositoryId: number,
  ownerId: number,
): Promise<void> {
  await updateOwner(tx, repositoryId, ownerId)
}
