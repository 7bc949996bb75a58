import type { NewEvent } from '../comments/record.ts'
import type { Executor } from '../../platform/db/database.ts'
import { scopeOf, type Label } from '../../repositories/labels/label.ts'
import { deleteLabels, findLabelsOf, insertLabels } from './queries.ts'

/**
 * Makes `wanted` the labels of an issue, or adds them; of exclusive labels of one scope the last
 * one stays. What happened, to be recorded.
 */
export async function changeLabels(
  tx: Executor,
  issueId: number,
  wanted: readonly Label[],
  { replace }: { replace: boolean },
): Promise<readonly NewEvent[]> {
  const current = (await findLabelsOf(tx, [issueId])).get(issueId) ?? []
  const kept = withoutRivals(replace ? wanted : [...current, ...wanted])
  const keptIds = new Set(kept.map(({ id }) => id))
  const currentIds = new Set(current.map(({ id }) => id))
  const removed = [...currentIds].filter((id) => !keptIds.has(id))
  const added = [...keptIds].filter((id) => !currentIds.has(id))
  await deleteLabels(tx, issueId, removed)
  await insertLabels(tx, issueId, added)
  return [
    ...removed.map((labelId) => ({ kind: 'label' as const, details: { labelId, removed: true } })),
    ...added.map(labelled),
  ]
}

/** Like `changeLabels`, of an issue that has just been made: it has none. */
export async function labelNew(
  tx: Executor,
  issueId: number,
  wanted: readonly Label[],
): Promise<readonly NewEvent[]> {
  const ids = [...new Set(withoutRivals(wanted).map(({ id }) => id))]
  await insertLabels(tx, issueId, ids)
  return ids.map(labelled)
}

function labelled(labelId: number): NewEvent {
  return { kind: 'label', details: { labelId } }
}

function withoutRivals(labels: readonly Label[]): readonly Label[] {
  const lastOfScope = new Map(labels.map((label) => [scopeOf(label), label.id]))
  return labels.filter((label) => {
    const scope = scopeOf(label)
    return scope === undefined || lastOfScope.get(scope) === label.id
  })
}
