import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import { partsOf } from '../../platform/db/parts.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { statement } from '../../platform/db/statement.ts'
import { toRelease, type Release } from './release.ts'

export interface ReleaseFilter {
  readonly showDrafts: boolean
  readonly isDraft?: boolean | undefined
  readonly isPrerelease?: boolean | undefined
  /** A pattern of LIKE, in lower case, with `\` before what is literal. */
  readonly tagPattern?: string | undefined
}

/** Newest first. */
export async function listReleases(
  db: Executor,
  repositoryId: number,
  filter: ReleaseFilter,
  page: Page,
): Promise<PageOf<Release>> {
  const { showDrafts, isDraft, isPrerelease, tagPattern } = filter
  const query = db
    .selectFrom('release')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('is_tag', '=', 0)
    .$if(!showDrafts, (all) => all.where('is_draft', '=', 0))
    .$if(isDraft !== undefined, (all) => all.where('is_draft', '=', isDraft ? 1 : 0))
    .$if(isPrerelease !== undefined, (all) => all.where('is_prerelease', '=', isPrerelease ? 1 : 0))
    .$if(tagPattern !== undefined, (all) =>
      all.where(sql<SqlBool>`lower_tag_name LIKE ${tagPattern} ESCAPE '\\'`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  return mapPage(await fetchPage(query, page), toRelease)
}

const latestOf = statement<Row<'release'>>(`
  SELECT * FROM "release"
  WHERE repository_id = ? AND is_tag = 0 AND is_draft = 0 AND is_prerelease = 0
  ORDER BY created_at DESC, id DESC
  LIMIT 1`)

export async function findLatest(db: Executor, repositoryId: number): Promise<Release | undefined> {
  const [row] = await latestOf(db, repositoryId)
  return row && toRelease(row)
}

const releaseOf = statement<Row<'release'>>(
  'SELECT * FROM "release" WHERE repository_id = ? AND id = ?',
)

export async function findRelease(
  db: Executor,
  repositoryId: number,
  id: number,
): Promise<Release | undefined> {
  const [row] = await releaseOf(db, repositoryId, id)
  return row && toRelease(row)
}

const releaseTagged = statement<Row<'release'>>(
  'SELECT * FROM "release" WHERE repository_id = ? AND lower_tag_name = ?',
)

/** Whatever its letter case. */
export async function findReleaseByTag(
  db: Executor,
  repositoryId: number,
  tagName: string,
): Promise<Release | undefined> {
  const [row] = await releaseTagged(db, repositoryId, tagName.toLowerCase())
  return row && toRelease(row)
}

export async function insertRelease(tx: Executor, row: NewRow<'release'>): Promise<Release> {
  const inserted = await tx
    .insertInto('release')
    .values(row)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRelease(inserted)
}

export async function updateRelease(
  tx: Executor,
  id: number,
  changes: Changes<'release'>,
): Promise<Release | undefined> {
  const row = await tx
    .updateTable('release')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toRelease(row)
}

/** Those that were published with these tags: of which it was so. */
export async function draftReleasesOf(
  tx: Executor,
  repositoryId: number,
  tagNames: readonly string[],
  at: number,
): Promise<readonly string[]> {
  const drafted: string[] = []
  for (const some of partsOf(tagNames)) {
    const rows = await tx
      .updateTable('release')
      .set({ is_draft: 1, published_at: 0, updated_at: at })
      .where('repository_id', '=', repositoryId)
      .where('tag_name', 'in', some)
      .where('is_tag', '=', 0)
      .where('is_draft', '=', 0)
      .returning('tag_name')
      .execute()
    drafted.push(...rows.map((row) => row.tag_name))
  }
  return drafted
}

export async function deleteRelease(tx: Executor, id: number): Promise<void> {
  await tx.deleteFrom('release').where('id', '=', id).execute()
}

/** Counts what is there: whoever changes releases calls it in the same transaction. */
export async function recountReleases(
  tx: Executor,
  repositoryId: number,
): Promise<{ readonly isPrivate: boolean } | undefined> {
  const published = sql<number>`(
    SELECT count(*) FROM release
    WHERE release.repository_id = repository.id AND is_tag = 0 AND is_draft = 0)`
  const row = await tx
    .updateTable('repository')
    .set({ releases_count: published })
    .where('id', '=', repositoryId)
    .returning('is_private')
    .executeTakeFirst()
  return row && { isPrivate: row.is_private === 1 }
}
