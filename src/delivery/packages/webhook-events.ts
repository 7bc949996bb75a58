import { anonymous, type Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { presentOrganization } from '../../identity/organizations/present.ts'
import type { PackageVersion } from './package.ts'
import { presentPackageOf } from './present.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import { announceAt } from '../../events/webhooks/announce.ts'
import { presentPerson, presentPlace } from '../../repositories/repository/webhook-payload.ts'

/** Of versions of one package. The repository from which it comes hears of it too. */
export async function announcePackages(
  ctx: Context,
  tx: Executor,
  actor: Account,
  versions: readonly PackageVersion[],
  action: 'created' | 'deleted',
): Promise<void> {
  const [one] = versions
  if (!one) return
  const { ownerId, repositoryId } = one
  const scene = repositoryId === undefined ? { accountId: ownerId } : { repositoryId }
  const news = versions.map((version) => ({
    kind: 'package' as const,
    payload: () => tell(ctx, tx, actor, version, action),
  }))
  await announceAt(ctx, tx, scene, news)
}

async function tell(
  ctx: Context,
  tx: Executor,
  actor: Account,
  version: PackageVersion,
  action: 'created' | 'deleted',
): Promise<object> {
  const { ownerId, creatorId = 0, repositoryId } = version
  const people = await findAllById(tx, [ownerId, creatorId])
  const owner = people.get(ownerId) ?? ghost
  const repository = repositoryId === undefined ? null : await presentPlace(ctx, tx, repositoryId)
  return {
    action,
    repository,
    package: presentPackageOf(ctx.config, owner, version, {
      repository,
      owner: presentPerson(ctx, owner),
      creator: presentPerson(ctx, people.get(creatorId) ?? ghost),
    }),
    organization:
      owner.kind === 'organization' ? presentOrganization(ctx.config, anonymous, owner) : null,
    sender: presentPerson(ctx, actor),
  }
}
