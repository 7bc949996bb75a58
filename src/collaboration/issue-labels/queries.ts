import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'
import { statementForIds } from '../../platform/db/statement.ts'
import { toLabel, type Label } from '../../repositories/labels/label.ts'

const labelsOf = statementForIds<Row<'label'> & Pick<Row<'issue_label'>, 'issue_id'>>(`
  SELECT label.*, issue_label.issue_id
  FROM issue_label
  JOIN label ON label.id = issue_label.label_id
  JOIN issue ON issue.id = issue_label.issue_id
  JOIN repository ON repository.id = issue.repository_id
  WHERE issue_label.issue_id IN (*)
  AND (label.org_id IS NULL OR label.org_id = repository.owner_id)
  ORDER BY label.name, label.id`)

/** By name. Labels of an organization that owns the repository no longer are not shown. */
export async function findLabelsOf(
  db: Executor,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Label[]>> {
  if (issueIds.length === 0) return new Map()
  const rows = await labelsOf(db, issueIds)
  const byIssue = Map.groupBy(rows, (row) => row.issue_id)
  return new Map([...byIssue].map(([id, labels]) => [id, labels.map(toLabel)]))
}

const selectByIds = statementForIds<Row<'label'>>('SELECT * FROM label WHERE id IN (*)')

export async function findLabelsById(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Label>> {
  if (ids.length === 0) return new Map()
  const rows = await selectByIds(db, ids)
  return new Map(rows.map((row) => [row.id, toLabel(row)]))
}

/** Whether these labels were given as often as that, without counting them all. */
export async function areGivenTimes(
  db: Executor,
  labelIds: readonly number[],
  times: number,
): Promise<boolean> {
  const last = await db
    .selectFrom('issue_label')
    .select('issue_id')
    .where('label_id', 'in', labelIds)
    .offset(times - 1)
    .limit(1)
    .executeTakeFirst()
  return last !== undefined
}

/** Whose labels an issue may have. */
export interface LabelSources {
  readonly repositoryId: number
  readonly ownerId: number
}

export type LabelKeys = { readonly ids: readonly number[] } | { readonly names: readonly string[] }

/** More than an issue can be labelled with in one go; a statement takes only so many parameters. */
const MAX_WANTED = 1000

/** Those of a repository and of the organization that owns it, as far as there are such. */
export async function findUsable(
  db: Executor,
  { repositoryId, ownerId }: LabelSources,
  keys: LabelKeys,
): Promise<readonly Label[]> {
  const wanted = [...new Set<number | string>('ids' in keys ? keys.ids : keys.names)]
  if (wanted.length === 0) return []
  const rows = await db
    .selectFrom('label')
    .selectAll()
    .where('ids' in keys ? 'id' : 'name', 'in', wanted.slice(0, MAX_WANTED))
    .where((eb) => eb.or([eb('repository_id', '=', repositoryId), eb('org_id', '=', ownerId)]))
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(toLabel)
}

export async function insertLabels(
  db: Executor,
  issueId: number,
  labelIds: readonly number[],
): Promise<void> {
  if (labelIds.length === 0) return
  await db
    .insertInto('issue_label')
    .values(labelIds.map((id) => ({ issue_id: issueId, label_id: id })))
    .onConflict((conflict) => conflict.columns(['issue_id', 'label_id']).doNothing())
    .execute()
}

export async function deleteLabels(
  db: Executor,
  issueId: number,
  labelIds: readonly number[],
): Promise<void> {
  if (labelIds.length === 0) return
  await db
    .deleteFrom('issue_label')
    .where('issue_id', '=', issueId)
    .where('label_id', 'in', labelIds)
    .execute()
}
