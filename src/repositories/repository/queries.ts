import { sql } from 'kysely'
import { isDuplicate, type Dialect, type Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import { onePlan } from '../../platform/db/planned-once.ts'
import { partsOf } from '../../platform/db/parts.ts'
import type { NewRow, Row } from '../../platform/db/schema.ts'
import { statement, statementForIds, updateById, insertOne } from '../../platform/db/statement.ts'
import { AppError } from '../../platform/errors.ts'
import { ownByName } from '../search/sets.ts'
import { isOfTeam, type RepositoryCondition } from './conditions.ts'
import { toRepository, type Repository, type RepositoryPath } from './repository.ts'

const selectByName = statement<Row<'repository'>>(
  'SELECT * FROM repository WHERE owner_id = ? AND lower_name = ?',
)

export async function findRepository(
  db: Executor,
  ownerId: number,
  name: string,
): Promise<Repository | undefined> {
  const [row] = await selectByName(db, ownerId, name.toLowerCase())
  return row && toRepository(row)
}

const selectByPath = statement<Row<'repository'>>(`
  SELECT repository.*
  FROM account JOIN repository ON repository.owner_id = account.id
  WHERE account.lower_name = ? AND repository.lower_name = ?`)

export async function findRepositoryByPath(
  db: Executor,
  { owner, repo }: RepositoryPath,
): Promise<Repository | undefined> {
  const [row] = await selectByPath(db, owner.toLowerCase(), repo.toLowerCase())
  return row && toRepository(row)
}

const selectById = statement<Row<'repository'>>('SELECT * FROM repository WHERE id = ?')

export async function findRepositoryById(
  db: Executor,
  id: number,
): Promise<Repository | undefined> {
  const [row] = await selectById(db, id)
  return row && toRepository(row)
}

const selectRedirected = statement<Row<'repository'>>(`
  SELECT repository.*
  FROM repository_redirect JOIN repository ON repository.id = repository_redirect.repository_id
  WHERE repository_redirect.owner_id = ? AND repository_redirect.lower_name = ?`)

/** What the repository that had this name is now. */
export async function findRedirected(
  db: Executor,
  ownerId: number,
  name: string,
): Promise<Repository | undefined> {
  const [row] = await selectRedirected(db, ownerId, name.toLowerCase())
  return row && toRepository(row)
}

const insertRow = insertOne('repository')

/** Whoever takes a name ends its redirect. */
export async function insertRepository(
  db: Executor,
  row: NewRow<'repository'>,
): Promise<Repository> {
  try {
    const made = await insertRow(db, row)
    await deleteRedirect(db, row.owner_id, row.lower_name)
    return toRepository(made)
  } catch (error) {
    if (isDuplicate(error)) throw nameTaken(error)
    throw error
  }
}

/** In the order of their numbers, from the one after `after`. */
export async function listChangedSince(
  db: Executor,
  since: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('repository')
    .select('id')
    .where('updated_at', '>=', since)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export function nameTaken(cause?: unknown): AppError {
  return new AppError('conflict', 'The repository with the same name already exists.', {
    cause,
    reason: 'name_taken',
  })
}

/** Whether it is still there. */
export const updateRepository = updateById('repository')

/** In bytes, and how often it was written. */
export interface GitSize {
  readonly bytes: number
  readonly version: number
}

/** As it stands there: whoever measures looks at it before. */
export async function findGitSize(db: Executor, id: number): Promise<GitSize | undefined> {
  return db
    .selectFrom('repository')
    .select(['git_size as bytes', 'size_version as version'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * False when somebody has written another size meanwhile. Nothing is written where it is known
 * already.
 */
export async function noteGitSize(
  db: Executor,
  id: number,
  { bytes: known, version }: GitSize,
  bytes: number,
): Promise<boolean> {
  if (bytes === known) return true
  const { numUpdatedRows } = await db
    .updateTable('repository')
    .set({ git_size: bytes, size_version: version + 1 })
    .where('id', '=', id)
    .where('size_version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Until the transaction ends nobody changes it or hangs anything on it; false when it is gone. */
export async function holdRow(dialect: Dialect, tx: Executor, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('repository')
    .select('id')
    .where('id', '=', id)
    .$if(dialect === 'postgres', (found) => found.forUpdate())
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteRepository(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('repository').where('id', '=', id).execute()
}

const deleteRedirectOf = statement<never>(
  'DELETE FROM repository_redirect WHERE owner_id = ? AND lower_name = ?',
)

export async function deleteRedirect(
  db: Executor,
  ownerId: number,
  lowerName: string,
): Promise<void> {
  await deleteRedirectOf(db, ownerId, lowerName)
}

export async function insertRedirect(
  db: Executor,
  ownerId: number,
  lowerName: string,
  repositoryId: number,
): Promise<void> {
  await db
    .insertInto('repository_redirect')
    .values({ owner_id: ownerId, lower_name: lowerName, repository_id: repositoryId })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'lower_name']).doUpdateSet({ repository_id: repositoryId }),
    )
    .execute()
}

const selectByIds = statementForIds<Row<'repository'>>('SELECT * FROM repository WHERE id IN (*)')

export async function findRepositories(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Repository>> {
  if (ids.length === 0) return new Map()
  const rows = await selectByIds(db, ids)
  return new Map(rows.map((row) => [row.id, toRepository(row)]))
}

export interface ListFilter {
  readonly visible: RepositoryCondition
  readonly ownerId?: number
  readonly teamId?: number
  readonly starredBy?: number
  readonly watchedBy?: number
  readonly forksOf?: number
  readonly order: 'name' | 'id'
}

/**
 * What is sorted are ids alone: whole rows would be much to carry around where there are thousands.
 */
export async function listRepositories(
  db: Executor,
  { visible, ownerId, teamId, starredBy, watchedBy, forksOf, order }: ListFilter,
  page: Page,
): Promise<PageOf<Repository>> {
  let query = db.selectFrom('repository').select('repository.id').where(visible)
  if (ownerId !== undefined) query = query.where('repository.owner_id', '=', ownerId)
  if (teamId !== undefined) query = query.where(isOfTeam(teamId))
  if (forksOf !== undefined) query = query.where('repository.fork_of', '=', forksOf)
  if (starredBy !== undefined) {
    query = query.where('repository.id', 'in', (eb) =>
      eb.selectFrom('star').select('star.repository_id').where('star.account_id', '=', starredBy),
    )
  }
  if (watchedBy !== undefined) {
    query = query.where('repository.id', 'in', (eb) =>
      eb
        .selectFrom('watch')
        .select('watch.repository_id')
        .where('watch.account_id', '=', watchedBy),
    )
  }
  query = order === 'name' ? query.orderBy('repository.lower_name') : query
  return withRows(db, await fetchPage(query.orderBy('repository.id'), page))
}

/**
 * What somebody owns, or has as a collaborator or through a team, by name: found from their side,
 * however much it is.
 */
export async function listOwnRepositories(
  db: Executor,
  accountId: number,
  { onlyPublic, ...page }: Page & { readonly onlyPublic: boolean },
): Promise<PageOf<Repository>> {
  const query = db
    .selectFrom(ownByName(accountId, { onlyPublic }).as('own'))
    .select('own.id')
    .orderBy('own.lower_name')
    .orderBy('own.id')
    .modifyEnd(onePlan)
  return withRows(db, await fetchPage(query, page))
}

async function withRows(
  db: Executor,
  { items, ...rest }: PageOf<{ readonly id: number }>,
): Promise<PageOf<Repository>> {
  const found = await findRepositories(
    db,
    items.map(({ id }) => id),
  )
  return { ...rest, items: items.flatMap(({ id }) => found.get(id) ?? []) }
}

export async function countRepositories(db: Executor, ownerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('repository')
    .select(sql<number>`count(*)`.as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return count
}

/** By the id of each owner who has any. */
export async function countRepositoriesByOwner(
  db: Executor,
  ownerIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ownerIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('repository')
    .select(['owner_id', sql<number>`count(*)`.as('count')])
    .where('owner_id', 'in', ownerIds)
    .groupBy('owner_id')
    .execute()
  return new Map(rows.map((row) => [row.owner_id, row.count]))
}

export async function countAllRepositories(db: Executor): Promise<number> {
  const { count } = await db
    .selectFrom('repository')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Those of these that a repository has. */
export async function findFolders(
  db: Executor,
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const some of partsOf(folders)) {
    const rows = await db
      .selectFrom('repository')
      .select('folder')
      .where('folder', 'in', some)
      .execute()
    for (const { folder } of rows) found.add(folder)
  }
  return found
}

export async function findRepositoriesOf(
  db: Executor,
  ownerId: number,
): Promise<readonly Repository[]> {
  const rows = await db
    .selectFrom('repository')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .execute()
  return rows.map(toRepository)
}

export async function insertLabels(db: Executor, rows: readonly NewRow<'label'>[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('label').values(rows).execute()
}

export interface Fork {
  readonly id: number
  /** Whether somebody on the way from the base to it, the base's owner included, is private. */
  readonly isConcealed: boolean
}

/** The forks of a repository, their forks, and so on. */
export async function findAllForks(db: Executor, id: number): Promise<readonly Fork[]> {
  const { rows } = await sql<{ id: number; concealed: number }>`
    WITH RECURSIVE forks (id, concealed) AS (
      SELECT fork.id, CASE WHEN owner.visibility = 'private' THEN 1 ELSE 0 END
      FROM repository AS base
      INNER JOIN account AS owner ON owner.id = base.owner_id
      INNER JOIN repository AS fork ON fork.fork_of = base.id
      WHERE base.id = ${id}
      UNION
      SELECT fork.id, CASE WHEN owner.visibility = 'private' THEN 1 ELSE forks.concealed END
      FROM forks
      INNER JOIN repository AS base ON base.id = forks.id
      INNER JOIN account AS owner ON owner.id = base.owner_id
      INNER JOIN repository AS fork ON fork.fork_of = base.id
    ) SELECT id, concealed FROM forks`.execute(db)
  return rows.map((row) => ({ id: row.id, isConcealed: row.concealed === 1 }))
}

/**
 * Whether forks of it have to be private, for itself or for its owner; `undefined` when it is gone.
 */
export async function isHidden(db: Executor, id: number): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select(['repository.is_private', 'account.visibility'])
    .where('repository.id', '=', id)
    .executeTakeFirst()
  return row && (row.is_private === 1 || row.visibility === 'private')
}

/** Until the transaction ends nobody publishes or conceals it. */
export async function holdVisibility(dialect: Dialect, tx: Executor, id: number): Promise<void> {
  if (dialect === 'sqlite') return
  await tx.selectFrom('repository').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export async function updateVisibility(
  db: Executor,
  ids: readonly number[],
  isPrivate: boolean,
): Promise<void> {
  await db
    .updateTable('repository')
    .set({ is_private: isPrivate ? 1 : 0 })
    .where('id', 'in', ids)
    .execute()
}

/** Forks of a repository that goes stand on their own. */
export async function orphanForks(db: Executor, id: number): Promise<void> {
  await db
    .updateTable('repository')
    .set({ is_fork: 0, fork_of: null })
    .where('fork_of', '=', id)
    .execute()
}

export async function addToForksCount(db: Executor, id: number, difference: 1 | -1): Promise<void> {
  await db
    .updateTable('repository')
    .set({ forks_count: sql`forks_count + ${difference}` })
    .where('id', '=', id)
    .execute()
}
