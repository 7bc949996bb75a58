import { noReplyDomain } from '../../platform/config/urls.ts'
import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { idsSeen } from '../../identity/users/load.ts'
import { placeholderEmail } from '../../identity/users/present.ts'
import { findPeople } from './queries.ts'

/** Whose address stands in a commit; nobody's for most of the world. */
export type Authors = (email: string) => Account | undefined

/** Who wrote a commit, and who made it one. */
export interface Signed {
  readonly author: { readonly email: string }
  readonly committer: { readonly email: string }
}

/** Whose addresses these are, and as whom they are shown to somebody. */
export interface FoundAuthors {
  /** For what is no matter of who looks, such as whose key has signed. */
  readonly owners: Authors
  readonly authors: Authors
}

/** What an address leads to for everybody: for rules, and never to be shown. */
export async function findAuthors(ctx: Context, commits: readonly Signed[]): Promise<Authors> {
  const found = await findOwners(ctx, commits)
  return (email) => found.get(email.toLowerCase())
}

/**
 * As `viewer` may know them: anybody can push a commit with anybody's address. So it leads to no
 * account that they may not see, nor to one that hides its addresses, but by the one that stands in
 * for these.
 */
export async function findAuthorsFor(
  ctx: Context,
  viewer: Caller,
  commits: readonly Signed[],
): Promise<FoundAuthors> {
  const found = await findOwners(ctx, commits)
  const seen = await idsSeen(ctx, viewer, [...found.values()])
  const isOpen = ({ id, hideEmail }: Account, email: string) =>
    !hideEmail || viewer.account?.id === id || isSiteAdmin(viewer) || isPlaceholder(ctx, email)
  const owners: Authors = (email) => found.get(email.toLowerCase())
  const authors: Authors = (email) => {
    const account = owners(email)
    return account && seen.has(account.id) && isOpen(account, email) ? account : undefined
  }
  return { owners, authors }
}

/**
 * What is shown of an address to all who see a repository, whoever they are: an account that hides
 * neither itself nor its addresses, or one by the address that stands in for these.
 */
export async function findOpenAuthors(
  ctx: Context,
  { repo, owner }: RepositoryView,
  commits: readonly Signed[],
): Promise<Authors> {
  const authors = await findAuthors(ctx, commits)
  const isForAll = !repo.isPrivate && owner.visibility === 'public'
  const hidden: readonly Visibility[] = isForAll ? ['limited', 'private'] : ['private']
  return (email) => {
    const account = authors(email)
    if (!account || isPlaceholder(ctx, email)) return account
    return account.hideEmail || hidden.includes(account.visibility) ? undefined : account
  }
}

function isPlaceholder({ config }: Context, email: string): boolean {
  return email.toLowerCase().endsWith(`@${noReplyDomain(config)}`)
}

/** The accounts of everybody who wrote one of these commits, by a fixed number of statements. */
async function findOwners(
  ctx: Context,
  commits: readonly Signed[],
): Promise<ReadonlyMap<string, Account>> {
  const emails = new Set(
    commits.flatMap(({ author, committer }) => [
      author.email.toLowerCase(),
      committer.email.toLowerCase(),
    ]),
  )
  const ending = `@${noReplyDomain(ctx.config)}`
  const names = [...emails].flatMap((email) =>
    email.endsWith(ending) ? [email.slice(0, -ending.length).replace(/^\d+\+/, '')] : [],
  )
  const found = new Map<string, Account>()
  for (const { email, account } of await findPeople(ctx.db, { emails: [...emails], names }))
    found.set(email || placeholderEmail(ctx.config, account), account)
  return found
}
