import type { Executor } from '../../platform/db/database.ts'

/** The default branch under its new name, unless it has become another one meanwhile. */
export async function renameDefaultBranch(
  db: Executor,
  repositoryId: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('repository')
    .set({ default_branch: to })
    .where('id', '=', repositoryId)
    .where('default_branch', '=', from)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
