import type { Key } from 'openpgp'
import type { Context } from '../../platform/context.ts'
import { parseKey } from './gpg-key.ts'
import { isGpgSignatureOf, readGpgSignature, type GpgSignature } from './gpg-signature.ts'
import { findSigningGpgKeys, type SigningGpgKey } from './gpg-queries.ts'
import { findKeyOwners } from './queries.ts'
import { isSshSignatureOf, readSshSignature, type SshSignature } from './ssh-signature.ts'

/** Something signed, and in whose name. */
export interface Claim {
  readonly signature: string
  readonly payload: Buffer
  /** The account that the address belongs to, if any. */
  readonly accountId: number | undefined
  readonly email: string
}

/** The key by its fingerprint or id, or why there is none. */
export type Verdict = { readonly signedWith: string } | { readonly failure: Failure }
export type Failure = 'unreadable' | 'no_key' | 'bad_signature'

const isSsh = (signature: string) => signature.startsWith('-----BEGIN SSH SIGNATURE-----')

/**
 * Only keys of the account in whose name something is signed count. By a fixed number of
 * statements.
 */
export async function checkClaims(
  ctx: Context,
  claims: readonly Claim[],
): Promise<readonly Verdict[]> {
  const read = await Promise.all(claims.map(readClaim))
  const keyOwners = await findKeyOwners(
    ctx.db,
    read.flatMap(({ ssh }) => ssh?.fingerprint ?? []),
  )
  const gpgKeys = await findSigningGpgKeys(
    ctx.db,
    read.flatMap(({ gpg }) => gpg?.keyId ?? []),
  )
  const parsed = keysParsedOnce()
  return Promise.all(
    read.map(async ({ claim, ssh, gpg }) => {
      if (isSsh(claim.signature)) return judgeSsh(claim, ssh, keyOwners)
      if (!gpg) return { failure: 'unreadable' }
      const key = gpgKeys.get(gpg.keyId)
      return judgeGpg(claim, gpg, key && counts(key, claim) ? key : undefined, parsed)
    }),
  )
}

interface ReadClaim {
  readonly claim: Claim
  readonly ssh?: SshSignature | undefined
  readonly gpg?: GpgSignature | undefined
}

async function readClaim(claim: Claim): Promise<ReadClaim> {
  const { signature } = claim
  if (isSsh(signature)) return { claim, ssh: readSshSignature(signature) }
  return { claim, gpg: await readGpgSignature(signature) }
}

async function judgeSsh(
  { payload, accountId }: Claim,
  signature: SshSignature | undefined,
  keyOwners: ReadonlyMap<string, number>,
): Promise<Verdict> {
  if (!signature || accountId === undefined) return { failure: 'no_key' }
  if (keyOwners.get(signature.fingerprint) !== accountId) return { failure: 'no_key' }
  const isGood = await isSshSignatureOf(signature, payload)
  return isGood ? { signedWith: signature.fingerprint } : { failure: 'no_key' }
}

async function judgeGpg(
  { payload }: Claim,
  signature: GpgSignature,
  key: SigningGpgKey | undefined,
  parsed: (content: string) => Promise<Key>,
): Promise<Verdict> {
  if (!key) return { failure: 'no_key' }
  const isGood = await isGpgSignatureOf(signature, payload, await parsed(key.content))
  return isGood ? { signedWith: signature.keyId } : { failure: 'bad_signature' }
}

/**
 * A key is for the addresses that it names; one that has signed our token, for all of its account.
 */
function counts(key: SigningGpgKey, { accountId, email }: Claim): boolean {
  if (!key.canSign || key.accountId !== accountId) return false
  return key.isVerified || key.emails.includes(email.toLowerCase())
}

/** Most commits of a list are signed with the same few keys. */
function keysParsedOnce(): (content: string) => Promise<Key> {
  const keys = new Map<string, Promise<Key>>()
  return (content) => {
    const key = keys.get(content) ?? parseKey(content)
    keys.set(content, key)
    return key
  }
}
