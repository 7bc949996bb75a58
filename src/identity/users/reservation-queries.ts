import type { Executor } from '../../platform/db/database.ts'

/** The names that accounts have now; what nobody waits for any more goes. */
export async function insertReservations(
  db: Executor,
  accountIds: readonly number[],
  { until, now }: { readonly until: number; readonly now: number },
): Promise<void> {
  await db.deleteFrom('reserved_name').where('reserved_until', '<=', now).execute()
  await db
    .insertInto('reserved_name')
    .columns(['lower_name', 'account_id', 'reserved_until'])
    .expression((eb) =>
      eb
        .selectFrom('account')
        .select((column) => ['lower_name', 'id', column.val(until).as('until')])
        .where('id', 'in', accountIds),
    )
    .onConflict((conflict) =>
      conflict.column('lower_name').doUpdateSet((eb) => ({
        account_id: eb.ref('excluded.account_id'),
        reserved_until: eb.ref('excluded.reserved_until'),
      })),
    )
    .execute()
}

/** Whether a name is kept for somebody else, or for nobody. */
export async function isReserved(
  db: Executor,
  { lowerName, accountId, now }: { lowerName: string; accountId: number; now: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('reserved_name')
    .select('account_id')
    .where('lower_name', '=', lowerName)
    .where('reserved_until', '>', now)
    .executeTakeFirst()
  return row !== undefined && row.account_id !== accountId
}
