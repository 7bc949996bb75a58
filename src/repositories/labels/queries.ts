import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { statement } from '../../platform/db/statement.ts'
import { toLabel, type Label } from './label.ts'

/** Whose labels: those of a repository, or those that an organization has for all of its own. */
export type LabelOwner = { readonly repositoryId: number } | { readonly orgId: number }

function ownedBy(db: Executor, owner: LabelOwner) {
  const query = db.selectFrom('label').selectAll()
  return 'repositoryId' in owner
    ? query.where('repository_id', '=', owner.repositoryId)
    : query.where('org_id', '=', owner.orgId)
}

export type LabelOrder = 'name' | 'name_reversed' | 'most_issues' | 'least_issues'

const used = sql<number>`(SELECT count(*) FROM issue_label WHERE issue_label.label_id = label.id)`

const orders: Record<LabelOrder, readonly [RawBuilder<unknown>, 'asc' | 'desc'][]> = {
  name: [
    [sql.ref('label.name'), 'asc'],
    [sql.ref('label.id'), 'asc'],
  ],
  name_reversed: [
    [sql.ref('label.name'), 'desc'],
    [sql.ref('label.id'), 'desc'],
  ],
  most_issues: [
    [used, 'desc'],
    [sql.ref('label.id'), 'asc'],
  ],
  least_issues: [
    [used, 'asc'],
    [sql.ref('label.id'), 'asc'],
  ],
}

export async function findLabels(
  db: Executor,
  owner: LabelOwner,
  order: LabelOrder,
  page: Page,
): Promise<PageOf<Label>> {
  let query = ownedBy(db, owner)
  for (const [by, direction] of orders[order]) query = query.orderBy(by, direction)
  return mapPage(await fetchPage(query, page), toLabel)
}

const labelOfRepository = statement<Row<'label'>>(
  'SELECT * FROM label WHERE repository_id = ? AND id = ?',
)
const labelOfOrg = statement<Row<'label'>>('SELECT * FROM label WHERE org_id = ? AND id = ?')

export async function findLabel(
  db: Executor,
  owner: LabelOwner,
  id: number,
): Promise<Label | undefined> {
  const [row] = await ('repositoryId' in owner
    ? labelOfRepository(db, owner.repositoryId, id)
    : labelOfOrg(db, owner.orgId, id))
  return row && toLabel(row)
}

export async function findLabelByName(
  db: Executor,
  owner: LabelOwner,
  name: string,
): Promise<Label | undefined> {
  const row = await ownedBy(db, owner).where('name', '=', name).orderBy('id').executeTakeFirst()
  return row && toLabel(row)
}

export async function insertLabel(db: Executor, row: NewRow<'label'>): Promise<Label> {
  return toLabel(await db.insertInto('label').values(row).returningAll().executeTakeFirstOrThrow())
}

export async function updateLabel(
  db: Executor,
  id: number,
  changes: Changes<'label'>,
): Promise<Label | undefined> {
  const row = await db
    .updateTable('label')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toLabel(row)
}

/** None of the copies is archived. */
export async function copyLabelRows(db: Executor, fromId: number, toId: number): Promise<void> {
  await db
    .insertInto('label')
    .columns(['repository_id', 'name', 'color', 'description', 'exclusive', 'exclusive_order'])
    .expression((eb) =>
      eb
        .selectFrom('label')
        .select([
          sql<number>`${sql.lit(toId)}`.as('repository_id'),
          'name',
          'color',
          'description',
          'exclusive',
          'exclusive_order',
        ])
        .where('repository_id', '=', fromId)
        .orderBy('id'),
    )
    .execute()
}

export async function deleteLabel(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('label').where('id', '=', id).execute()
}
