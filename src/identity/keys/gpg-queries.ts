import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'

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

/** What a signature is checked with: a key or a subkey, and what its primary key says of both. */
export interface SigningGpgKey {
  readonly accountId: number
  readonly canSign: boolean
  /** Of the primary key, which has the subkeys in it. */
  readonly content: string
  readonly emails: readonly string[]
  readonly isVerified: boolean
}

/** By the key ids of primary keys and subkeys. */
export async function findSigningGpgKeys(
  db: Executor,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, SigningGpgKey>> {
  if (keyIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('gpg_key as part')
    .innerJoin('gpg_key as primary', (join) =>
      join.on((eb) => eb('primary.id', '=', eb.fn.coalesce('part.primary_id', 'part.id'))),
    )
    .select(['part.key_id', 'part.account_id', 'part.can_sign'])
    .select(['primary.content', 'primary.emails', 'primary.is_verified'])
    .where('part.key_id', 'in', keyIds)
    .execute()
  return new Map(rows.map((row) => [row.key_id, toSigningKey(row)]))
}

type SigningRow = Pick<
  Row<'gpg_key'>,
  'account_id' | 'can_sign' | 'content' | 'emails' | 'is_verified'
>

function toSigningKey(row: SigningRow): SigningGpgKey {
  return {
    accountId: row.account_id,
    canSign: row.can_sign === 1,
    content: row.content,
    emails: JSON.parse(row.emails) as string[],
    isVerified: row.is_verified === 1,
  }
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
