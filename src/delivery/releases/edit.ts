import { dropAttachments } from '../../repositories/attachments/drop.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import type { Guard } from '../../platform/db/guard.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { invalidField, notFound } from '../../platform/errors.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isNewRefName } from '../../platform/git/ref-name.ts'
import { announceRelease } from './webhook-events.ts'
import { hasRelease, recordPublished } from './create.ts'
import { ensureTag } from './publish.ts'
import {
  deleteRelease,
  findRelease,
  findReleaseByTag,
  recountReleases,
  updateRelease,
} from './queries.ts'
import type { Release } from './release.ts'
import { updateTold } from './told.ts'
import { keptTitle } from './title.ts'
import { withdrawUntagged } from './withdraw-untagged.ts'

/** What is absent stays as it is, and so does a tag or target that is empty. */
export interface ReleaseEdit {
  readonly tagName?: string | undefined
  readonly target?: string | undefined
  readonly title?: string | undefined
  readonly note?: string | undefined
  readonly isDraft?: boolean | undefined
  readonly isPrerelease?: boolean | undefined
}

/**
 * All of it is planned on what the release is: one that somebody else has changed meanwhile is
 * planned once more.
 */
export async function editRelease(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  release: Release,
  edit: ReleaseEdit,
  guard?: Guard<Release>,
): Promise<Release> {
  const changes = await changesOf(ctx, caller, view, release, edit)
  try {
    const { current, saved } = await ctx.db
      .transaction()
      .execute((tx) => save(ctx, tx, caller, release, changes, guard))
    if (!saved) return await editRelease(ctx, caller, view, current, edit, guard)
    ctx.jobs.wake()
    await withdrawUntagged(ctx, view, saved)
    return saved
  } catch (error) {
    throw isDuplicate(error) ? hasRelease() : error
  }
}

async function changesOf(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  release: Release,
  edit: ReleaseEdit,
): Promise<Changes<'release'>> {
  const tagName = edit.tagName || release.tagName
  const target = edit.target || release.target
  const isDraft = edit.isDraft ?? release.isDraft
  const now = ctx.now()
  await assertTagFree(ctx, release, tagName)
  return {
    tag_name: tagName,
    lower_tag_name: tagName.toLowerCase(),
    target,
    title: edit.title === undefined ? undefined : keptTitle(edit.title),
    note: edit.note,
    is_draft: isDraft ? 1 : 0,
    is_prerelease: edit.isPrerelease === undefined ? undefined : edit.isPrerelease ? 1 : 0,
    created_at: isDraft
      ? now
      : await ensureTag(ctx, caller, view, { name: tagName, target, message: '' }),
    published_at: isDraft ? 0 : (release.publishedAt ?? now),
    updated_at: now,
  }
}

async function assertTagFree(ctx: Context, release: Release, tagName: string): Promise<void> {
  if (tagName.toLowerCase() === release.tagName.toLowerCase()) return
  if (!isNewRefName(tagName)) throw invalidField('TagName', 'GitRefName')
  const known = await findReleaseByTag(ctx.db, release.repositoryId, tagName)
  if (known && !known.isTag) throw hasRelease()
}

async function save(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  seen: Release,
  changes: Changes<'release'>,
  guard: Guard<Release> | undefined,
): Promise<{ readonly current: Release; readonly saved?: Release }> {
  const { id, repositoryId } = seen
  await lock(ctx.db.dialect, tx, 'releases', repositoryId)
  const current = await findRelease(tx, repositoryId, id)
  if (!current || current.isTag) throw notFound()
  await guard?.(tx, current)
  if (hasChanged(seen, current)) return { current }
  await takeTag(ctx, tx, current, changes.tag_name ?? current.tagName)
  const saved = await updateRelease(tx, id, changes)
  if (!saved) throw notFound()
  await updateTold(tx, current, saved)
  if (current.isDraft && !saved.isDraft) await recordPublished(ctx, tx, caller, saved)
  else {
    await recountReleases(tx, repositoryId)
    await announceRelease(ctx, tx, caller.account, saved, 'updated')
  }
  return { current, saved }
}

/** In what an edit that says nothing of it writes nevertheless. */
function hasChanged(seen: Release, current: Release): boolean {
  const parts = ['tagName', 'target', 'isDraft', 'publishedAt'] as const
  return parts.some((part) => seen[part] !== current[part])
}

/**
 * Of a release that was deleted a record stays with its tag; whoever takes the tag takes its place.
 */
async function takeTag(
  ctx: Context,
  tx: Executor,
  { repositoryId }: Release,
  tagName: string,
): Promise<void> {
  const known = await findReleaseByTag(tx, repositoryId, tagName)
  if (!known?.isTag) return
  await dropAttachments(ctx, tx, { releaseIds: [known.id] })
  await deleteRelease(tx, known.id)
}
