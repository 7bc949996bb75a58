import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'

/** What belongs to accounts and knows what to do when they are deleted. */
export interface OwnedByAccounts {
  /** Until the transaction ends, nobody adds more of it to these accounts. */
  readonly hold?: (ctx: Context, tx: Executor, ownerIds: readonly number[]) => Promise<void>
  /** Throws where an account still has some of it and is not deleted with all that it owns. */
  readonly assertNone?: (tx: Executor, ownerId: number) => Promise<void>
  /** Plans the deletion of all of it, so that a job goes on if this process does not. */
  readonly mark?: (ctx: Context, tx: Executor, ownerId: number) => Promise<void>
  /** Deletes what was marked, a part at a time, before the account itself. */
  readonly removeMarked?: (ctx: Context, ownerId: number) => Promise<void>
  /** Deletes what is left, in the transaction that deletes the accounts. */
  readonly drop?: (ctx: Context, tx: Executor, ownerIds: readonly number[]) => Promise<void>
  /** Deletes what these accounts did to what others own, with the counts of it. */
  readonly dropMarks?: (ctx: Context, tx: Executor, accountIds: readonly number[]) => Promise<void>
}

/** Throws in the order in which the subjects are registered. */
export async function assertOwnsNothing(ctx: Context, tx: Executor, id: number): Promise<void> {
  for (const owned of ctx.above.ownedByAccounts) await owned.assertNone?.(tx, id)
}

export async function holdOwnedBy(
  ctx: Context,
  tx: Executor,
  ownerIds: readonly number[],
): Promise<void> {
  for (const owned of ctx.above.ownedByAccounts) await owned.hold?.(ctx, tx, ownerIds)
}
