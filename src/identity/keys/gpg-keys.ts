import { tellingTransaction, tellOwner, type Trace } from '../auth/security-news.ts'
import type { Context } from '../../platform/context.ts'
import { isDuplicate } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { hasSigned, readGpgKey, type GpgKeyPart, type ReadGpgKey } from './gpg-key.ts'
import {
  deleteGpgKeyRing,
  findGpgKeyRing,
  findGpgKeyRingByKeyId,
  insertGpgKeyRing,
  listGpgKeyRings,
  markGpgKeyRingVerified,
  type GpgKeyRing,
} from './gpg-queries.ts'
import { findOwnAddresses } from './queries.ts'

const TOKEN_SECONDS = 120

export interface NewGpgKey {
  readonly armored: string
  /** Of the token, by the key. */
  readonly signature: string
}

/**
 * What the owner of a key signs to prove it. It changes with time, so that a signature is of no use
 * later.
 */
export function verificationToken(ctx: Context, { id, email }: Account): string {
  return tokenAt(ctx, { id, email }, currentPeriod(ctx))
}

/** A key is taken for the account when it names one of its addresses, or has signed the token. */
export async function addGpgKey(
  ctx: Context,
  owner: Account,
  { armored, signature }: NewGpgKey,
  trace: Trace,
): Promise<GpgKeyRing> {
  const key = await readGpgKey(armored, ctx.now())
  const isVerified = signature !== ''
  if (isVerified) {
    if (!(await hasSignedToken(ctx, owner, key.armored, signature))) {
      throw notFound(mismatch(ctx, owner))
    }
  } else await assertNamesOwner(ctx, owner, key)
  try {
    return await tellingTransaction(ctx, async (tx) => {
      const ring = await insertGpgKeyRing(tx, ...toRows(owner, key, isVerified))
      const changed = { what: 'gpg_key_added', named: ring.primary.keyId } as const
      await tellOwner(ctx, tx, owner, changed, trace)
      return ring
    })
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
    throw invalid('A key with the same id already exists', { cause, reason: 'key_taken' })
  }
}

export async function gpgKeysOf(
  ctx: Context,
  owner: Account,
  page: Page,
): Promise<PageOf<GpgKeyRing>> {
  return listGpgKeyRings(ctx.db, owner.id, page)
}

/** A signature of the token proves a key that is there already. */
export async function verifyGpgKey(
  ctx: Context,
  owner: Account,
  { keyId, signature }: { keyId: string; signature: string },
): Promise<GpgKeyRing> {
  const { primary } = await loadByKeyId(ctx, owner, keyId)
  if (!(await hasSignedToken(ctx, owner, primary.content, signature))) {
    throw invalid(mismatch(ctx, owner))
  }
  await markGpgKeyRingVerified(ctx.db, primary.id)
  return loadGpgKey(ctx, owner, primary.id)
}

export async function loadGpgKey(ctx: Context, owner: Account, id: number): Promise<GpgKeyRing> {
  const ring = await findGpgKeyRing(ctx.db, owner.id, id)
  if (!ring) throw notFound()
  return ring
}

export async function removeGpgKey(
  ctx: Context,
  owner: Account,
  id: number,
  trace: Trace,
): Promise<void> {
  const { primary } = await loadGpgKey(ctx, owner, id)
  await tellingTransaction(ctx, async (tx) => {
    if (!(await deleteGpgKeyRing(tx, owner.id, id))) throw notFound()
    await tellOwner(ctx, tx, owner, { what: 'gpg_key_removed', named: primary.keyId }, trace)
  })
}

/** A fingerprint ends in the key id. */
async function loadByKeyId(ctx: Context, owner: Account, keyId: string): Promise<GpgKeyRing> {
  const short = keyId.replace(/^0x/i, '').slice(-16).toUpperCase()
  const ring = await findGpgKeyRingByKeyId(ctx.db, owner.id, short)
  if (!ring) throw notFound()
  return ring
}

async function assertNamesOwner(ctx: Context, owner: Account, key: ReadGpgKey): Promise<void> {
  const own = await findOwnAddresses(ctx.db, owner.id)
  if (key.emails.some((address) => own.has(address))) return
  throw notFound(
    'None of the emails attached to the GPG key could be found. It may still be added if you provide a valid ' +
      `signature for the token: ${verificationToken(ctx, owner)}`,
  )
}

/** The token of the period before counts too: signing takes a moment. */
async function hasSignedToken(
  ctx: Context,
  owner: Account,
  armored: string,
  signature: string,
): Promise<boolean> {
  const period = currentPeriod(ctx)
  for (const token of [tokenAt(ctx, owner, period), tokenAt(ctx, owner, period - 1)]) {
    if (await hasSigned(armored, signature, token)) return true
  }
  return false
}

function mismatch(ctx: Context, owner: Account): string {
  return (
    'The provided GPG key, signature and token do not match or token is out of date. Provide a valid signature ' +
    `for the token: ${verificationToken(ctx, owner)}`
  )
}

function currentPeriod(ctx: Context): number {
  return Math.floor(ctx.now() / TOKEN_SECONDS)
}

function tokenAt(
  ctx: Context,
  { id, email }: Pick<Account, 'id' | 'email'>,
  period: number,
): string {
  return ctx.secrets.hash('gpg-key-verification', `${id} ${email} ${period}`)
}

type NewGpgRow = Omit<NewRow<'gpg_key'>, 'primary_id'>

function toRows(
  owner: Account,
  key: ReadGpgKey,
  isVerified: boolean,
): [primary: NewGpgRow, subkeys: readonly NewGpgRow[]] {
  const row = (part: GpgKeyPart): NewGpgRow => ({
    account_id: owner.id,
    key_id: part.keyId,
    content: '',
    emails: '[]',
    can_sign: part.canSign ? 1 : 0,
    can_encrypt_comms: part.canEncryptComms ? 1 : 0,
    can_encrypt_storage: part.canEncryptStorage ? 1 : 0,
    can_certify: part.canCertify ? 1 : 0,
    is_verified: isVerified ? 1 : 0,
    created_at: part.createdAt,
    expires_at: part.expiresAt,
  })
  const primary = { ...row(key), content: key.armored, emails: JSON.stringify(key.emails) }
  return [primary, key.subkeys.map(row)]
}
