import { logRightsChange } from '../../platform/audit.ts'
import { dropAudience } from '../stars-and-watches/stars-and-watches.ts'
import { callerOf, type Caller, type Context } from '../../platform/context.ts'
import type { AccessLevel } from '../../platform/db/columns.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { invalid } from '../../platform/errors.ts'
import { holdUnblocked } from '../../identity/followers/block.ts'
import { hasAnyAccess } from '../repository/access.ts'
import { endCollaboration, setCollaboration } from '../repository/collaboration.ts'
import { holdUnmoved } from '../repository/hold.ts'
import type { Repository } from '../repository/repository.ts'
import { viewRepository, type RepositoryView } from '../repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findByName, isSeen } from '../../identity/users/load.ts'
import { isCollaborator, listCollaborators, type Collaborator } from './queries.ts'

const levels: readonly AccessLevel[] = ['read', 'write', 'admin']

/** Beside the owner and teams, by name. */
export async function collaboratorsOf(
  ctx: Context,
  repo: Repository,
  page: Page,
): Promise<PageOf<Collaborator>> {
  return listCollaborators(ctx.db, repo.id, page)
}

/**
 * Who has the name, as far as the caller may know: those of whom they may, and those who
 * collaborate here.
 */
export async function findNamed(
  ctx: Context,
  caller: Caller,
  repo: Repository,
  name: string,
): Promise<Account | undefined> {
  const account = await findByName(ctx, name)
  if (!account || (await isSeen(ctx, caller, account))) return account
  return (await isCollaborator(ctx.db, repo.id, account.id)) ? account : undefined
}

export async function loadNamed(
  ctx: Context,
  caller: Caller,
  repo: Repository,
  name: string,
): Promise<Account> {
  const account = await findNamed(ctx, caller, repo, name)
  if (!account) throw invalid(unknownUser(name), { reason: 'user_missing' })
  return account
}

export function unknownUser(name: string): string {
  return `user does not exist [uid: 0, name: ${name}]`
}

/** Adds somebody, or changes the level; nobody can be made an owner this way. */
export async function addCollaborator(
  ctx: Context,
  { repo, owner }: RepositoryView,
  person: Account,
  word: string,
): Promise<void> {
  const access = levels.find((level) => level === word)
  if (!access)
    throw invalid(`permission ${word} is not known: read, write or admin`, {
      reason: 'level_unknown',
    })
  if (person.kind !== 'person')
    throw invalid(`${person.name} is an organization not a user`, { reason: 'is_organization' })
  if (person.id === owner.id) return
  await ctx.db.transaction().execute(async (tx) => {
    await holdUnblocked(ctx, tx, { from: owner.id, to: person.id })
    await holdUnmoved(ctx, tx, repo)
    await setCollaboration(tx, {
      repository_id: repo.id,
      account_id: person.id,
      access,
      created_at: ctx.now(),
    })
  })
  logRightsChange(ctx.log, 'collaborator set', {
    repository: `${owner.name}/${repo.name}`,
    account: person.name,
    access,
  })
}

/** Who sees the repository no longer stops watching and starring it. */
export async function removeCollaborator(
  ctx: Context,
  { repo, owner }: RepositoryView,
  person: Account,
): Promise<void> {
  await endCollaboration(ctx.db, repo.id, person.id)
  const repository = `${owner.name}/${repo.name}`
  logRightsChange(ctx.log, 'collaborator removed', { repository, account: person.name })
  const left = await viewRepository(ctx, callerOf(person), repo)
  if (!hasAnyAccess(left.access, left.units)) await dropAudience(ctx, repo.id, person.id)
}
