import type { Executor } from '../db/database.ts'
import { toAccount, type Account } from '../users/account.ts'

/** People by the confirmed addresses among `emails`, which are in lower case, and by `names`. */
export async function findPeople(
  db: Executor,
  { emails, names }: { emails: readonly string[]; names: readonly string[] },
): Promise<readonly { readonly email: string; readonly account: Account }[]> {
  const byEmail = await db
    .selectFrom('email_address')
    .innerJoin('account', 'account.id', 'email_address.account_id')
    .selectAll('account')
    .select('email_address.lower_address')
    .where('email_address.lower_address', 'in', ['', ...emails])
    .where('email_address.is_activated', '=', 1)
    .execute()
  const byName = await db
    .selectFrom('account')
    .selectAll()
    .where('lower_name', 'in', ['', ...names])
    .where('kind', '=', 'person')
    .execute()
  return [
    ...byEmail.map((row) => ({ email: row.lower_address, account: toAccount(row) })),
    ...byName.map((row) => ({ email: '', account: toAccount(row) })),
  ]
}
