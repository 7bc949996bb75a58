import { moveActivities } from '../../events/activity/record.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import { deleteRedirect, findRepository, insertRedirect, updateRepository } from './queries.ts'
import type { Repository } from './repository.ts'

export async function nameIsTaken(ctx: Context, ownerId: number, name: string): Promise<boolean> {
  return (await findRepository(ctx.db, ownerId, name)) !== undefined
}

/** Gives a repository another owner; its old address leads to the new one. */
export async function moveRepository(
  tx: Executor,
  repo: Repository,
  ownerId: number,
): Promise<void> {
  const lowerName = repo.name.toLowerCase()
  if (!(await updateRepository(tx, repo.id, { owner_id: ownerId }))) throw notFound()
  await moveActivities(tx, repo.id, ownerId)
  await deleteRedirect(tx, ownerId, lowerName)
  await insertRedirect(tx, repo.ownerId, lowerName, repo.id)
}
