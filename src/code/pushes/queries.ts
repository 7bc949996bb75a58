import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

/** False when another push was the first. */
export async function claimFirstPush(
  db: Executor,
  id: number,
  defaultBranch: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('repository')
    .set({ is_empty: 0, default_branch: defaultBranch })
    .where('id', '=', id)
    .where('is_empty', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether the repository is private now; `undefined` when it is gone. */
export async function updatePushed(
  db: Executor,
  id: number,
  at: number,
): Promise<{ readonly isPrivate: boolean } | undefined> {
  const row = await db
    .updateTable('repository')
    .set({ updated_at: at })
    .where('id', '=', id)
    .returning('is_private')
    .executeTakeFirst()
  return row && { isPrivate: row.is_private === 1 }
}

/** Which writing of the number of branches is the last; none when the repository is gone. */
export async function findBranchVersion(db: Executor, id: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('repository')
    .select('branch_version')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.branch_version
}

export interface CountedBranches {
  readonly count: number
  /** From before they were counted. */
  readonly version: number
}

/** False when somebody has written another number since that version. */
export async function noteBranchCount(
  db: Executor,
  id: number,
  { count, version }: CountedBranches,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('repository')
    .set({ branch_count: count, branch_version: version + 1 })
    .where('id', '=', id)
    .where('branch_version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Until it is measured. */
export async function addToGitSize(db: Executor, id: number, bytes: number): Promise<void> {
  await db
    .updateTable('repository')
    .set({ git_size: sql`git_size + ${bytes}`, size_version: sql`size_version + 1` })
    .where('id', '=', id)
    .execute()
}

export interface MeasuredRow {
  readonly folder: string
  readonly default_branch: string
  readonly is_empty: 0 | 1
}

export async function findMeasured(db: Executor, id: number): Promise<MeasuredRow | undefined> {
  return db
    .selectFrom('repository')
    .select(['folder', 'default_branch', 'is_empty'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findIdsOfFolders(
  db: Executor,
  folders: readonly string[],
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('repository')
    .select('id')
    .where('folder', 'in', folders)
    .execute()
  return rows.map(({ id }) => id)
}
