import type { NewEvent } from '../comments/record.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { invalid } from '../../platform/errors.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findPeopleByName } from '../../identity/users/load.ts'
import { deleteAssignees, findAssignable, findAssignees, insertPeople } from './relation-queries.ts'

/**
 * The people of these names. Everybody reads a public repository, so there anybody will do; who is
 * assigned to the issue `already` is not looked at again.
 */
export async function loadAssignable(
  ctx: Context,
  view: RepositoryView,
  names: readonly string[],
  already = 0,
): Promise<readonly number[]> {
  const people = await loadNamed(ctx, names)
  const ids = idsOf(people)
  if (!view.repo.isPrivate) return ids
  const assigned = await findAssigned(ctx.db, already)
  const admitted = await findAssignable(ctx.db, assignedTo(view), ids)
  const stranger = people.find(({ id }) => !admitted.has(id) && !assigned.includes(id))
  if (stranger) {
    throw invalid(`user ${stranger.name} doesn't have access to repo ${view.repo.name}`)
  }
  return ids
}

/**
 * Those of these names who could be assigned to an issue of the repository: others are passed over.
 */
export async function assignableAmong(
  ctx: Context,
  view: RepositoryView,
  names: readonly string[],
): Promise<readonly string[]> {
  const people = [...(await findPeopleByName(ctx.db, names.slice(0, MAX_ASSIGNEES))).values()]
  const admitted = view.repo.isPrivate
    ? await findAssignable(ctx.db, assignedTo(view), idsOf(people))
    : new Set(idsOf(people))
  return people.filter(({ id }) => admitted.has(id)).map(({ name }) => name)
}

/** Whether somebody could be assigned to an issue of the repository. */
export async function canBeAssigned(
  ctx: Context,
  view: RepositoryView,
  { id }: Account,
): Promise<boolean> {
  if (!view.repo.isPrivate) return true
  return (await findAssignable(ctx.db, assignedTo(view), [id])).has(id)
}

/** What becomes of those who are assigned. */
export interface AssigneesEdit {
  readonly names: readonly string[]
  readonly change: 'add' | 'remove'
}

/** Who is assigned once these are added or removed, told in the transaction of the change. */
export async function planAssignees(
  ctx: Context,
  view: RepositoryView,
  issueId: number,
  { names, change }: AssigneesEdit,
): Promise<(tx: Executor) => Promise<readonly number[]>> {
  if (change === 'add') {
    const added = await loadAssignable(ctx, view, names, issueId)
    return async (tx) => [...new Set([...(await findAssigned(tx, issueId)), ...added])]
  }
  const removed = idsOf(await loadNamed(ctx, names))
  return async (tx) => (await findAssigned(tx, issueId)).filter((id) => !removed.includes(id))
}

/** More than anybody assigns; a statement takes only so many parameters. */
const MAX_ASSIGNEES = 1000

async function loadNamed(ctx: Context, names: readonly string[]): Promise<readonly Account[]> {
  if (names.length > MAX_ASSIGNEES) throw invalid(`more than ${MAX_ASSIGNEES} assignees`)
  const people = await findPeopleByName(ctx.db, names)
  const unknown = names.find((name) => !people.has(name.toLowerCase()))
  if (unknown !== undefined) {
    throw invalid(`Assignee does not exist: [name: user does not exist [uid: 0, name: ${unknown}]]`)
  }
  return [...people.values()]
}

function assignedTo({ repo, owner, units }: RepositoryView) {
  return { repositoryId: repo.id, ownerId: owner.id, hasPulls: units.has('repo.pulls') }
}

async function findAssigned(db: Executor, issueId: number): Promise<readonly number[]> {
  return idsOf((await findAssignees(db, [issueId])).get(issueId) ?? [])
}

function idsOf(people: readonly Account[]): readonly number[] {
  return people.map(({ id }) => id)
}

/** Makes these the assignees; what happened, to be recorded. */
export async function changeAssignees(
  tx: Executor,
  issueId: number,
  wanted: readonly number[],
): Promise<readonly NewEvent[]> {
  const current = await findAssigned(tx, issueId)
  const removed = current.filter((id) => !wanted.includes(id))
  const added = wanted.filter((id) => !current.includes(id))
  await deleteAssignees(tx, issueId, removed)
  await insertPeople(tx, 'issue_assignee', issueId, added)
  return [
    ...removed.map((assigneeId) => ({
      kind: 'assignees' as const,
      details: { assigneeId, removed: true },
    })),
    ...added.map(assignment),
  ]
}

/** Like `changeAssignees`, of an issue that has just been made: it has none. */
export async function assignNew(
  tx: Executor,
  issueId: number,
  wanted: readonly number[],
): Promise<readonly NewEvent[]> {
  await insertPeople(tx, 'issue_assignee', issueId, wanted)
  return wanted.map(assignment)
}

function assignment(assigneeId: number): NewEvent {
  return { kind: 'assignees', details: { assigneeId } }
}
