import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Repository } from './repository.ts'

export interface ForksFollowing {
  readonly actorId: number
  readonly forkIds: readonly number[]
  readonly isPrivate: boolean
}

export interface TransferOffer {
  readonly repositoryId: number
  /** A person or an organization. */
  readonly recipientId: number
}

/** What hangs on repositories and knows what to do when one is deleted or changed. */
export interface PartOfRepositories {
  /** In the transaction that deletes a repository, before its row is held. */
  readonly beforeRemoval?: (ctx: Context, tx: Executor, repo: Repository) => Promise<void>
  /** Deletes what would take too long to be deleted with the row at once. */
  readonly drop?: (tx: Executor, repositoryId: number) => Promise<void>
  /** In the transaction in which forks become private, or public, because their base does. */
  readonly onForksFollowing?: (ctx: Context, tx: Executor, change: ForksFollowing) => Promise<void>
  /** In the transaction that offers a repository to another owner. */
  readonly onOffer?: (
    ctx: Context,
    tx: Executor,
    actorId: number,
    offer: TransferOffer,
  ) => Promise<void>
  /** In the transaction that gives a repository to another owner; `repo` is as it was before. */
  readonly onTransfer?: (tx: Executor, repo: Repository) => Promise<void>
}
