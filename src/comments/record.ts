import type { Executor } from '../db/database.ts'
import type { EventDetails, EventKind } from './comment.ts'
import { insertComments } from './queries.ts'

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
  { issueId, actorId, at }: Deed,
  events: readonly NewEvent[],
): Promise<readonly number[]> {
  return insertComments(
    tx,
    events.map(({ kind, body = '', details = {} }) => ({
      issue_id: issueId,
      author_id: actorId,
      kind,
      body,
      details: JSON.stringify(details),
      created_at: at,
      updated_at: at,
    })),
  )
}
