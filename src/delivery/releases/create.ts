import { recordActivity } from '../../events/activity/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { AppError, invalid, invalidField } from '../../platform/errors.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isNewRefName } from '../../platform/git/ref-name.ts'
import { announceRelease } from './webhook-events.ts'
import { ensureTag, findTagName } from './publish.ts'
import { findReleaseByTag, insertRelease, recountReleases, updateRelease } from './queries.ts'
import type { Release } from './release.ts'
import { keptTitle } from './title.ts'
import { withdrawUntagged } from './withdraw-untagged.ts'

export interface NewRelease {
  readonly tagName: string
  readonly tagMessage: string
  readonly target: string
  readonly title: string
  readonly note: string
  readonly isDraft: boolean
  readonly isPrerelease: boolean
}

export const hasRelease = () => new AppError('conflict', 'Release is has no Tag')

/** The tag is made first: should the record fail, it is a tag like any other. */
export async function createRelease(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  wanted: NewRelease,
): Promise<Release> {
  if (view.repo.isEmpty) throw invalid('repo is empty')
  if (!isNewRefName(wanted.tagName)) throw invalidField('TagName', 'GitRefName')
  const known = await findReleaseByTag(ctx.db, view.repo.id, wanted.tagName)
  if (known && !known.isTag) throw hasRelease()
  const release = await asTagged(ctx, view, wanted, known?.tagName)
  const createdAt = release.isDraft
    ? ctx.now()
    : await ensureTag(ctx, caller, view, {
        name: release.tagName,
        target: release.target,
        message: release.tagMessage,
      })
  const row = { ...toRow(ctx, caller, release), created_at: createdAt }
  const saved = await ctx.db.transaction().execute((tx) => save(ctx, tx, caller, view, row))
  ctx.jobs.wake()
  await withdrawUntagged(ctx, view, saved)
  return saved
}

/** A tag that is there keeps its spelling, and leaves the target as it was sent. */
async function asTagged(
  ctx: Context,
  view: RepositoryView,
  wanted: NewRelease,
  former = wanted.tagName,
): Promise<NewRelease> {
  const tagName = await findTagName(ctx, view, [former, wanted.tagName])
  if (tagName !== undefined) return { ...wanted, tagName }
  return { ...wanted, target: wanted.target || view.repo.defaultBranch }
}

function toRow(ctx: Context, caller: SignedInCaller, release: NewRelease) {
  const now = ctx.now()
  return {
    author_id: caller.account.id,
    tag_name: release.tagName,
    lower_tag_name: release.tagName.toLowerCase(),
    target: release.target,
    title: keptTitle(release.title),
    note: release.note,
    is_draft: release.isDraft ? 1 : 0,
    is_prerelease: release.isPrerelease ? 1 : 0,
    is_tag: 0,
    published_at: release.isDraft ? 0 : now,
    updated_at: now,
  } as const
}

/** A tag that had a release before keeps its number. */
async function save(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  { repo }: RepositoryView,
  row: ReturnType<typeof toRow> & { readonly created_at: number },
): Promise<Release> {
  await lock(ctx.db.dialect, tx, 'releases', repo.id)
  const known = await findReleaseByTag(tx, repo.id, row.tag_name)
  if (known && !known.isTag) throw hasRelease()
  const kept = known && (await updateRelease(tx, known.id, row))
  const release = kept ?? (await insertRelease(tx, { ...row, repository_id: repo.id }))
  if (!release.isDraft) await recordPublished(ctx, tx, caller, release)
  return release
}

export async function recordPublished(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  release: Release,
): Promise<void> {
  const counted = await recountReleases(tx, release.repositoryId)
  await recordActivity(tx, {
    repositoryId: release.repositoryId,
    accountId: caller.account.id,
    kind: 'publish_release',
    refName: `refs/tags/${release.tagName}`,
    content: release.title,
    isPrivate: counted?.isPrivate ?? true,
    at: release.updatedAt,
  })
  await announceRelease(ctx, tx, caller.account, release, 'published')
  if (!ctx.mailer.isSetUp) return
  await ctx.jobs.enqueue(tx, 'tell_of_release', {
    releaseId: release.id,
    repositoryId: release.repositoryId,
    actorId: caller.account.id,
  })
}
