import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'

/** What of a template's row the new repository takes over; `undefined` when it has been deleted. */
export async function findTemplateRow(
  db: Executor,
  id: number,
): Promise<Pick<Row<'repository'>, 'object_format' | 'trust_model'> | undefined> {
  return db
    .selectFrom('repository')
    .select(['object_format', 'trust_model'])
    .where('id', '=', id)
    .executeTakeFirst()
}
