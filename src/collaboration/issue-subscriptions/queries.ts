import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import { fetchPage, mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import { toAccount, type Account } from '../../identity/users/account.ts'

/** What somebody has said about hearing of an issue; `undefined` when nothing. */
export async function findSubscription(
  db: Executor,
  issueId: number,
  accountId: number,
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('issue_subscription')
    .select('is_subscribed')
    .where('issue_id', '=', issueId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && row.is_subscribed === 1
}

/** Who watches the repository, takes part in the issue or is addressed there. */
export async function isConcerned(
  db: Executor,
  { id, repositoryId }: { readonly id: number; readonly repositoryId: number },
  accountId: number,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM watch WHERE repository_id = ${repositoryId} AND account_id = ${accountId}
    UNION ALL SELECT 1 FROM issue WHERE id = ${id} AND author_id = ${accountId}
    UNION ALL SELECT 1 FROM issue_assignee WHERE issue_id = ${id} AND account_id = ${accountId}
    UNION ALL SELECT 1 FROM issue_mention WHERE issue_id = ${id} AND account_id = ${accountId}
    UNION ALL SELECT 1 FROM comment
      WHERE issue_id = ${id} AND author_id = ${accountId} AND kind = 'comment'
    LIMIT 1
  `.execute(db)
  return rows.length > 0
}

/** False when the same has been said already. */
export async function upsertSubscription(
  db: Executor,
  row: { issue_id: number; account_id: number; is_subscribed: 0 | 1; created_at: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('issue_subscription')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['issue_id', 'account_id'])
        .doUpdateSet({ is_subscribed: row.is_subscribed })
        .where('issue_subscription.is_subscribed', '<>', row.is_subscribed),
    )
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Those who asked for it, by name. */
export async function listSubscribers(
  db: Executor,
  issueId: number,
  page: Page,
): Promise<PageOf<Account>> {
  const query = db
    .selectFrom('issue_subscription')
    .innerJoin('account', 'account.id', 'issue_subscription.account_id')
    .selectAll('account')
    .where('issue_subscription.issue_id', '=', issueId)
    .where('issue_subscription.is_subscribed', '=', 1)
    .orderBy('account.lower_name')
  return mapPage(await fetchPage(query, page), toAccount)
}
