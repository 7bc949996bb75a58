import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { attachmentsOfReleases } from '../../repositories/attachments/load.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import type { Release } from './release.ts'

/** A release with all that is shown of it. */
export interface ReleaseView {
  readonly release: Release
  readonly author: Account | undefined
  readonly files: readonly Attachment[]
}

/** Two statements, whatever the size of the page. */
export async function viewReleases(
  db: Executor,
  releases: readonly Release[],
): Promise<readonly ReleaseView[]> {
  const authors = await findAllById(
    db,
    releases.flatMap(({ authorId }) => authorId ?? []),
  )
  const files = await attachmentsOfReleases(
    db,
    releases.map(({ id }) => id),
  )
  return releases.map((release) => ({
    release,
    author: authors.get(release.authorId ?? 0),
    files: files.get(release.id) ?? [],
  }))
}
