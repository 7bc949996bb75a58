import type { Caller, Context } from '../../platform/context.ts'
import { isVisible, repositoriesById } from '../../repositories/repository/load.ts'
import { viewRepositories, type RepositoryView } from '../../repositories/repository/view.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import type { PackageVersion } from './package.ts'

/** A version with all that its record shows. */
export interface PackageView {
  readonly version: PackageVersion
  readonly owner: Account
  readonly creator: Account
  /** Where it comes from, if the caller may see that. */
  readonly repository: RepositoryView | undefined
}

/** Views of a page of versions: a fixed number of statements, whatever its size. */
export async function viewPackages(
  ctx: Context,
  caller: Caller,
  versions: readonly PackageVersion[],
): Promise<readonly PackageView[]> {
  const people = await findAllById(
    ctx.db,
    versions.flatMap(({ ownerId, creatorId }) => [ownerId, ...(creatorId ? [creatorId] : [])]),
  )
  const found = await repositoriesById(
    ctx.db,
    versions.flatMap(({ repositoryId }) => repositoryId ?? []),
  )
  const views = await viewRepositories(ctx, caller, [...found.values()])
  const visible = views.filter((view) => isVisible(ctx, caller, view))
  const repositories = new Map(visible.map((view) => [view.repo.id, view]))
  return versions.flatMap((version) => {
    const owner = people.get(version.ownerId)
    if (!owner) return []
    const creator = people.get(version.creatorId ?? 0) ?? ghost
    return { version, owner, creator, repository: repositories.get(version.repositoryId ?? 0) }
  })
}
