import type { Executor } from '../../platform/db/database.ts'

export async function isPullRequest(db: Executor, issueId: number): Promise<boolean> {
  const row = await db
    .selectFrom('issue')
    .select('is_pull')
    .where('id', '=', issueId)
    .executeTakeFirst()
  return row?.is_pull === 1
}
