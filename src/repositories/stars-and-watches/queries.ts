import { sql } from 'kysely'
import type { Dialect, Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { toAccount, type Account } from '../../identity/users/account.ts'
import type { AccountCondition } from '../../identity/users/queries.ts'

type Mark = 'star' | 'watch'

/**
 * Until the transaction ends nobody else counts its stars and watches. First of all, as by whoever
 * makes it private or deletes it: they take the marks after it.
 */
export async function holdCounts(
  dialect: Dialect,
  tx: Executor,
  repositoryId: number,
): Promise<void> {
  if (dialect === 'sqlite') return
  await tx
    .selectFrom('repository')
    .select('id')
    .where('id', '=', repositoryId)
    .forNoKeyUpdate()
    .execute()
}

/** False when it was there already. */
export async function insertMark(
  db: Executor,
  mark: Mark,
  row: { repository_id: number; account_id: number; created_at: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto(mark)
    .values(row)
    .onConflict((conflict) => conflict.columns(['repository_id', 'account_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** False when it was not there. */
export async function deleteMark(
  db: Executor,
  mark: Mark,
  repositoryId: number,
  accountId: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom(mark)
    .where('repository_id', '=', repositoryId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const timeOf = (mark: Mark) =>
  statement<{ readonly created_at: number }>(
    `SELECT created_at FROM ${mark} WHERE repository_id = ? AND account_id = ?`,
  )
const timesOf = { star: timeOf('star'), watch: timeOf('watch') }

export async function findMarkTime(
  db: Executor,
  mark: Mark,
  repositoryId: number,
  accountId: number,
): Promise<number | undefined> {
  const [row] = await timesOf[mark](db, repositoryId, accountId)
  return row?.created_at
}

export async function addToCount(
  db: Executor,
  column: 'stars_count' | 'watchers_count',
  repositoryId: number,
  difference: 1 | -1,
): Promise<void> {
  await db
    .updateTable('repository')
    .set({ [column]: sql`${sql.ref(column)} + ${difference}` })
    .where('id', '=', repositoryId)
    .execute()
}

export async function addToStarred(
  db: Executor,
  accountId: number,
  difference: 1 | -1,
): Promise<void> {
  await db
    .updateTable('account')
    .set({ starred_repos_count: sql`starred_repos_count + ${difference}` })
    .where('id', '=', accountId)
    .execute()
}

/** Those whom `visible` leaves over, earliest first. */
export async function listMarkers(
  db: Executor,
  mark: Mark,
  repositoryId: number,
  visible: AccountCondition,
  page: Page,
): Promise<PageOf<Account>> {
  const query = db
    .selectFrom(mark)
    .innerJoin('account', 'account.id', `${mark}.account_id`)
    .selectAll('account')
    .where(`${mark}.repository_id`, '=', repositoryId)
    .where((eb) => visible(eb))
    .orderBy(`${mark}.id`)
  return mapPage(await fetchPage(query, page), toAccount)
}
