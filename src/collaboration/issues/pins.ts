import { recordEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import type { Issue } from './issue.ts'
import { changeIssue } from './load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { closeGap, listPinned, openGap, setPinOrder } from './pin-queries.ts'
import { readsIssue } from './rights.ts'

/** Of issues and of pull requests each. */
export const MAX_PINNED = 3

/** Pinning what is pinned leaves it where it is. */
export async function pinIssue(
  ctx: Context,
  { account }: SignedInCaller,
  issue: Issue,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx, current) => {
    if (current.pinOrder > 0) return
    const { length } = await listPinned(tx, current)
    if (length >= MAX_PINNED) {
      throw new AppError('bad_request', 'You have reached the maximum number of pinned issues')
    }
    await setPinOrder(tx, current.id, length + 1)
    const deed = { issueId: current.id, actorId: account.id, at: ctx.now() }
    await recordEvent(tx, deed, { kind: 'pin' })
  })
}

export async function unpinIssue(
  ctx: Context,
  { account }: SignedInCaller,
  issue: Issue,
): Promise<void> {
  await changeIssue(ctx, issue, async (tx, current) => {
    if (current.pinOrder === 0) return
    await setPinOrder(tx, current.id, 0)
    await closeGap(tx, current, current.pinOrder)
    const deed = { issueId: current.id, actorId: account.id, at: ctx.now() }
    await recordEvent(tx, deed, { kind: 'unpin' })
  })
}

/** The others close up behind it; a place beyond the last is the last. */
export async function movePin(ctx: Context, issue: Issue, position: number): Promise<void> {
  if (position < 1) throw invalid('position must be 1 or more')
  await changeIssue(ctx, issue, async (tx, current) => {
    if (current.pinOrder === 0) throw notFound()
    const { length } = await listPinned(tx, current)
    const target = Math.min(position, length)
    await setPinOrder(tx, current.id, 0)
    await closeGap(tx, current, current.pinOrder)
    await openGap(tx, current, target)
    await setPinOrder(tx, current.id, target)
  })
}

/** The issues or the pull requests that are pinned, in their order, for who reads them. */
export async function pinnedIn(
  { db }: Context,
  view: RepositoryView,
  { isPull }: Pick<Issue, 'isPull'>,
): Promise<readonly Issue[]> {
  return readsIssue(view, { isPull }) ? listPinned(db, { repositoryId: view.repo.id, isPull }) : []
}
