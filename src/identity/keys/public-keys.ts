import { tellingTransaction, tellOwner, type Trace } from '../auth/security-news.ts'
import { limitsOf, type ScopeLevel } from '../auth/scopes.ts'
import {
  isSiteAdmin,
  type Context,
  type Credential,
  type SignedInCaller,
} from '../../platform/context.ts'
import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { forbidden, invalid, notFound } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import { findById } from '../users/load.ts'
import {
  deletePublicKey,
  findPublicKey,
  hasDeployKey,
  hasFingerprint,
  insertPublicKey,
  listPublicKeys,
  type PublicKey,
} from './queries.ts'
import { readSshKey } from './ssh-key.ts'

export interface NewPublicKey {
  readonly title: string
  readonly key: string
  readonly isReadOnly: boolean
}

/** Whether any repository has this key. */
export async function isDeployKey(db: Executor, fingerprint: string): Promise<boolean> {
  return hasDeployKey(db, fingerprint)
}

export async function addPublicKey(
  ctx: Context,
  owner: Account,
  { title, key, isReadOnly }: NewPublicKey,
  { trace, adder }: { readonly trace: Trace; readonly adder: Credential },
): Promise<PublicKey> {
  if (owner.kind === 'organization') throw invalid(`${owner.name} is an organization not a user`)
  const { line, fingerprint } = readSshKey(key)
  const level = levelOf(adder)
  try {
    return await tellingTransaction(ctx, async (tx) => {
      await lock(ctx.db.dialect, tx, 'ssh_keys')
      if (await isDeployKey(tx, fingerprint)) {
        throw invalid('Key content has been used as a deploy key', { reason: 'key_taken' })
      }
      const added = await insertPublicKey(tx, {
        account_id: owner.id,
        title,
        content: line,
        fingerprint,
        read_only: isReadOnly || level !== 'write' ? 1 : 0,
        opens_git: level === undefined ? 0 : 1,
        created_at: ctx.now(),
      })
      await tellOwner(ctx, tx, owner, { what: 'ssh_key_added', named: title }, trace)
      return added
    })
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
    // A key stands for one account: with two, a login by it would not say whose it is.
    const used = await hasFingerprint(ctx.db, fingerprint)
    throw used
      ? invalid('Key content has been used as non-deploy key', { cause, reason: 'key_taken' })
      : invalid('Key title has been used', { cause, reason: 'title_taken' })
  }
}

/** Git asks a key for no scopes: so it goes as far from the start as what it was added with. */
function levelOf(adder: Credential): ScopeLevel | undefined {
  const limits = limitsOf(adder)
  return limits ? limits.levels.get('repository') : 'write'
}

/** All of an account, or the one of a fingerprint. */
export async function publicKeysOf(
  ctx: Context,
  owner: Account,
  page: Page,
  fingerprint?: string,
): Promise<PageOf<PublicKey>> {
  return listPublicKeys(ctx.db, owner.id, { fingerprint }, page)
}

/** Whoever it is. */
export async function isKeyOfPerson(db: Executor, fingerprint: string): Promise<boolean> {
  return hasFingerprint(db, fingerprint)
}

/** For the owner and for administrators. */
export async function removePublicKey(
  ctx: Context,
  caller: SignedInCaller,
  id: number,
  trace: Trace,
): Promise<void> {
  const key = await loadPublicKey(ctx, id)
  if (key.accountId !== caller.account.id && !isSiteAdmin(caller)) throw accessDenied()
  await remove(ctx, key, trace)
}

/** For administrators, who name the owner and are held to it. */
export async function removePublicKeyOf(
  ctx: Context,
  owner: Account,
  id: number,
  trace: Trace,
): Promise<void> {
  const key = await loadPublicKey(ctx, id)
  if (key.accountId !== owner.id) throw accessDenied()
  await remove(ctx, key, trace)
}

async function remove(ctx: Context, key: PublicKey, trace: Trace): Promise<void> {
  const owner = await findById(ctx, key.accountId)
  await tellingTransaction(ctx, async (tx) => {
    await deletePublicKey(tx, key.id)
    if (owner) await tellOwner(ctx, tx, owner, { what: 'ssh_key_removed', named: key.title }, trace)
  })
}

export async function loadPublicKey(ctx: Context, id: number): Promise<PublicKey> {
  const key = await findPublicKey(ctx.db, id)
  if (!key) throw notFound()
  return key
}

function accessDenied(): Error {
  return forbidden('You do not have access to this key')
}
