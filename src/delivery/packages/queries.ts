import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { contains } from '../../platform/db/like.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { toFile, type PackageFile, type PackagePath, type PackageVersion } from './package.ts'

/** Which versions: everything that is given has to fit. */
export interface VersionFilter {
  readonly ownerId?: number | undefined
  readonly repositoryId?: number | undefined
  readonly type?: string | undefined
  readonly name?: string | undefined
  readonly version?: string | undefined
  /** A part of its name. */
  readonly keyword?: string | undefined
}

/** The newest first. */
function versions(db: Executor, filter: VersionFilter) {
  const { ownerId, repositoryId, type, name, version, keyword } = filter
  let query = db
    .selectFrom('package_version')
    .innerJoin('package', 'package.id', 'package_version.package_id')
    .select([
      'package_version.id',
      'package_version.version',
      'package_version.creator_id',
      'package_version.created_at',
      'package.id as package_id',
      'package.owner_id',
      'package.repository_id',
      'package.type',
      'package.name',
    ])
    .orderBy('package_version.created_at', 'desc')
    .orderBy('package_version.id', 'desc')
  if (ownerId !== undefined) query = query.where('package.owner_id', '=', ownerId)
  if (repositoryId !== undefined) query = query.where('package.repository_id', '=', repositoryId)
  if (type !== undefined) query = query.where('package.type', '=', type)
  if (name !== undefined) query = query.where('package.lower_name', '=', name.toLowerCase())
  if (version !== undefined) {
    query = query.where('package_version.lower_version', '=', version.toLowerCase())
  }
  if (keyword) query = query.where(contains(sql.ref('package.lower_name'), keyword.toLowerCase()))
  return query
}

type VersionRow = Awaited<ReturnType<ReturnType<typeof versions>['executeTakeFirstOrThrow']>>

function toVersion(row: VersionRow): PackageVersion {
  return {
    id: row.id,
    packageId: row.package_id,
    ownerId: row.owner_id,
    repositoryId: row.repository_id ?? undefined,
    type: row.type,
    name: row.name,
    version: row.version,
    creatorId: row.creator_id ?? undefined,
    createdAt: row.created_at,
  }
}

export async function findVersions(
  db: Executor,
  filter: VersionFilter,
  page: Page,
): Promise<PageOf<PackageVersion>> {
  return mapPage(await fetchPage(versions(db, filter), page), toVersion)
}

export async function findVersion(
  db: Executor,
  filter: VersionFilter,
): Promise<PackageVersion | undefined> {
  const row = await versions(db, filter).limit(1).executeTakeFirst()
  return row && toVersion(row)
}

export async function findFiles(db: Executor, versionId: number): Promise<readonly PackageFile[]> {
  const rows = await db
    .selectFrom('package_file')
    .selectAll()
    .where('version_id', '=', versionId)
    .orderBy('lower_name')
    .execute()
  return rows.map(toFile)
}

/** By the id of the version. */
export async function sumSizes(
  db: Executor,
  versionIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (versionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('package_file')
    // PostgreSQL sums to a type that would reach us as text.
    .select(['version_id', sql<number>`CAST(sum(size) AS BIGINT)`.as('size')])
    .where('version_id', 'in', versionIds)
    .groupBy('version_id')
    .execute()
  return new Map(rows.map(({ version_id: id, size }) => [id, size]))
}

export async function findFileNamed(
  db: Executor,
  versionId: number,
  name: string,
): Promise<PackageFile | undefined> {
  const row = await db
    .selectFrom('package_file')
    .selectAll()
    .where('version_id', '=', versionId)
    .where('lower_name', '=', name.toLowerCase())
    .executeTakeFirst()
  return row && toFile(row)
}

/** The id of a package, which is made if it is not there. */
export async function ensurePackage(
  db: Executor,
  { ownerId, type, name }: PackagePath,
): Promise<number> {
  const row = { owner_id: ownerId, type, name, lower_name: name.toLowerCase() }
  const { id } = await db
    .insertInto('package')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'type', 'lower_name']).doUpdateSet({ type }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The id of a version, which is made if it is not there. */
export async function ensureVersion(
  db: Executor,
  row: Omit<NewRow<'package_version'>, 'lower_version'>,
): Promise<number> {
  const lower_version = row.version.toLowerCase()
  const { id } = await db
    .insertInto('package_version')
    .values({ ...row, lower_version })
    .onConflict((conflict) =>
      conflict.columns(['package_id', 'lower_version']).doUpdateSet({ lower_version }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** False where a file of this name is there already. */
export async function insertFile(db: Executor, row: NewRow<'package_file'>): Promise<boolean> {
  const made = await db
    .insertInto('package_file')
    .values(row)
    .onConflict((conflict) => conflict.columns(['version_id', 'lower_name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return made !== undefined
}

/** Their uuids, so that the files can follow. */
export async function deleteFile(db: Executor, id: number): Promise<readonly string[]> {
  const rows = await db.deleteFrom('package_file').where('id', '=', id).returning('uuid').execute()
  return rows.map(({ uuid }) => uuid)
}

/** Which of them were there still, and the uuids of their files. */
export async function deleteVersions(
  db: Executor,
  versionIds: readonly number[],
): Promise<{ readonly gone: ReadonlySet<number>; readonly uuids: readonly string[] }> {
  if (versionIds.length === 0) return { gone: new Set(), uuids: [] }
  const files = await db
    .deleteFrom('package_file')
    .where('version_id', 'in', versionIds)
    .returning('uuid')
    .execute()
  const gone = await db
    .deleteFrom('package_version')
    .where('id', 'in', versionIds)
    .returning('id')
    .execute()
  return { gone: new Set(gone.map(({ id }) => id)), uuids: files.map(({ uuid }) => uuid) }
}

export async function findVersionsOf(
  db: Executor,
  packageId: number,
): Promise<readonly PackageVersion[]> {
  const rows = await versions(db, {}).where('package.id', '=', packageId).execute()
  return rows.map(toVersion)
}

/** One without versions is none. */
export async function deleteIfEmpty(db: Executor, packageId: number): Promise<void> {
  await db
    .deleteFrom('package')
    .where('id', '=', packageId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('package_version')
            .select('package_version.id')
            .whereRef('package_version.package_id', '=', 'package.id'),
        ),
      ),
    )
    .execute()
}

/** Of accounts that go: the uuids of all their files. */
export async function deletePackagesOf(
  db: Executor,
  ownerIds: readonly number[],
): Promise<readonly string[]> {
  if (ownerIds.length === 0) return []
  const files = await db
    .selectFrom('package_file')
    .innerJoin('package_version', 'package_version.id', 'package_file.version_id')
    .innerJoin('package', 'package.id', 'package_version.package_id')
    .select('package_file.uuid')
    .where('package.owner_id', 'in', ownerIds)
    .execute()
  await db.deleteFrom('package').where('owner_id', 'in', ownerIds).execute()
  return files.map(({ uuid }) => uuid)
}

export async function ownsAny(db: Executor, ownerId: number): Promise<boolean> {
  const row = await db
    .selectFrom('package')
    .select('id')
    .where('owner_id', '=', ownerId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** False where the package is gone. */
export async function setRepository(
  db: Executor,
  packageId: number,
  repositoryId: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('package')
    .set({ repository_id: repositoryId })
    .where('id', '=', packageId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function unlinkAllFrom(db: Executor, repositoryId: number): Promise<void> {
  await db
    .updateTable('package')
    .set({ repository_id: null })
    .where('repository_id', '=', repositoryId)
    .execute()
}

/** Those of the uuids that a file has. */
export async function findKnownFiles(
  db: Executor,
  uuids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (uuids.length === 0) return new Set()
  const rows = await db
    .selectFrom('package_file')
    .select('uuid')
    .where('uuid', 'in', uuids)
    .execute()
  return new Set(rows.map(({ uuid }) => uuid))
}
