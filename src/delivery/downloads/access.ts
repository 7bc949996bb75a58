import { reaches } from '../../platform/access-level.ts'
import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { holds, limitsOf, type ScopeCategory } from '../../identity/auth/scopes.ts'
import type { Caller, Context } from '../../platform/context.ts'
import { forbidden, Moved, notFound } from '../../platform/errors.ts'
import { findReleaseById } from '../releases/load.ts'
import { unitLevel } from '../../repositories/repository/access.ts'
import { loadVisible, loadVisibleById } from '../../repositories/repository/load.ts'
import type { RepositoryPath } from '../../repositories/repository/repository.ts'
import type { UnitKey } from '../../platform/units.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isPullRequest } from './queries.ts'

/**
 * The repository in an address, as the account sees it, whatever its credential:
 * `assertMayDownload` refuses that, or not, when the file is known. Only where the address has
 * moved to is for those alone whose credential reaches there.
 */
export async function loadAddressed(
  ctx: Context,
  caller: Caller,
  path: RepositoryPath,
  categories: readonly ScopeCategory[],
): Promise<RepositoryView> {
  try {
    return await loadVisible(ctx, { ...caller, publicOnly: false }, path)
  } catch (error) {
    if (!(error instanceof Moved)) throw error
    const limits = limitsOf(caller.credential)
    const mayKnow = categories.some((category) => !limits || holds(limits, category, 'read'))
    if (!mayKnow) throw notFound()
    return loadVisible(ctx, caller, path)
  }
}

/**
 * Whether the caller may have the file: first what the account may read, whatever its credential;
 * then how far the credential reaches.
 */
export async function assertMayDownload(
  ctx: Context,
  caller: Caller,
  attachment: Attachment,
): Promise<RepositoryView> {
  const account = { ...caller, publicOnly: false }
  const view = await loadVisibleById(ctx, account, attachment.repositoryId)
  if (!(await canRead(ctx, account, view, attachment))) throw notFound()
  assertReaches(caller, view, attachment.releaseId === undefined ? 'issue' : 'repository')
  return view
}

async function canRead(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  { issueId, releaseId, uploaderId }: Attachment,
): Promise<boolean> {
  if (releaseId !== undefined) return canReadRelease(ctx, view, releaseId)
  if (issueId === undefined) return uploaderId !== undefined && uploaderId === caller.account?.id
  const isPull = await isPullRequest(ctx.db, issueId)
  return hasLevel(view, isPull ? 'repo.pulls' : 'repo.issues', 'read')
}

async function canReadRelease(ctx: Context, view: RepositoryView, id: number): Promise<boolean> {
  const release = await findReleaseById(ctx, view.repo.id, id)
  return hasLevel(view, 'repo.releases', release?.isDraft ? 'write' : 'read')
}

function hasLevel(
  { access, units }: RepositoryView,
  unit: UnitKey,
  wanted: 'read' | 'write',
): boolean {
  return reaches(unitLevel(access, units, unit), wanted)
}

function assertReaches(
  { credential, publicOnly }: Caller,
  { repo, owner }: RepositoryView,
  category: ScopeCategory,
): void {
  const limits = limitsOf(credential)
  if (!limits) return
  const isPublic = !repo.isPrivate && owner.visibility === 'public'
  if (!holds(limits, category, 'read') || (publicOnly && !isPublic)) {
    throw forbidden('Forbidden')
  }
}
