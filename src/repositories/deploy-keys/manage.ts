import { logRightsChange } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { Repository } from '../repository/repository.ts'
import { deleteDeployKey, listDeployKeys, type DeployKey, type DeployKeyFilter } from './queries.ts'

export async function deployKeysOf(
  ctx: Context,
  repo: Repository,
  filter: DeployKeyFilter,
  page: Page,
): Promise<PageOf<DeployKey>> {
  return listDeployKeys(ctx.db, repo.id, filter, page)
}

/** The contract tells a key that was never there like one that is gone. */
export async function removeDeployKey(ctx: Context, repo: Repository, id: number): Promise<void> {
  await deleteDeployKey(ctx.db, repo.id, id)
  const details = { repository: repo.id, repositoryName: repo.name, deployKey: id }
  logRightsChange(ctx.log, 'deploy key removed', details)
}
