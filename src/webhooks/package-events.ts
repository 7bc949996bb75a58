import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { PackageVersion } from '../packages/package.ts'
import { presentPackageOf } from '../packages/present.ts'
import { ghost, type Account } from '../users/account.ts'
import { findAllById } from '../users/load.ts'
import { announceAt } from './announce.ts'
import { presentPerson, presentPlace } from './payload.ts'

/** The repository from which it comes hears of it too. */
export async function announcePackage(
  ctx: Context,
  tx: Executor,
  actor: Account,
  version: PackageVersion,
  action: 'created' | 'deleted',
): Promise<void> {
  const { ownerId, creatorId = 0, repositoryId } = version
  const payload = async () => {
    const people = await findAllById(tx, [ownerId, creatorId])
    const owner = people.get(ownerId) ?? ghost
    const repository = repositoryId === undefined ? null : await presentPlace(ctx, tx, repositoryId)
    const record = presentPackageOf(ctx.config, owner, version, {
      repository,
      owner: presentPerson(ctx, owner),
      creator: presentPerson(ctx, people.get(creatorId) ?? ghost),
    })
    return {
      action,
      repository,
      package: record,
      organization: owner.kind === 'organization' ? presentPerson(ctx, owner) : null,
      sender: presentPerson(ctx, actor),
    }
  }
  const scene = repositoryId === undefined ? { accountId: ownerId } : { repositoryId }
  await announceAt(ctx, tx, scene, [{ kind: 'package', payload }])
}
