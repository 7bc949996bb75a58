import { noReplyDomain } from '../config/urls.ts'
import type { Context } from '../context.ts'
import type { Account } from '../users/account.ts'
import { placeholderEmail } from '../users/present.ts'
import { findPeople } from './queries.ts'

/** Whose address stands in a commit; nobody's for most of the world. */
export type Authors = (email: string) => Account | undefined

/** Who wrote a commit, and who made it one. */
export interface Signed {
  readonly author: { readonly email: string }
  readonly committer: { readonly email: string }
}

/** The accounts of everybody who wrote one of these commits, by a fixed number of statements. */
export async function findAuthors(ctx: Context, commits: readonly Signed[]): Promise<Authors> {
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
  return (email) => found.get(email.toLowerCase())
}
