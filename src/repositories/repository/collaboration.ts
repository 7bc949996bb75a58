import { higher } from '../../platform/access-level.ts'
import { callerOf, type Context } from '../../platform/context.ts'
import type { AccessLevel } from '../../platform/db/columns.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import type { Account } from '../../identity/users/account.ts'
import { deleteCollaboration, findTeamAccess, upsertCollaboration } from './relation-queries.ts'
import type { Repository } from './repository.ts'
import { viewRepository } from './view.ts'

/** Adds a collaborator, or changes the level; the caller decides what else is atomic with it. */
export async function setCollaboration(tx: Executor, row: NewRow<'collaboration'>): Promise<void> {
  await upsertCollaboration(tx, row)
}

export async function endCollaboration(
  tx: Executor,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await deleteCollaboration(tx, repositoryId, accountId)
}

/** Like `endCollaboration`, of who only reads; who was given more keeps it. */
export async function endReading(
  tx: Executor,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await deleteCollaboration(tx, repositoryId, accountId, 'read')
}

/**
 * What somebody may do with all of a repository; a team with levels for single units says nothing
 * of that.
 */
export async function overallLevel(
  ctx: Context,
  repo: Repository,
  person: Account,
): Promise<AccessLevel> {
  const { access } = await viewRepository(ctx, callerOf(person), repo)
  const teams = await findTeamAccess(ctx.db, [repo.id], [person.id])
  return teams.reduce((level, team) => higher(level, team.level), access.level)
}
