import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'

export interface PublicKey {
  readonly id: number
  readonly accountId: number
  readonly title: string
  readonly content: string
  readonly fingerprint: string
  readonly isReadOnly: boolean
  /** Otherwise it verifies signatures alone. */
  readonly opensGit: boolean
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
    opensGit: row.opens_git === 1,
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

/** Whose SSH keys these are, by fingerprint. */
export async function findKeyOwners(
  db: Executor,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (fingerprints.length === 0) return new Map()
  const rows = await db
    .selectFrom('public_key')
    .select(['fingerprint', 'account_id'])
    .where('fingerprint', 'in', fingerprints)
    .execute()
  return new Map(rows.map((row) => [row.fingerprint, row.account_id]))
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

/** Whether any repository has this key. */
export async function hasDeployKey(db: Executor, fingerprint: string): Promise<boolean> {
  const row = await db
    .selectFrom('deploy_key')
    .select('id')
    .where('fingerprint', '=', fingerprint)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
