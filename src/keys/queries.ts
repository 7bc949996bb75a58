import type { Executor } from '../db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import type { NewRow, Row } from '../db/schema.ts'
import { toAccount, type Account } from '../users/account.ts'

export interface PublicKey {
  readonly id: number
  readonly accountId: number
  readonly title: string
  readonly content: string
  readonly fingerprint: string
  readonly isReadOnly: boolean
  readonly createdAt: number
  readonly lastUsedAt: number
}

function toPublicKey(row: Row<'public_key'>): PublicKey {
  return {
    id: row.id,
    accountId: row.account_id,
    title: row.title,
    content: row.content,
    fingerprint: row.fingerprint,
    isReadOnly: row.read_only === 1,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

export async function insertPublicKey(db: Executor, key: NewRow<'public_key'>): Promise<PublicKey> {
  const row = await db.insertInto('public_key').values(key).returningAll().executeTakeFirstOrThrow()
  return toPublicKey(row)
}

export async function findPublicKey(db: Executor, id: number): Promise<PublicKey | undefined> {
  const row = await db.selectFrom('public_key').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPublicKey(row)
}

export async function hasFingerprint(db: Executor, fingerprint: string): Promise<boolean> {
  const row = await db
    .selectFrom('public_key')
    .select('id')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return row !== undefined
}

/** The key that somebody shows. */
export async function findByFingerprint(
  db: Executor,
  fingerprint: string,
): Promise<PublicKey | undefined> {
  const row = await db
    .selectFrom('public_key')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return row && toPublicKey(row)
}

export async function updateKeyUse(db: Executor, id: number, at: number): Promise<void> {
  await db.updateTable('public_key').set({ last_used_at: at }).where('id', '=', id).execute()
}

export async function isDeployKey(db: Executor, fingerprint: string): Promise<boolean> {
  const row = await db
    .selectFrom('deploy_key')
    .select('id')
    .where('fingerprint', '=', fingerprint)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function listPublicKeys(
  db: Executor,
  accountId: number,
  { fingerprint }: { fingerprint: string | undefined },
  page: Page,
): Promise<PageOf<PublicKey>> {
  let query = db
    .selectFrom('public_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id')
  if (fingerprint !== undefined) query = query.where('fingerprint', '=', fingerprint)
  return mapPage(await fetchPage(query, page), toPublicKey)
}

export async function deletePublicKey(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('public_key').where('id', '=', id).execute()
}

export async function findOwner(db: Executor, accountId: number): Promise<Account | undefined> {
  const row = await db
    .selectFrom('account')
    .selectAll()
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row && toAccount(row)
}

export interface GpgKey {
  readonly id: number
  readonly primaryId: number | null
  readonly keyId: string
  readonly content: string
  /** In its user ids, in lower case. */
  readonly emails: readonly string[]
  readonly canSign: boolean
  readonly canEncryptComms: boolean
  readonly canEncryptStorage: boolean
  readonly canCertify: boolean
  readonly isVerified: boolean
  readonly createdAt: number
  readonly expiresAt: number
}

/** A key with its subkeys. */
export interface GpgKeyRing {
  readonly primary: GpgKey
  readonly subkeys: readonly GpgKey[]
}

function toGpgKey(row: Row<'gpg_key'>): GpgKey {
  return {
    id: row.id,
    primaryId: row.primary_id,
    keyId: row.key_id,
    content: row.content,
    emails: JSON.parse(row.emails) as string[],
    canSign: row.can_sign === 1,
    canEncryptComms: row.can_encrypt_comms === 1,
    canEncryptStorage: row.can_encrypt_storage === 1,
    canCertify: row.can_certify === 1,
    isVerified: row.is_verified === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

type NewGpgKey = Omit<NewRow<'gpg_key'>, 'primary_id'>

export async function insertGpgKeyRing(
  db: Executor,
  primary: NewGpgKey,
  subkeys: readonly NewGpgKey[],
): Promise<GpgKeyRing> {
  const first = await db
    .insertInto('gpg_key')
    .values({ ...primary, primary_id: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (subkeys.length === 0) return { primary: toGpgKey(first), subkeys: [] }
  const rows = await db
    .insertInto('gpg_key')
    .values(subkeys.map((subkey) => ({ ...subkey, primary_id: first.id })))
    .returningAll()
    .execute()
  return { primary: toGpgKey(first), subkeys: rows.map(toGpgKey) }
}

/** By the number of the primary key; subkeys have none of their own in the path. */
export async function findGpgKeyRing(
  db: Executor,
  accountId: number,
  id: number,
): Promise<GpgKeyRing | undefined> {
  const row = await primaryKeys(db, accountId).where('id', '=', id).executeTakeFirst()
  return row && (await withSubkeys(db, [toGpgKey(row)]))[0]
}

/** By the key id of the primary key or of one of its subkeys. */
export async function findGpgKeyRingByKeyId(
  db: Executor,
  accountId: number,
  keyId: string,
): Promise<GpgKeyRing | undefined> {
  const row = await db
    .selectFrom('gpg_key')
    .select(['id', 'primary_id'])
    .where('account_id', '=', accountId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  return row && findGpgKeyRing(db, accountId, row.primary_id ?? row.id)
}

export async function listGpgKeyRings(
  db: Executor,
  accountId: number,
  page: Page,
): Promise<PageOf<GpgKeyRing>> {
  const { items, total } = await fetchPage(primaryKeys(db, accountId).orderBy('id'), page)
  return { items: await withSubkeys(db, items.map(toGpgKey)), total }
}

export async function markGpgKeyRingVerified(db: Executor, primaryId: number): Promise<void> {
  await db
    .updateTable('gpg_key')
    .set({ is_verified: 1 })
    .where((eb) => eb.or([eb('id', '=', primaryId), eb('primary_id', '=', primaryId)]))
    .execute()
}

/** Its subkeys go with it. False when there was none. */
export async function deleteGpgKeyRing(
  db: Executor,
  accountId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('gpg_key')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('primary_id', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The account's activated addresses in lower case: of a key's addresses only these count. */
export async function findOwnAddresses(
  db: Executor,
  accountId: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('email_address')
    .select('lower_address')
    .where('account_id', '=', accountId)
    .where('is_activated', '=', 1)
    .execute()
  return new Set(rows.map((row) => row.lower_address))
}

function primaryKeys(db: Executor, accountId: number) {
  return db
    .selectFrom('gpg_key')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('primary_id', 'is', null)
}

async function withSubkeys(db: Executor, keys: readonly GpgKey[]): Promise<readonly GpgKeyRing[]> {
  if (keys.length === 0) return []
  const rows = await db
    .selectFrom('gpg_key')
    .selectAll()
    .where(
      'primary_id',
      'in',
      keys.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  const subkeys = rows.map(toGpgKey)
  return keys.map((primary) => ({
    primary,
    subkeys: subkeys.filter(({ primaryId }) => primaryId === primary.id),
  }))
}
