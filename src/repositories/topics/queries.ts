import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { contains } from '../../platform/db/like.ts'
import {
  fetchOrderedPage,
  fetchPage,
  mapPage,
  type Page,
  type PageOf,
} from '../../platform/db/page.ts'
import type { Row } from '../../platform/db/schema.ts'
import type { RepositoryCondition } from '../repository/conditions.ts'

export async function listTopicNames(
  db: Executor,
  repositoryId: number,
): Promise<readonly string[]> {
  const rows = await ofRepository(db, repositoryId).execute()
  return rows.map(({ name }) => name)
}

export async function pageTopicNames(
  db: Executor,
  repositoryId: number,
  page: Page,
): Promise<PageOf<string>> {
  return mapPage(await fetchPage(ofRepository(db, repositoryId), page), ({ name }) => name)
}

function ofRepository(db: Executor, repositoryId: number) {
  return db
    .selectFrom('repository_topic')
    .innerJoin('topic', 'topic.id', 'repository_topic.topic_id')
    .select('topic.name')
    .where('repository_topic.repository_id', '=', repositoryId)
    .orderBy('topic.name')
}

/**
 * Makes the topic when nobody has used it before, and counts its use; false when the repository has
 * it already.
 */
export async function attachTopic(
  db: Executor,
  repositoryId: number,
  name: string,
  now: number,
): Promise<boolean> {
  const { id } = await db
    .insertInto('topic')
    .values({ name, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ name }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('repository_topic')
    .values({ repository_id: repositoryId, topic_id: id })
    .onConflict((conflict) => conflict.columns(['repository_id', 'topic_id']).doNothing())
    .executeTakeFirst()
  const attached = (numInsertedOrUpdatedRows ?? 0n) > 0n
  if (attached) await addToUse(db, id, 1, now)
  return attached
}

export async function copyTopicRows(
  db: Executor,
  fromId: number,
  toId: number,
  now: number,
): Promise<void> {
  await db
    .insertInto('repository_topic')
    .columns(['repository_id', 'topic_id'])
    .expression((eb) =>
      eb
        .selectFrom('repository_topic')
        .select([sql<number>`${sql.lit(toId)}`.as('repository_id'), 'topic_id'])
        .where('repository_id', '=', fromId),
    )
    .execute()
  await db
    .updateTable('topic')
    .set({ repo_count: sql`repo_count + 1`, updated_at: now })
    .where('id', 'in', (eb) =>
      eb.selectFrom('repository_topic').select('topic_id').where('repository_id', '=', toId),
    )
    .execute()
}

export async function detachTopic(
  db: Executor,
  repositoryId: number,
  name: string,
  now: number,
): Promise<boolean> {
  const topic = await db
    .selectFrom('topic')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst()
  if (!topic) return false
  const { numDeletedRows } = await db
    .deleteFrom('repository_topic')
    .where('repository_id', '=', repositoryId)
    .where('topic_id', '=', topic.id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await addToUse(db, topic.id, -1, now)
  return true
}

async function addToUse(db: Executor, id: number, difference: 1 | -1, now: number): Promise<void> {
  await db
    .updateTable('topic')
    .set({ repo_count: sql`repo_count + ${difference}`, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Those of any repository that is `visible`, the most used first. */
export async function searchTopics(
  db: Executor,
  visible: RepositoryCondition,
  text: string,
  page: Page,
): Promise<PageOf<Row<'topic'>>> {
  let query = db
    .selectFrom('topic')
    .selectAll()
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('repository_topic')
          .innerJoin('repository', 'repository.id', 'repository_topic.repository_id')
          .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
          .select('repository.id')
          .whereRef('repository_topic.topic_id', '=', 'topic.id')
          .where((inner) => visible(inner)),
      ),
    )
  if (text !== '') query = query.where(contains(sql.ref('topic.name'), text.toLowerCase()))
  const keys = [
    { by: sql.ref('topic.repo_count'), kind: 'number', direction: 'desc' },
    { by: sql.ref('topic.name'), kind: 'text', direction: 'asc' },
  ] as const
  return fetchOrderedPage(query, keys, page)
}
