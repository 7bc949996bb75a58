import type { NewEvent } from '../comments/record.ts'
import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { invalid } from '../errors.ts'
import type { RepositoryView } from '../repositories/view.ts'
import type { Account } from '../users/account.ts'
import { findPeopleByName } from '../users/load.ts'
import { deleteAssignees, findAssignable, findAssignees, insertPeople } from './relation-queries.ts'

/**
 * The people of these names. Everybody reads a public repository, so there anybody will do; who is assigned to
 * the issue `already` is not looked at again.
 */
export async function loadAssignable(
  ctx: Context,
  view: RepositoryView,
  names: readonly string[],
  already = 0,
): Promise<readonly number[]> {
  const people = await loadNamed(ctx, names)
  const ids = people.map(({ id }) => id)
  if (!view.repo.isPrivate) return ids
  const assigned = await findAssigned(ctx.db, already)
  const admitted = await findAssignable(ctx.db, assignedTo(view), ids)
  const stranger = people.find(({ id }) => !admitted.has(id) && !assigned.includes(id))
  if (stranger) {
    throw invalid(`user ${stranger.name} doesn't have access to repo ${view.repo.name}`)
  }
  return ids
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
  const people = (await findAssignees(db, [issueId])).get(issueId) ?? []
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
    ...added.map((assigneeId) => ({ kind: 'assignees' as const, details: { assigneeId } })),
  ]
}
