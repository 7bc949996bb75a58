import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, forbidden, invalid, isNotFound, notFound } from '../../platform/errors.ts'
import { createRepository } from '../../repositories/repository/create.ts'
import { mayCreateFor } from '../../repositories/repository/may-create.ts'
import { loadVisible } from '../../repositories/repository/load.ts'
import type { RepositoryPath } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findByName } from '../../identity/users/load.ts'
import type { PartPath } from './part.ts'

/**
 * What a push goes to, made for it where there is nothing yet. A push to a wiki makes no
 * repository.
 */
export async function loadOrCreate(
  ctx: Context,
  caller: SignedInCaller,
  path: PartPath,
): Promise<RepositoryView> {
  return loadVisible(ctx, caller, path).catch(async (error: unknown) => {
    const isAbsent = isNotFound(error)
    if (!isAbsent || path.part === 'wiki') throw error
    await createByPush(ctx, caller, path)
    return loadVisible(ctx, caller, path)
  })
}

/**
 * A push to a repository that is not there makes it, private, where the server's settings say so.
 */
async function createByPush(
  ctx: Context,
  caller: SignedInCaller,
  path: RepositoryPath,
): Promise<void> {
  const owner = await findByName(ctx, path.owner)
  if (!owner || caller.publicOnly || !(await mayCreateFor(ctx, caller, owner))) throw notFound()
  assertEnabled(ctx, owner)
  if (!/^[\w.-]{1,100}$/.test(path.repo))
    throw invalid('The name of the repository is not allowed.')
  try {
    await createRepository(ctx, caller, owner, newRepository(ctx, path.repo))
  } catch (error) {
    // It is there after all, and the caller may not know.
    if (error instanceof AppError && error.code === 'conflict') throw notFound()
    throw error
  }
}

function assertEnabled({ config }: Context, { kind }: Account): void {
  const { push_to_create_user, push_to_create_organization } = config.repositories
  const [enabled, whose] =
    kind === 'organization'
      ? [push_to_create_organization, 'organizations']
      : [push_to_create_user, 'users']
  if (!enabled) throw forbidden(`Push to create is not enabled for ${whose}.`)
}

function newRepository({ config }: Context, name: string) {
  return {
    name,
    description: '',
    isPrivate: true,
    isTemplate: false,
    autoInit: false,
    readme: 'Default',
    gitignores: '',
    license: '',
    issueLabels: '',
    defaultBranch: config.repositories.default_branch,
    objectFormat: '',
    trustModel: 'default',
  }
}
