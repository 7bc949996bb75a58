import { forgetActivities, renameActivities } from '../../events/activity/record.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Release } from './release.ts'

const refOf = (tagName: string) => `refs/tags/${tagName}`

/** What is a draft again is in no feed; it is once more when it is published. */
export async function forgetPublishing(
  tx: Executor,
  repositoryId: number,
  tagNames: readonly string[],
): Promise<void> {
  await forgetActivities(tx, repositoryId, 'publish_release', tagNames.map(refOf))
}

/** After an edit, of what feeds tell of the release. */
export async function updateTold(tx: Executor, before: Release, after: Release): Promise<void> {
  if (before.isDraft) return
  const { repositoryId, tagName } = before
  if (after.isDraft) return forgetPublishing(tx, repositoryId, [tagName])
  const [from, to] = [refOf(tagName), refOf(after.tagName)]
  if (from !== to) await renameActivities(tx, repositoryId, 'publish_release', { from, to })
}
