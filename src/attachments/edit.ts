import type { Context, SignedInCaller } from '../context.ts'
import { notFound } from '../errors.ts'
import { announceAttachment } from '../webhooks/attachment-events.ts'
import { isAllowedType } from './allowed-types.ts'
import type { Attachment } from './attachment.ts'
import { dropAttachments } from './drop.ts'
import { cleanName } from './name.ts'
import { updateAttachment } from './queries.ts'
import { forbiddenType } from './upload-error.ts'

/** Nothing, or nothing that is left after cleaning, leaves the name as it is. */
export async function renameAttachment(
  ctx: Context,
  attachment: Attachment,
  name: string | undefined,
): Promise<Attachment> {
  const cleaned = cleanName(name ?? '')
  if (cleaned === '') return attachment
  const renamed = await updateAttachment(ctx.db, attachment.id, {
    name: cleaned,
    updated_at: ctx.now(),
  })
  if (!renamed) throw notFound()
  return renamed
}

/** A name alone: of types that are told from content none fits. */
export function assertNameAllowed(allowedTypes: string, name: string): void {
  if (!isAllowedType(allowedTypes, name, new Uint8Array())) throw forbiddenType()
}

export async function removeAttachment(
  ctx: Context,
  { account }: SignedInCaller,
  attachment: Attachment,
): Promise<void> {
  const { id } = attachment
  const removed = await ctx.db.transaction().execute(async (tx) => {
    const isGone = await dropAttachments(ctx, tx, { ids: [id] })
    if (isGone) await announceAttachment(ctx, tx, account, attachment, 'removed')
    return isGone
  })
  if (!removed) throw notFound(`attachment does not exist [id: ${id}, uuid: ]`)
  ctx.jobs.wake()
}
