import { dropAudience } from '../audience/audience.ts'
import { callerOf, type Context } from '../context.ts'
import type { AccessLevel } from '../db/columns.ts'
import { forbidden, invalid } from '../errors.ts'
import { blockExists } from '../followers/block.ts'
import { hasAnyAccess } from '../repositories/access.ts'
import { endCollaboration, setCollaboration } from '../repositories/collaboration.ts'
import { viewRepository, type RepositoryView } from '../repositories/view.ts'
import type { Account } from '../users/account.ts'

const levels: readonly AccessLevel[] = ['read', 'write', 'admin']

/** Adds somebody, or changes the level; nobody can be made an owner this way. */
export async function addCollaborator(
  ctx: Context,
  { repo, owner }: RepositoryView,
  person: Account,
  word: string,
): Promise<void> {
  const access = levels.find((level) => level === word)
  if (!access) throw invalid(`permission ${word} is not known: read, write or admin`)
  if (person.kind !== 'person') throw invalid(`${person.name} is an organization not a user`)
  if (await blockExists(ctx.db, { from: owner.id, to: person.id }))
    throw forbidden('user is blocked')
  if (person.id === owner.id) return
  await setCollaboration(ctx.db, {
    repository_id: repo.id,
    account_id: person.id,
    access,
    created_at: ctx.now(),
  })
}

/** Who sees the repository no longer stops watching and starring it. */
export async function removeCollaborator(
  ctx: Context,
  { repo }: RepositoryView,
  person: Account,
): Promise<void> {
  await endCollaboration(ctx.db, repo.id, person.id)
  const left = await viewRepository(ctx, callerOf(person), repo)
  if (!hasAnyAccess(left.access, left.units)) await dropAudience(ctx, repo.id, person.id)
}
