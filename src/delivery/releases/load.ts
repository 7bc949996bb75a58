import { holds, limitsOf } from '../../identity/auth/scopes.ts'
import type { Caller, Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import { writesUnit } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import {
  findLatest,
  findRelease,
  findReleaseByTag,
  listReleases,
  type ReleaseFilter,
} from './queries.ts'
import type { Release } from './release.ts'

/**
 * Who writes releases sees their drafts too; nobody does where there are none, administrators
 * included.
 */
function canSeeDraftOfTag(view: RepositoryView): boolean {
  return writesUnit(view, 'repo.releases')
}

/** Like `canSeeDraftOfTag`, with a token that could change them. */
function canSeeDrafts({ credential }: Caller, view: RepositoryView): boolean {
  const limits = limitsOf(credential)
  if (limits && !holds(limits, 'repository', 'write')) return false
  return canSeeDraftOfTag(view)
}

/** Newest first, with drafts for those who see them. */
export async function listVisibleReleases(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  filter: Omit<ReleaseFilter, 'showDrafts'>,
  page: Page,
): Promise<PageOf<Release>> {
  const showDrafts = canSeeDrafts(caller, view)
  return listReleases(ctx.db, view.repo.id, { ...filter, showDrafts }, page)
}

export async function loadRelease(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  id: number,
): Promise<Release> {
  const release = await loadWithFiles(ctx, caller, view, id)
  if (release.isTag) throw notFound()
  return release
}

/** Of what is only a tag by now files are shown that were uploaded when it took some. */
export async function loadWithFiles(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  id: number,
): Promise<Release> {
  const release = await findRelease(ctx.db, view.repo.id, id)
  if (!release || (release.isDraft && !canSeeDrafts(caller, view))) throw notFound()
  return release
}

/** The contract does not look at what the token may do here. */
export async function loadReleaseByTag(
  ctx: Context,
  view: RepositoryView,
  tagName: string,
): Promise<Release> {
  const release = await findReleaseByTag(ctx.db, view.repo.id, tagName)
  if (!release || release.isTag) throw notFound()
  if (release.isDraft && !canSeeDraftOfTag(view)) throw notFound()
  return release
}

/** For those who may change it, whether they see drafts or not. */
export async function loadToChange(
  ctx: Context,
  { repo }: RepositoryView,
  by: { readonly id: number } | { readonly tagName: string },
): Promise<Release> {
  const release =
    'id' in by
      ? await findRelease(ctx.db, repo.id, by.id)
      : await findReleaseByTag(ctx.db, repo.id, by.tagName)
  if (!release || release.isTag) throw notFound()
  return release
}

export async function loadLatest(ctx: Context, view: RepositoryView): Promise<Release> {
  const release = await findLatestOf(ctx, view)
  if (!release) throw notFound()
  return release
}

export async function findLatestOf(
  ctx: Context,
  { repo }: RepositoryView,
): Promise<Release | undefined> {
  return findLatest(ctx.db, repo.id)
}

/** For downloads by name: `latest` unless a tag is called that. */
export async function findForDownload(
  ctx: Context,
  view: RepositoryView,
  tagName: string,
): Promise<Release | undefined> {
  const found = await findReleaseByTag(ctx.db, view.repo.id, tagName)
  if (found?.tagName === tagName) return found
  return tagName === 'latest' ? findLatest(ctx.db, view.repo.id) : undefined
}

export async function findReleaseById(
  ctx: Context,
  repositoryId: number,
  id: number,
): Promise<Release | undefined> {
  return findRelease(ctx.db, repositoryId, id)
}
