import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'
import { statementForIds } from '../../platform/db/statement.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import type { Home } from './issue.ts'

type ByIssue<T> = ReadonlyMap<number, readonly T[]>

const assigneesOf = statementForIds<Row<'issue_assignee'>>(`
  SELECT issue_assignee.*
  FROM issue_assignee
  JOIN account ON account.id = issue_assignee.account_id
  WHERE issue_assignee.issue_id IN (*)
  ORDER BY account.lower_name`)

/** By name. */
export async function findAssignees(
  db: Executor,
  issueIds: readonly number[],
): Promise<ByIssue<Account>> {
  if (issueIds.length === 0) return new Map()
  const rows = await assigneesOf(db, issueIds)
  if (rows.length === 0) return new Map()
  const people = await findAllById(
    db,
    rows.map((row) => row.account_id),
  )
  const byIssue = Map.groupBy(rows, (row) => row.issue_id)
  const peopleOf = (some: typeof rows) => some.flatMap((row) => people.get(row.account_id) ?? [])
  return new Map([...byIssue].map(([id, assigned]) => [id, peopleOf(assigned)]))
}

/** Those who are there already stay. */
export async function insertPeople(
  db: Executor,
  relation: 'issue_assignee' | 'issue_mention',
  issueId: number,
  accountIds: readonly number[],
): Promise<void> {
  if (accountIds.length === 0) return
  await db
    .insertInto(relation)
    .values(accountIds.map((id) => ({ issue_id: issueId, account_id: id })))
    .onConflict((conflict) => conflict.columns(['issue_id', 'account_id']).doNothing())
    .execute()
}

export async function deleteAssignees(
  db: Executor,
  issueId: number,
  accountIds: readonly number[],
): Promise<void> {
  if (accountIds.length === 0) return
  await db
    .deleteFrom('issue_assignee')
    .where('issue_id', '=', issueId)
    .where('account_id', 'in', accountIds)
    .execute()
}

const homesOf = statementForIds<Home>(`
  SELECT repository.id, repository.name, owner.name AS "ownerName"
  FROM repository JOIN account AS owner ON owner.id = repository.owner_id
  WHERE repository.id IN (*)`)

export async function findHomes(
  db: Executor,
  repositoryIds: readonly number[],
): Promise<ReadonlyMap<number, Home>> {
  if (repositoryIds.length === 0) return new Map()
  const rows = await homesOf(db, repositoryIds)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface Assigning {
  readonly repositoryId: number
  readonly ownerId: number
  /** Whether pull requests are switched on: who reads those may be assigned. */
  readonly hasPulls: boolean
}

const writing = ['write', 'admin', 'owner'] as const
const reading = ['read', ...writing] as const

/** Those of `ids` who write something in a private repository, or read its pull requests. */
export async function findAssignable(
  db: Executor,
  { repositoryId, ownerId, hasPulls }: Assigning,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('account')
    .select('account.id')
    .where('account.id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb('account.id', '=', ownerId),
        eb('account.is_admin', '=', 1),
        eb.exists(
          eb
            .selectFrom('collaboration')
            .select('collaboration.account_id')
            .whereRef('collaboration.account_id', '=', 'account.id')
            .where('collaboration.repository_id', '=', repositoryId)
            .where('collaboration.access', 'in', hasPulls ? reading : writing),
        ),
        eb('account.id', 'in', peopleThroughTeams(db, { repositoryId, ownerId, hasPulls })),
      ]),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

function peopleThroughTeams(db: Executor, { repositoryId, ownerId, hasPulls }: Assigning) {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .leftJoin('team_unit', 'team_unit.team_id', 'team.id')
    .leftJoin('team_repository', (join) =>
      join
        .onRef('team_repository.team_id', '=', 'team.id')
        .on('team_repository.repository_id', '=', repositoryId),
    )
    .select('team_member.account_id')
    .where('team.org_id', '=', ownerId)
    .where((eb) =>
      eb.or([
        eb('team.includes_all_repositories', '=', 1),
        eb('team_repository.repository_id', 'is not', null),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb('team.access', 'in', ['admin', 'owner']),
        eb('team_unit.access', 'in', writing),
        ...(hasPulls
          ? [
              eb.and([
                eb('team_unit.unit', '=', 'repo.pulls'),
                eb('team_unit.access', 'in', reading),
              ]),
            ]
          : []),
      ]),
    )
}
