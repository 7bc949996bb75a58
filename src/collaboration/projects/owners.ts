import type { Config } from '../../platform/config/config.ts'
import type { Caller, Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, invalid, isNotFound, notFound } from '../../platform/errors.ts'
import { isReadable } from '../issues/conditions.ts'
import type { Issue } from '../issues/issue.ts'
import { issuesById } from '../issues/load.ts'
import { readsIssue } from '../issues/rights.ts'
import { letsWriteUnit, showsUnitTo } from '../../identity/organizations/unit-conditions.ts'
import { assertNotArchived, loadVisibleById } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { idsAmong } from '../../identity/users/load.ts'
import type { Boards } from './boards.ts'

const UNIT = 'repo.projects'

/** The boards of an account, for those who see them; to others there are none. */
export async function boardsOf(ctx: Context, caller: Caller, owner: Account): Promise<Boards> {
  if (!(await readsBoardsOf(ctx, caller, owner.id))) throw notFound()
  return {
    place: { kind: 'account', id: owner.id },
    isShown: isReadable(ctx.config, caller, { issues: true, pulls: true }),
    loadIssue: async (id) => (await loadOfOwner(ctx, caller, owner, id)).issue,
    loadNewIssue: (id) => loadToPut(ctx, caller, owner, id),
  }
}

/** Like `boardsOf`, for those who may change them. */
export async function boardsToArrange(
  ctx: Context,
  caller: Caller,
  owner: Account,
): Promise<Boards> {
  const boards = await boardsOf(ctx, caller, owner)
  if (!(await mayArrangeBoardsOf(ctx, caller, owner))) {
    throw forbidden('You may not change the projects of this account.')
  }
  return boards
}

export async function readsBoardsOf(
  { db, config }: { readonly db: Executor; readonly config: Config },
  caller: Caller,
  ownerId: number,
): Promise<boolean> {
  return (await ownersShown(db, { config, caller }, [ownerId])).has(ownerId)
}

export async function mayArrangeBoardsOf(
  ctx: Context,
  caller: Caller,
  { id }: Account,
): Promise<boolean> {
  return (await idsAmong(ctx.db, [id], letsWriteUnit(ctx.config, caller, UNIT))).has(id)
}

/** Those of the accounts whose boards the caller sees. */
export async function ownersShown(
  db: Executor,
  { config, caller }: { readonly config: Config; readonly caller: Caller },
  ownerIds: readonly number[],
): Promise<ReadonlySet<number>> {
  return idsAmong(db, ownerIds, showsUnitTo(config, caller, UNIT))
}

/** An issue of one of the account's repositories. */
async function loadOfOwner(
  ctx: Context,
  caller: Caller,
  owner: Account,
  id: number,
): Promise<{ readonly issue: Issue; readonly view: RepositoryView }> {
  const issue = (await issuesById(ctx.db, [id])).get(id)
  const view = issue && (await loadVisibleById(ctx, caller, issue.repositoryId).catch(orNone))
  if (!view || view.repo.ownerId !== owner.id || !readsIssue(view, issue)) throw notFound()
  assertNotArchived(view)
  return { issue, view }
}

async function loadToPut(ctx: Context, caller: Caller, owner: Account, id: number): Promise<Issue> {
  const { issue, view } = await loadOfOwner(ctx, caller, owner, id)
  if (!takesOwnersBoards(view)) {
    throw invalid('the repository of this issue has no projects but its own')
  }
  return issue
}

/** Whether what is in a repository may be on the boards of its owner. */
export function takesOwnersBoards({ units }: RepositoryView): boolean {
  return units.has('repo.projects') && units.settings('repo.projects')?.mode !== 'repo'
}

function orNone(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}
