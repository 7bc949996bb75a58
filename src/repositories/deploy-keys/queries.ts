import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'

export interface DeployKey {
  readonly id: number
  /** One number for this key in all repositories that have it. */
  readonly keyId: number
  readonly title: string
  readonly content: string
  readonly fingerprint: string
  readonly isReadOnly: boolean
  readonly createdAt: number
}

export interface DeployKeyFilter {
  readonly fingerprint?: string | undefined
  readonly keyId?: number | undefined
}

export async function findDeployKey(
  db: Executor,
  repositoryId: number,
  id: number,
): Promise<DeployKey | undefined> {
  const row = await keysOf(db, repositoryId).where('deploy_key.id', '=', id).executeTakeFirst()
  return row && toDeployKey(row)
}

/** By the fingerprint of a key that somebody shows. */
export async function findByFingerprint(
  db: Executor,
  repositoryId: number,
  fingerprint: string,
): Promise<DeployKey | undefined> {
  const row = await keysOf(db, repositoryId)
    .where('deploy_key.fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return row && toDeployKey(row)
}

export async function updateKeyUse(db: Executor, id: number, at: number): Promise<void> {
  await db.updateTable('deploy_key').set({ last_used_at: at }).where('id', '=', id).execute()
}

export async function listDeployKeys(
  db: Executor,
  repositoryId: number,
  { fingerprint, keyId }: DeployKeyFilter,
  page: Page,
): Promise<PageOf<DeployKey>> {
  let query = keysOf(db, repositoryId).orderBy('deploy_key.id')
  if (fingerprint !== undefined) query = query.where('deploy_key.fingerprint', '=', fingerprint)
  if (keyId !== undefined) query = query.where('deploy_key_identity.id', '=', keyId)
  return mapPage(await fetchPage(query, page), toDeployKey)
}

export async function insertDeployKey(db: Executor, key: NewRow<'deploy_key'>): Promise<DeployKey> {
  const row = await db.insertInto('deploy_key').values(key).returningAll().executeTakeFirstOrThrow()
  return toDeployKey({ ...row, key_id: await upsertIdentity(db, key.fingerprint) })
}

/** Its identity stays, so that a key that comes back is known under its number. */
export async function deleteDeployKey(
  db: Executor,
  repositoryId: number,
  id: number,
): Promise<void> {
  await db
    .deleteFrom('deploy_key')
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .execute()
}

/** Whether a repository has this key, whatever its title. */
export async function hasDeployKey(
  db: Executor,
  repositoryId: number,
  fingerprint: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('deploy_key')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return row !== undefined
}

async function upsertIdentity(db: Executor, fingerprint: string): Promise<number> {
  await db
    .insertInto('deploy_key_identity')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.column('fingerprint').doNothing())
    .execute()
  const { id } = await db
    .selectFrom('deploy_key_identity')
    .select('id')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirstOrThrow()
  return id
}

function keysOf(db: Executor, repositoryId: number) {
  return db
    .selectFrom('deploy_key')
    .innerJoin('deploy_key_identity', 'deploy_key_identity.fingerprint', 'deploy_key.fingerprint')
    .selectAll('deploy_key')
    .select('deploy_key_identity.id as key_id')
    .where('deploy_key.repository_id', '=', repositoryId)
}

function toDeployKey(row: Row<'deploy_key'> & { readonly key_id: number }): DeployKey {
  return {
    id: row.id,
    keyId: row.key_id,
    title: row.title,
    content: row.content,
    fingerprint: row.fingerprint,
    isReadOnly: row.read_only === 1,
    createdAt: row.created_at,
  }
}
