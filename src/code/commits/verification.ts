import type { Caller, Context } from '../../platform/context.ts'
import type { Commit, Signature, Signed, Tag } from '../../platform/git/parse.ts'
import { checkClaims, type Failure, type Verdict } from '../../identity/keys/verify.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAuthors, findAuthorsFor, type FoundAuthors } from './authors.ts'

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
  known?: FoundAuthors,
): Promise<Verifications> {
  const made = commits.map(({ id, committer, signed }) => ({ id, by: committer, signed }))
  return verifyMade(ctx, made, known)
}

export async function verifyTag(ctx: Context, viewer: Caller, tag: Tag): Promise<Verification> {
  const { id, tagger, signed } = tag
  const known = await findAuthorsFor(ctx, viewer, [{ author: tagger, committer: tagger }])
  return (await verifyMade(ctx, [{ id, by: tagger, signed }], known))(id)
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
  known?: FoundAuthors,
): Promise<Verifications> {
  const signed = made.flatMap(({ id, by, signed: it }) => (it ? [{ id, by, signed: it }] : []))
  if (signed.length === 0) return () => unsigned
  const people = signed.map(({ by }) => ({ author: by, committer: by }))
  const owners = known?.owners ?? (await findAuthors(ctx, people))
  const claims = signed.map(({ by: { email }, signed: it }) => ({
    ...it,
    email,
    accountId: owners(email)?.id,
  }))
  const verdicts = await checkClaims(ctx, claims)
  const found = new Map<string, Verification>()
  for (const [index, one] of signed.entries()) {
    const verdict = verdicts[index]
    if (verdict)
      found.set(
        one.id,
        toVerification(one.signed, verdict, one.by, { owners, authors: known?.authors ?? owners }),
      )
  }
  return (id) => found.get(id) ?? unsigned
}

function toVerification(
  signed: Signed,
  verdict: Verdict,
  { email }: Signature,
  { owners, authors }: FoundAuthors,
): Verification {
  const account = owners(email)
  if ('failure' in verdict || !account) {
    const reason = reasons['failure' in verdict ? verdict.failure : 'no_key']
    return { ...unsigned, reason, signed }
  }
  // That it is verified holds for everybody; who it is not everybody may know.
  if (!authors(email)) {
    return { isVerified: true, reason: verdict.signedWith, signed, signer: undefined }
  }
  const reason = `${account.name} / ${verdict.signedWith}`
  return { isVerified: true, reason, signed, signer: { account, email } }
}
