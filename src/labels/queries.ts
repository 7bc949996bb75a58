import type { Executor } from '../db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../db/page.ts'
import type { Changes, NewRow, Row } from '../db/schema.ts'

export interface Label {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly description: string
  readonly isExclusive: boolean
  readonly isArchived: boolean
}

/** Whose labels: those of a repository, or those that an organization has for all of its own. */
export type LabelOwner = { readonly repositoryId: number } | { readonly orgId: number }

function toLabel(row: Row<'label'>): Label {
  return {
    id: row.id,
    name: row.name,
    color: row.color,
    description: row.description,
    isExclusive: row.exclusive === 1,
    isArchived: row.is_archived === 1,
  }
}

function ownedBy(db: Executor, owner: LabelOwner) {
  const query = db.selectFrom('label').selectAll()
  return 'repositoryId' in owner
    ? query.where('repository_id', '=', owner.repositoryId)
    : query.where('org_id', '=', owner.orgId)
}

export async function listLabels(
  db: Executor,
  owner: LabelOwner,
  direction: 'asc' | 'desc',
  page: Page,
): Promise<PageOf<Label>> {
  const query = ownedBy(db, owner).orderBy('name', direction).orderBy('id', direction)
  return mapPage(await fetchPage(query, page), toLabel)
}

export async function findLabel(
  db: Executor,
  owner: LabelOwner,
  id: number,
): Promise<Label | undefined> {
  const row = await ownedBy(db, owner).where('id', '=', id).executeTakeFirst()
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

export async function deleteLabel(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('label').where('id', '=', id).execute()
}
