import { anonymous, type Context, type SignedInCaller } from '../../platform/context.ts'
import { findCurrent } from '../repository/load.ts'
import type { RepositoryView } from '../repository/view.ts'
import { findByFingerprint, findDeployKey, updateKeyUse, type DeployKey } from './queries.ts'

/** A repository as the key opens it, and who acts: the owner, as far as the key goes. */
export interface Opened {
  readonly caller: SignedInCaller
  readonly view: RepositoryView
  readonly key: DeployKey
}

/** Undefined when the repository does not have this key, or its owner may not be used. */
export async function openByFingerprint(
  ctx: Context,
  repositoryId: number,
  fingerprint: string,
): Promise<Opened | undefined> {
  const key = await findByFingerprint(ctx.db, repositoryId, fingerprint)
  if (!key) return undefined
  await updateKeyUse(ctx.db, key.id, ctx.now())
  return open(ctx, repositoryId, key)
}

/** Like `openByFingerprint`, for a ticket that was given for the key; its use was noted then. */
export async function openById(
  ctx: Context,
  repositoryId: number,
  id: number,
): Promise<Opened | undefined> {
  const key = await findDeployKey(ctx.db, repositoryId, id)
  return key && open(ctx, repositoryId, key)
}

async function open(
  ctx: Context,
  repositoryId: number,
  key: DeployKey,
): Promise<Opened | undefined> {
  const view = await findCurrent(ctx, anonymous, repositoryId)
  const { owner } = view
  if (!owner.isActive || owner.prohibitLogin) return undefined
  const level = key.isReadOnly ? 'read' : 'write'
  return {
    key,
    caller: { account: owner, credential: { kind: 'deploy-key' }, publicOnly: false },
    view: { ...view, access: { level, units: new Map() } },
  }
}
