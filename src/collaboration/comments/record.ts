import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { partsOf } from '../../platform/db/parts.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import type { Unassigned } from '../../identity/followers/block.ts'
import type { EventDetails, EventKind } from './comment.ts'
import { findDetails, insertComments, insertReferences } from './queries.ts'

export interface NewEvent {
  readonly kind: EventKind
  readonly body?: string
  readonly details?: EventDetails
}

/** Who has done something to which issue, and when. */
export interface Deed {
  readonly issueId: number
  readonly actorId: number
  readonly at: number
}

/** In the transaction of what happened; the id of the new entry. */
export async function recordEvent(tx: Executor, deed: Deed, event: NewEvent): Promise<number> {
  const [id = 0] = await recordEvents(tx, deed, [event])
  return id
}

export async function recordEvents(
  tx: Executor,
  deed: Deed,
  events: readonly NewEvent[],
): Promise<readonly number[]> {
  return insertComments(
    tx,
    events.map((event) => toRow(deed, event)),
  )
}

/** Like `recordEvent`, for each of these issues. */
async function recordEverywhere(
  tx: Executor,
  deed: Omit<Deed, 'issueId'>,
  issueIds: readonly number[],
  event: NewEvent,
): Promise<void> {
  for (const some of partsOf(issueIds)) {
    await insertComments(
      tx,
      some.map((issueId) => toRow({ ...deed, issueId }, event)),
    )
  }
}

function toRow(
  { issueId, actorId, at }: Deed,
  { kind, body = '', details = {} }: NewEvent,
): NewRow<'comment'> {
  return {
    issue_id: issueId,
    author_id: actorId,
    kind,
    body,
    details: JSON.stringify(details),
    created_at: at,
    updated_at: at,
  }
}

/** What names issues, and which. */
export interface NewReference {
  readonly kind: 'issue_ref' | 'pull_ref' | 'comment_ref'
  readonly sourceId: number
  readonly issueIds: readonly number[]
  readonly details: EventDetails
}

/** Each issue is told once of what names it. */
export async function recordReferences(
  tx: Executor,
  { actorId, at }: Omit<Deed, 'issueId'>,
  { kind, sourceId, issueIds, details }: NewReference,
): Promise<void> {
  await insertReferences(tx, issueIds, {
    author_id: actorId,
    kind,
    details: JSON.stringify(details),
    ref_issue_id: sourceId,
    created_at: at,
    updated_at: at,
  })
}

export interface CommitReference {
  readonly commitId: string
  readonly subject: string
}

/** The issue is told once of each commit that names it. */
export async function recordCommitReferences(
  tx: Executor,
  deed: Deed,
  commits: readonly CommitReference[],
): Promise<void> {
  const told = new Set(
    (await findDetails(tx, deed.issueId, 'commit_ref')).map(({ commitId }) => commitId),
  )
  await recordEvents(
    tx,
    deed,
    commits
      .filter(({ commitId }) => !told.has(commitId))
      .map(({ commitId, subject }) => ({
        kind: 'commit_ref',
        body: subject,
        details: { commitId },
      })),
  )
}

/** Somebody was taken off these issues because of a block. */
export async function recordUnassigned(
  ctx: Context,
  tx: Executor,
  { actorId, assigneeId, issueIds }: Unassigned,
): Promise<void> {
  const event = { kind: 'assignees', details: { assigneeId, removed: true } } as const
  await recordEverywhere(tx, { actorId, at: ctx.now() }, issueIds, event)
}
