import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Account } from '../../identity/users/account.ts'
import { announce, type News } from '../../events/webhooks/announce.ts'
import { presentPerson, presentPlace } from '../../repositories/repository/webhook-payload.ts'

/** What happened to a page of a wiki. */
export interface PageNews {
  readonly action: 'created' | 'edited' | 'deleted'
  /** Its address. */
  readonly page: string
  /** What its author said about the change. */
  readonly comment: string
}

export async function announceWiki(
  ctx: Context,
  tx: Executor,
  actor: Account,
  repositoryId: number,
  pages: readonly PageNews[],
): Promise<void> {
  let place: Promise<object> | undefined
  const sender = presentPerson(ctx, actor)
  const news = pages.map(({ action, page, comment }): News => {
    const payload = async () => {
      const repository = await (place ??= presentPlace(ctx, tx, repositoryId))
      return { action, repository, sender, page, comment }
    }
    return { kind: 'wiki', payload }
  })
  await announce(ctx, tx, repositoryId, news)
}
