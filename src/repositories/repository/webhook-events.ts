import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { presentRepository } from './present.ts'
import type { Account } from '../../identity/users/account.ts'
import { announce, detachWebhooks } from '../../events/webhooks/announce.ts'
import { presentPerson, presentPlace, viewPlace } from './webhook-payload.ts'

/** Those of which the contract tells. */
type RepositoryAction = 'created' | 'deleted' | 'renamed'

/** Those beyond it, which webhooks listen to by a name of their own. */
type UpdateAction =
  | 'edited'
  | 'archived'
  | 'unarchived'
  | 'publicized'
  | 'privatized'
  | 'transferred'

/** Without an actor, whoever owns the repository has done it. */
export async function announceRepository(
  ctx: Context,
  tx: Executor,
  actor: Account | undefined,
  repositoryId: number,
  action: RepositoryAction | UpdateAction,
  changes?: object,
): Promise<void> {
  const isUpdate = action !== 'created' && action !== 'deleted' && action !== 'renamed'
  const payload = async () => {
    const view = await viewPlace(ctx, tx, repositoryId)
    return {
      action,
      ...(changes ? { changes } : {}),
      repository: presentRepository(ctx.config, view),
      organization: presentPerson(ctx, view.owner),
      sender: presentPerson(ctx, actor ?? view.owner),
    }
  }
  const kind = isUpdate ? 'repository_update' : 'repository'
  await announce(ctx, tx, repositoryId, [{ kind, payload }])
}

/**
 * The webhooks of the repository itself hear of it, too: those that listen outlive it until then.
 */
export async function announceDeletion(
  ctx: Context,
  tx: Executor,
  actor: Account | undefined,
  repositoryId: number,
): Promise<void> {
  await announceRepository(ctx, tx, actor, repositoryId, 'deleted')
  await detachWebhooks(tx, repositoryId)
}

/** The webhooks of the base hear of it. */
export async function announceFork(
  ctx: Context,
  tx: Executor,
  actor: Account,
  { baseId, forkId }: { readonly baseId: number; readonly forkId: number },
): Promise<void> {
  const payload = async () => ({
    forkee: await presentPlace(ctx, tx, baseId),
    repository: await presentPlace(ctx, tx, forkId),
    sender: presentPerson(ctx, actor),
  })
  await announce(ctx, tx, baseId, [{ kind: 'fork', payload }])
}
