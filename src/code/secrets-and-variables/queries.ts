import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import { fetchPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'

export type ActionValue = Row<'action_value'>
export type ValueKind = ActionValue['kind']

/** Whose values they are. */
export type Holder =
  | { readonly repositoryId: number; readonly accountId?: undefined }
  | { readonly accountId: number; readonly repositoryId?: undefined }

function valuesOf(db: Executor, kind: ValueKind, { repositoryId, accountId }: Holder) {
  const query = db.selectFrom('action_value').selectAll().where('kind', '=', kind)
  return repositoryId === undefined
    ? query.where('account_id', '=', accountId)
    : query.where('repository_id', '=', repositoryId)
}

/** In the order of their names. */
export async function listValues(
  db: Executor,
  kind: ValueKind,
  holder: Holder,
  page: Page,
): Promise<PageOf<ActionValue>> {
  return fetchPage(valuesOf(db, kind, holder).orderBy('name'), page)
}

export async function findValue(
  db: Executor,
  kind: ValueKind,
  holder: Holder,
  name: string,
): Promise<ActionValue | undefined> {
  return valuesOf(db, kind, holder).where('name', '=', name).executeTakeFirst()
}

/** False when there is one of this name. */
export async function insertValue(db: Executor, row: NewRow<'action_value'>): Promise<boolean> {
  try {
    await db.insertInto('action_value').values(row).execute()
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

/** `taken` when another has the new name. */
export async function updateValue(
  db: Executor,
  id: number,
  changes: Changes<'action_value'>,
): Promise<'changed' | 'taken'> {
  try {
    await db.updateTable('action_value').set(changes).where('id', '=', id).execute()
    return 'changed'
  } catch (error) {
    if (isDuplicate(error)) return 'taken'
    throw error
  }
}

export async function deleteValue(db: Executor, id: number): Promise<void> {
  await db.deleteFrom('action_value').where('id', '=', id).execute()
}
