import type { Executor } from '../../platform/db/database.ts'
import type { Row } from '../../platform/db/schema.ts'
import { statementForIds } from '../../platform/db/statement.ts'
import { toAccount, type Account } from '../../identity/users/account.ts'

const selectByEmails = statementForIds<
  Row<'account'> & Pick<Row<'email_address'>, 'lower_address'>
>(`
  SELECT account.*, email_address.lower_address
  FROM email_address
  JOIN account ON account.id = email_address.account_id
  WHERE email_address.lower_address IN (*) AND email_address.is_activated = 1`)

const selectByNames = statementForIds<Row<'account'>>(
  "SELECT * FROM account WHERE lower_name IN (*) AND kind = 'person'",
)

/** People by the confirmed addresses among `emails`, which are in lower case, and by `names`. */
export async function findPeople(
  db: Executor,
  { emails, names }: { emails: readonly string[]; names: readonly string[] },
): Promise<readonly { readonly email: string; readonly account: Account }[]> {
  const byEmail = emails.length > 0 ? await selectByEmails(db, emails) : []
  const byName = names.length > 0 ? await selectByNames(db, names) : []
  return [
    ...byEmail.map((row) => ({ email: row.lower_address, account: toAccount(row) })),
    ...byName.map((row) => ({ email: '', account: toAccount(row) })),
  ]
}
