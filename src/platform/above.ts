import type { CheckState } from './check-state.ts'
import type { Context } from './context.ts'
import type { Executor } from './db/database.ts'
import type { Unassigned } from '../identity/followers/block.ts'
import type { MirrorEdit } from '../code/mirrors/edit.ts'
import type { PushListener } from '../code/pushes/listener.ts'
import type { EditGroup } from '../repositories/repository/edit-group.ts'
import type { PartOfRepositories } from '../repositories/repository/part.ts'
import type { LostPairs, TeamPairs } from '../repositories/repository/team-watch-queries.ts'
import type { OwnedByAccounts } from '../identity/users/removal.ts'

/**
 * What an area asks of subjects in the areas above it, or tells them. The lists are called in their
 * order. `server/above-parts.ts` fills all of it in.
 */
export interface Above {
  readonly ownedByAccounts: readonly OwnedByAccounts[]
  readonly partsOfRepositories: readonly PartOfRepositories[]
  readonly pushListeners: readonly PushListener[]
  readonly mirrorEdit: EditGroup<MirrorEdit>
  /** A team has got repositories, or people. */
  readonly onTeamGain: (ctx: Context, tx: Executor, pairs: TeamPairs) => Promise<void>
  /** A team has lost repositories, or people. */
  readonly onTeamLoss: (tx: Executor, pairs: LostPairs) => Promise<void>
  readonly onUnassigned: (ctx: Context, tx: Executor, unassigned: Unassigned) => Promise<void>
  /** What the checks of the doctor found last. */
  readonly checkStates: (ctx: Context) => Promise<readonly CheckState[]>
}
