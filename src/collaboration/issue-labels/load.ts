import type { Executor } from '../../platform/db/database.ts'
import type { Label } from '../../repositories/labels/label.ts'
import {
  areGivenTimes,
  findLabelsById,
  findLabelsOf,
  findUsable,
  type LabelKeys,
  type LabelSources,
} from './queries.ts'

export async function labelsOfIssues(
  db: Executor,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Label[]>> {
  return findLabelsOf(db, issueIds)
}

export async function labelsById(
  db: Executor,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Label>> {
  return findLabelsById(db, [...new Set(ids)])
}

/** What issues of a repository may be labelled with, of what was asked for and in its order. */
export async function usableLabels(
  db: Executor,
  { repo, owner }: { repo: { id: number }; owner: { id: number } },
  keys: LabelKeys,
): Promise<readonly Label[]> {
  const sources: LabelSources = { repositoryId: repo.id, ownerId: owner.id }
  const found = await findUsable(db, sources, keys)
  const places = new Map([...('ids' in keys ? keys.ids : keys.names)].map((key, at) => [key, at]))
  const placeOf = (label: Label) => places.get('ids' in keys ? label.id : label.name) ?? 0
  return found.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** More issues than it is quicker to sort than to walk past. */
const COMMON = 1000

export async function isCommonLabel(db: Executor, ids: readonly number[]): Promise<boolean> {
  return areGivenTimes(db, ids, COMMON)
}
