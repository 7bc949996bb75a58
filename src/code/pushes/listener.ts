import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { Brought } from './brought.ts'
import type { PushedTo } from './describe.ts'

export interface RecordedPush {
  readonly caller: SignedInCaller
  readonly view: PushedTo
  readonly updates: readonly RefUpdate[]
  readonly brought: Brought
  /** What the commits say was said about another repository. */
  readonly isForeign: boolean
}

/** A subject that does something when branches and tags have moved. */
export interface PushListener {
  /** In the transaction that records the push. */
  readonly inTransaction?: (ctx: Context, tx: Executor, push: RecordedPush) => Promise<void>
  readonly afterCommit?: (
    ctx: Context,
    caller: SignedInCaller,
    repo: Repository,
    updates: readonly RefUpdate[],
  ) => Promise<void>
  /** In the transaction that records the new name of a branch, before it is told to have moved. */
  readonly onBranchRename?: (
    tx: Executor,
    repositoryId: number,
    names: { readonly from: string; readonly to: string },
  ) => Promise<void>
}
