import type { MailNews } from '../../platform/db/columns.ts'
import type { Executor } from '../../platform/db/database.ts'

/** One statement, however many watch: not who did it, nor who blocks the one who did. */
export async function findWatchersToMail(
  db: Executor,
  repositoryId: number,
  actorId: number,
): Promise<readonly { readonly accountId: number; readonly mailNews: MailNews }[]> {
  return db
    .selectFrom('watch')
    .innerJoin('account', 'account.id', 'watch.account_id')
    .select(['account.id as accountId', 'account.mail_news as mailNews'])
    .where('watch.repository_id', '=', repositoryId)
    .where('account.is_active', '=', 1)
    .where('account.id', '<>', actorId)
    .where('account.mail_news', '<>', 'none')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('block')
            .select('block.blocker_id')
            .whereRef('block.blocker_id', '=', 'account.id')
            .where('block.blocked_id', '=', actorId),
        ),
      ),
    )
    .execute()
}
