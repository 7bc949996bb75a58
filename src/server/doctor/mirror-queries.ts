import { sql, type Expression, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

const lost = sql<SqlBool>`is_mirror = 1 AND id NOT IN (SELECT repository_id FROM mirror)`
const stray = sql<SqlBool>`repository_id NOT IN (SELECT id FROM repository WHERE is_mirror = 1)`

export async function findStrayMirrors(db: Executor): Promise<readonly string[]> {
  const repositories = await db.selectFrom('repository').select('id').where(lost).execute()
  const mirrors = await db.selectFrom('mirror').select('repository_id').where(stray).execute()
  return [
    ...repositories.map(({ id }) => `repository ${id} is a mirror of nothing`),
    ...mirrors.map((row) => `repository ${row.repository_id} is no mirror, but has a remote`),
  ]
}

export async function mendStrayMirrors(db: Executor): Promise<void> {
  await db.updateTable('repository').set({ is_mirror: 0 }).where(lost).execute()
  await db.deleteFrom('mirror').where(stray).execute()
}

const forgotten = waitsInVain('sync_mirror', 'repositoryId', 'mirror.repository_id')
const forgottenPush = waitsInVain('sync_push_mirror', 'id', 'push_mirror.id')

/** It is marked as waiting, and no job is there to come for it. */
function waitsInVain(kind: string, key: string, id: string): Expression<SqlBool> {
  const payload = sql`${`{"${key}":`} || CAST(${sql.ref(id)} AS TEXT) || '}'`
  return sql<SqlBool>`is_queued = 1 AND NOT EXISTS (
    SELECT 1 FROM job WHERE job.kind = ${kind} AND job.payload = ${payload})`
}

export async function findForgottenMirrors(db: Executor): Promise<readonly string[]> {
  const mirrors = await db.selectFrom('mirror').select('repository_id').where(forgotten).execute()
  const pushes = await db.selectFrom('push_mirror').select('id').where(forgottenPush).execute()
  return [
    ...mirrors.map((row) => `the mirror of repository ${row.repository_id} waits for no job`),
    ...pushes.map(({ id }) => `push mirror ${id} waits for no job`),
  ]
}

export async function mendForgottenMirrors(db: Executor): Promise<void> {
  await db.updateTable('mirror').set({ is_queued: 0 }).where(forgotten).execute()
  await db.updateTable('push_mirror').set({ is_queued: 0 }).where(forgottenPush).execute()
}
