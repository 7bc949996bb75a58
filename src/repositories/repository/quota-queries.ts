import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

/** In bytes, what counts for the quota of a repository: git, attachments and objects of Git LFS. */
export async function sumOfRepository(db: Executor, repositoryId: number): Promise<number> {
  const attached = sql<number>`(
    SELECT coalesce(sum(size), 0) FROM attachment WHERE repository_id = repository.id)`
  const arriving = sql<number>`(
    SELECT coalesce(sum(received), 0) FROM upload WHERE repository_id = repository.id)`
  const row = await db
    .selectFrom('repository')
    .select(sql<number>`${attached} + ${arriving} + git_size + lfs_size`.as('total'))
    .where('id', '=', repositoryId)
    .executeTakeFirst()
  return row?.total ?? 0
}

/** In bytes, what counts for the quota of an owner: all their repositories, and their packages. */
export async function sumOfOwner(db: Executor, ownerId: number): Promise<number> {
  const attached = sql<number>`(
    SELECT coalesce(sum(attachment.size), 0)
    FROM attachment JOIN repository ON repository.id = attachment.repository_id
    WHERE repository.owner_id = ${ownerId})`
  const arriving = sql<number>`(
    SELECT coalesce(sum(upload.received), 0)
    FROM upload JOIN repository ON repository.id = upload.repository_id
    WHERE repository.owner_id = ${ownerId})`
  const published = sql<number>`(
    SELECT coalesce(sum(package_file.size), 0)
    FROM package_file
    JOIN package_version ON package_version.id = package_file.version_id
    JOIN package ON package.id = package_version.package_id
    WHERE package.owner_id = ${ownerId})`
  const { total } = await db
    .selectFrom('repository')
    .select(
      sql<number>`${attached} + ${arriving} + ${published} + coalesce(sum(git_size + lfs_size), 0)`.as(
        'total',
      ),
    )
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return total
}
