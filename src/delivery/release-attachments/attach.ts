import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { createAttachment } from '../../repositories/attachments/create.ts'
import { dropAttachments } from '../../repositories/attachments/drop.ts'
import { attachmentsOfReleases, loadAttachment } from '../../repositories/attachments/load.ts'
import type { ReceivedFile } from '../../platform/files/receive.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { holdRelease } from '../releases/hold.ts'
import type { Release } from '../releases/release.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'

export async function loadOfRelease(
  ctx: Context,
  { id: releaseId }: Release,
  id: number,
): Promise<Attachment> {
  const attachment = await loadAttachment(ctx, id).catch((error: unknown) => {
    throw error instanceof AppError ? notFound() : error
  })
  if (attachment.releaseId !== releaseId) throw notFound()
  return attachment
}

export async function listOfRelease(ctx: Context, { id }: Release): Promise<readonly Attachment[]> {
  await ctx.downloadCounts.flush()
  return (await attachmentsOfReleases(ctx.db, [id])).get(id) ?? []
}

export async function attachToRelease(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  release: Release,
  file: ReceivedFile,
): Promise<Attachment> {
  const makeRoom = (tx: Executor) => holdRelease(ctx, tx, release)
  return createAttachment(ctx, caller, { view, releaseId: release.id, makeRoom }, file)
}

export interface Replaced {
  readonly attachment: Attachment
  /** Whether there was a file of that name before. */
  readonly isNew: boolean
}

/**
 * Throws where the oldest file of the name, or that there is none, is not what the client wants
 * replaced.
 */
export type AssertReplaceable = (current: Attachment | undefined) => void

/** The new file takes the place of all others of its name: nobody finds none or two. */
export async function replaceInRelease(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  release: Release,
  file: ReceivedFile,
  assertReplaceable: AssertReplaceable,
): Promise<Replaced> {
  const { id } = release
  let isNew = true
  const makeRoom = async (tx: Executor) => {
    await lock(ctx.db.dialect, tx, 'releases', view.repo.id)
    await holdRelease(ctx, tx, release)
    const all = (await attachmentsOfReleases(tx, [id])).get(id) ?? []
    const others = all.filter(({ name }) => name === file.name)
    assertReplaceable(others[0])
    isNew = !(await dropAttachments(ctx, tx, { ids: others.map((one) => one.id) }))
  }
  const to = { view, releaseId: id, makeRoom }
  const attachment = await createAttachment(ctx, caller, to, file)
  return { attachment, isNew }
}

/**
 * As `sha256sum -c` reads it: a line with `\` before it has `\\` in its name for each. No name ends
 * a line.
 */
export function checksumsOf(files: readonly Attachment[]): string {
  const lines = files.map(({ sha256, name }) => {
    const escaped = name.replaceAll('\\', '\\\\')
    return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`
  })
  return lines.join('')
}
