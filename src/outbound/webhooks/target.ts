import type { Executor } from '../../platform/db/database.ts'
import { findAllById } from '../../identity/users/load.ts'
import { isDetached, type Webhook } from '../../events/webhooks/hook.ts'
import type { TargetKind } from './request.ts'

/** Whose webhook it is, in the words of the header that says so. */
export async function targetOf(db: Executor, hook: Webhook): Promise<TargetKind> {
  if (hook.repositoryId !== undefined || isDetached(hook)) return 'repository'
  if (hook.accountId === undefined) return hook.isSystem ? 'system' : 'default'
  const account = (await findAllById(db, [hook.accountId])).get(hook.accountId)
  return account?.kind === 'organization' ? 'organization' : 'user'
}
