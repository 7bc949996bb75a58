import type { Context } from '../context.ts'
import type { Commit, Signature, Signed, Tag } from '../git/parse.ts'
import { checkClaims, type Failure, type Verdict } from '../keys/verify.ts'
import type { Account } from '../users/account.ts'
import { findAuthors, type Authors } from './authors.ts'

/** Whether something was signed by who it says has made it. */
export interface Verification {
  readonly isVerified: boolean
  /** The contract's words. */
  readonly reason: string
  readonly signed: Signed | undefined
  readonly signer: { readonly account: Account; readonly email: string } | undefined
}

/** By the ids of commits. */
export type Verifications = (commitId: string) => Verification

const unsigned: Verification = {
  isVerified: false,
  reason: 'gpg.error.not_signed_commit',
  signed: undefined,
  signer: undefined,
}

const reasons: Readonly<Record<Failure, string>> = {
  unreadable: 'gpg.error.extract_sign',
  no_key: 'gpg.error.no_gpg_keys_found',
  bad_signature: 'gpg.error.probable_bad_signature',
}

/** By a fixed number of statements, and none where nothing is signed. */
export async function verifyCommits(
  ctx: Context,
  commits: readonly Commit[],
  authors?: Authors,
): Promise<Verifications> {
  const made = commits.map(({ id, committer, signed }) => ({ id, by: committer, signed }))
  return verifyMade(ctx, made, authors)
}

export async function verifyTag(ctx: Context, tag: Tag): Promise<Verification> {
  const { id, tagger, signed } = tag
  return (await verifyMade(ctx, [{ id, by: tagger, signed }]))(id)
}

/** A commit or tag, and who has put it into the repository. */
interface Made {
  readonly id: string
  readonly by: Signature
  readonly signed: Signed | undefined
}

async function verifyMade(
  ctx: Context,
  made: readonly Made[],
  knownAuthors?: Authors,
): Promise<Verifications> {
  const signed = made.flatMap(({ id, by, signed: it }) => (it ? [{ id, by, signed: it }] : []))
  if (signed.length === 0) return () => unsigned
  const people = signed.map(({ by }) => ({ author: by, committer: by }))
  const authors = knownAuthors ?? (await findAuthors(ctx, people))
  const claims = signed.map(({ by: { email }, signed: it }) => ({
    ...it,
    email,
    accountId: authors(email)?.id,
  }))
  const verdicts = await checkClaims(ctx, claims)
  const found = new Map<string, Verification>()
  for (const [index, one] of signed.entries()) {
    const verdict = verdicts[index]
    if (verdict) found.set(one.id, toVerification(one.signed, verdict, one.by, authors))
  }
  return (id) => found.get(id) ?? unsigned
}

function toVerification(
  signed: Signed,
  verdict: Verdict,
  { email }: Signature,
  authors: Authors,
): Verification {
  const account = authors(email)
  if ('failure' in verdict || !account) {
    const reason = reasons['failure' in verdict ? verdict.failure : 'no_key']
    return { ...unsigned, reason, signed }
  }
  const reason = `${account.name} / ${verdict.signedWith}`
  return { isVerified: true, reason, signed, signer: { account, email } }
}
