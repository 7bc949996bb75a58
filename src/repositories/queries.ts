import { sql } from 'kysely'
import { isDuplicate, type Executor } from '../db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import type { AccessLevel, Changes, NewRow, Row } from '../db/schema.ts'
import { statement } from '../db/statement.ts'
import { AppError } from '../errors.ts'
import { toAccount, type Account } from '../users/account.ts'
import { isOfTeam, type RepositoryCondition } from './conditions.ts'
import { toRepository, type Repository } from './repository.ts'
import { unitKeys, Units, type UnitKey } from './units.ts'

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

const selectById = statement<Row<'repository'>>('SELECT * FROM repository WHERE id = ?')

export async function findRepositoryById(
  db: Executor,
  id: number,
): Promise<Repository | undefined> {
  const [row] = await selectById(db, id)
  return row && toRepository(row)
}

/** What the repository that had this name is now. */
export async function findRedirected(
  db: Executor,
  ownerId: number,
  name: string,
): Promise<Repository | undefined> {
  const row = await db
    .selectFrom('repository_redirect')
    .innerJoin('repository', 'repository.id', 'repository_redirect.repository_id')
    .selectAll('repository')
    .where('repository_redirect.owner_id', '=', ownerId)
    .where('repository_redirect.lower_name', '=', name.toLowerCase())
    .executeTakeFirst()
  return row && toRepository(row)
}

/** Whoever takes a name ends its redirect. */
export async function insertRepository(
  db: Executor,
  row: NewRow<'repository'>,
): Promise<Repository> {
  try {
    const made = await db
      .insertInto('repository')
      .values(row)
      .returningAll()
      .executeTakeFirstOrThrow()
    await deleteRedirect(db, row.owner_id, row.lower_name)
    return toRepository(made)
  } catch (error) {
    if (isDuplicate(error)) throw nameTaken(error)
    throw error
  }
}

export function nameTaken(cause?: unknown): AppError {
  return new AppError('conflict', 'The repository with the same name already exists.', { cause })
}

export async function updateRepository(
  db: Executor,
  id: number,
  changes: Changes<'repository'>,
): Promise<Repository | undefined> {
  const row = await db
    .updateTable('repository')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toRepository(row)
}

export async function deleteRepository(db: Executor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('repository')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteRedirect(
  db: Executor,
  ownerId: number,
  lowerName: string,
): Promise<void> {
  await db
    .deleteFrom('repository_redirect')
    .where('owner_id', '=', ownerId)
    .where('lower_name', '=', lowerName)
    .execute()
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

export async function insertUnits(db: Executor, repositoryId: number, units: Units): Promise<void> {
  const rows = [...units.entries()].map(([unit, settings]) => ({
    repository_id: repositoryId,
    unit,
    settings: JSON.stringify(settings),
  }))
  if (rows.length > 0) await db.insertInto('repository_unit').values(rows).execute()
}

/** Switches a unit on with these settings, or changes them. */
export async function upsertUnit(
  db: Executor,
  repositoryId: number,
  unit: UnitKey,
  settings: object,
): Promise<void> {
  const text = JSON.stringify(settings)
  await db
    .insertInto('repository_unit')
    .values({ repository_id: repositoryId, unit, settings: text })
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'unit']).doUpdateSet({ settings: text }),
    )
    .execute()
}

export async function deleteUnits(
  db: Executor,
  repositoryId: number,
  units: readonly UnitKey[],
): Promise<void> {
  if (units.length === 0) return
  await db
    .deleteFrom('repository_unit')
    .where('repository_id', '=', repositoryId)
    .where('unit', 'in', units)
    .execute()
}

export async function findUnits(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Units>> {
  const rows = await db
    .selectFrom('repository_unit')
    .selectAll()
    .where('repository_id', 'in', ids)
    .execute()
  const byRepository = Map.groupBy(rows, ({ repository_id: id }) => id)
  return new Map(ids.map((id) => [id, toUnits(byRepository.get(id) ?? [])]))
}

function toUnits(rows: readonly Row<'repository_unit'>[]): Units {
  const settings = new Map(
    rows.map(({ unit, settings: text }) => [unit, JSON.parse(text) as unknown]),
  )
  return new Units(
    new Map(
      unitKeys.filter((unit) => settings.has(unit)).map((unit) => [unit, settings.get(unit)]),
    ),
  )
}

export async function findTopics(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await db
    .selectFrom('repository_topic')
    .innerJoin('topic', 'topic.id', 'repository_topic.topic_id')
    .select(['repository_topic.repository_id', 'topic.name'])
    .where('repository_topic.repository_id', 'in', ids)
    .orderBy('topic.name')
    .execute()
  const byRepository = Map.groupBy(rows, ({ repository_id: id }) => id)
  return new Map([...byRepository].map(([id, topics]) => [id, topics.map(({ name }) => name)]))
}

export async function findOwners(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Account>> {
  const rows = await db.selectFrom('account').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toAccount(row)]))
}

export async function findRepositories(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Repository>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('repository').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, toRepository(row)]))
}

export async function findCollaborations(
  db: Executor,
  ids: readonly number[],
  accountId: number,
): Promise<ReadonlyMap<number, AccessLevel>> {
  const rows = await db
    .selectFrom('collaboration')
    .select(['repository_id', 'access'])
    .where('account_id', '=', accountId)
    .where('repository_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ repository_id: id, access }) => [id, access]))
}

export interface TeamAccessRow {
  readonly repositoryId: number
  readonly teamId: number
  readonly level: AccessLevel
  readonly unit: string | null
  readonly unitLevel: AccessLevel | null
}

/** The teams of an account that have these repositories, a row for each unit. */
export async function findTeamAccess(
  db: Executor,
  ids: readonly number[],
  accountId: number,
): Promise<readonly TeamAccessRow[]> {
  return db
    .selectFrom('repository')
    .innerJoin('team', 'team.org_id', 'repository.owner_id')
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .leftJoin('team_unit', 'team_unit.team_id', 'team.id')
    .select([
      'repository.id as repositoryId',
      'team.id as teamId',
      'team.access as level',
      'team_unit.unit as unit',
      'team_unit.access as unitLevel',
    ])
    .where('repository.id', 'in', ids)
    .where('team_member.account_id', '=', accountId)
    .where((eb) =>
      eb.or([
        eb('team.includes_all_repositories', '=', 1),
        eb.exists(
          eb
            .selectFrom('team_repository')
            .select('team_repository.team_id')
            .whereRef('team_repository.team_id', '=', 'team.id')
            .whereRef('team_repository.repository_id', '=', 'repository.id'),
        ),
      ]),
    )
    .execute()
}

export async function findMemberships(
  db: Executor,
  orgIds: readonly number[],
  accountId: number,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('organization_member')
    .select('org_id')
    .where('account_id', '=', accountId)
    .where('org_id', 'in', orgIds)
    .execute()
  return new Set(rows.map(({ org_id: id }) => id))
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

export async function listRepositories(
  db: Executor,
  { visible, ownerId, teamId, starredBy, watchedBy, forksOf, order }: ListFilter,
  page: Page,
): Promise<PageOf<Repository>> {
  let query = db
    .selectFrom('repository')
    .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
    .selectAll('repository')
    .where(visible)
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
  return mapPage(await fetchPage(query.orderBy('repository.id'), page), toRepository)
}

export async function countRepositories(db: Executor, ownerId: number): Promise<number> {
  const { count } = await db
    .selectFrom('repository')
    .select(sql<number>`count(*)`.as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return count
}

export async function findFolders(db: Executor): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('repository').select('folder').execute()
  return new Set(rows.map(({ folder }) => folder))
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

export interface PendingTransfer {
  readonly offeredBy: Account
  readonly recipient: Account
  readonly teamIds: readonly number[]
}

export async function findTransfers(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PendingTransfer>> {
  const rows = await db
    .selectFrom('repository_transfer')
    .selectAll()
    .where('repository_id', 'in', ids)
    .execute()
  if (rows.length === 0) return new Map()
  const accounts = await findOwners(
    db,
    rows.flatMap((row) => [row.offered_by_id, row.recipient_id]),
  )
  return new Map(
    rows.flatMap((row) => {
      const offeredBy = accounts.get(row.offered_by_id)
      const recipient = accounts.get(row.recipient_id)
      if (!offeredBy || !recipient) return []
      const teamIds = JSON.parse(row.team_ids) as number[]
      return [[row.repository_id, { offeredBy, recipient, teamIds }]]
    }),
  )
}

/** Adds somebody, or changes the level. */
export async function upsertCollaboration(
  db: Executor,
  row: NewRow<'collaboration'>,
): Promise<void> {
  await db
    .insertInto('collaboration')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'account_id']).doUpdateSet({ access: row.access }),
    )
    .execute()
}

export async function deleteCollaboration(
  db: Executor,
  repositoryId: number,
  accountId: number,
): Promise<void> {
  await db
    .deleteFrom('collaboration')
    .where('repository_id', '=', repositoryId)
    .where('account_id', '=', accountId)
    .execute()
}

export async function insertLabels(db: Executor, rows: readonly NewRow<'label'>[]): Promise<void> {
  if (rows.length > 0) await db.insertInto('label').values(rows).execute()
}

/** Makes these accounts watch, and counts them. */
export async function insertWatches(
  db: Executor,
  repositoryId: number,
  accountIds: readonly number[],
  now: number,
): Promise<void> {
  if (accountIds.length === 0) return
  await db
    .insertInto('watch')
    .values(
      accountIds.map((id) => ({ repository_id: repositoryId, account_id: id, created_at: now })),
    )
    .onConflict((conflict) => conflict.columns(['repository_id', 'account_id']).doNothing())
    .execute()
  await recountWatches(db, repositoryId)
}

export async function recountWatches(db: Executor, repositoryId: number): Promise<void> {
  await db
    .updateTable('repository')
    .set({
      watchers_count: sql`(SELECT count(*) FROM watch WHERE watch.repository_id = ${repositoryId})`,
    })
    .where('id', '=', repositoryId)
    .execute()
}

/** Members of the teams that have every repository of an organization. */
export async function findWatchingMembers(db: Executor, orgId: number): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team_member.account_id')
    .distinct()
    .where('team.org_id', '=', orgId)
    .where('team.includes_all_repositories', '=', 1)
    .execute()
  return rows.map(({ account_id: id }) => id)
}

/** Stars and watches go when a repository is made private. */
export async function deleteAudience(db: Executor, ids: readonly number[]): Promise<void> {
  await db
    .updateTable('account')
    .set({
      starred_repos_count: sql`starred_repos_count - (SELECT count(*) FROM star WHERE star.account_id = account.id AND star.repository_id IN (${sql.join(ids)}))`,
    })
    .where('id', 'in', (eb) =>
      eb.selectFrom('star').select('account_id').where('repository_id', 'in', ids),
    )
    .execute()
  await db.deleteFrom('star').where('repository_id', 'in', ids).execute()
  await db.deleteFrom('watch').where('repository_id', 'in', ids).execute()
  await db
    .updateTable('repository')
    .set({ stars_count: 0, watchers_count: 0 })
    .where('id', 'in', ids)
    .execute()
}

/** The forks of a repository, their forks, and so on. */
export async function findAllForks(db: Executor, id: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE forks (id) AS (
      SELECT id FROM repository WHERE fork_of = ${id}
      UNION SELECT repository.id FROM repository INNER JOIN forks ON repository.fork_of = forks.id
    ) SELECT id FROM forks`.execute(db)
  return rows.map((row) => row.id)
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

/** Takes the stars of a repository that goes out of the counts of those who gave them. */
export async function uncountStars(db: Executor, id: number): Promise<void> {
  await db
    .updateTable('account')
    .set({ starred_repos_count: sql`starred_repos_count - 1` })
    .where('id', 'in', (eb) =>
      eb.selectFrom('star').select('account_id').where('repository_id', '=', id),
    )
    .execute()
}

export async function uncountTopics(db: Executor, id: number): Promise<void> {
  await db
    .updateTable('topic')
    .set({ repo_count: sql`repo_count - 1` })
    .where('id', 'in', (eb) =>
      eb.selectFrom('repository_topic').select('topic_id').where('repository_id', '=', id),
    )
    .execute()
}

/** Whether this account may create repositories in an organization through one of its teams. */
export async function mayCreateIn(
  db: Executor,
  orgId: number,
  accountId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select('team.id')
    .where('team.org_id', '=', orgId)
    .where('team_member.account_id', '=', accountId)
    .where((eb) => eb.or([eb('team.access', '=', 'owner'), eb('team.can_create_org_repo', '=', 1)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
