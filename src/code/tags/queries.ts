import type { Executor } from '../../platform/db/database.ts'

/** Whether a release, or the draft of one, stands on the tag. */
export async function hasRelease(
  db: Executor,
  repositoryId: number,
  tagName: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('release')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('lower_tag_name', '=', tagName.toLowerCase())
    .where('is_tag', '=', 0)
    .executeTakeFirst()
  return row !== undefined
}
