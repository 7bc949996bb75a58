import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Guard } from '../../platform/db/guard.ts'
import { notFound } from '../../platform/errors.ts'
import { announceAttachment } from './webhook-events.ts'
import { forbiddenType, isAllowedType } from '../../platform/files/allowed-types.ts'
import type { Attachment } from './attachment.ts'
import { dropAttachments } from './drop.ts'
import { absent } from './load.ts'
import { cleanName } from '../../platform/files/name.ts'
import { holdAttachment, updateAttachment } from './queries.ts'

/** Nothing, or nothing that is left after cleaning, leaves the name as it is. */
export async function renameAttachment(
  ctx: Context,
  attachment: Attachment,
  name: string | undefined,
  guard?: Guard<Attachment>,
): Promise<Attachment> {
  const cleaned = cleanName(name ?? '')
  if (cleaned === '') return attachment
  const changes = { name: cleaned, updated_at: ctx.now() }
  const renamed = await ctx.db.transaction().execute(async (tx) => {
    await ask(ctx, tx, attachment, guard)
    return updateAttachment(tx, attachment.id, changes)
  })
  if (!renamed) throw notFound()
  return renamed
}

async function ask(
  ctx: Context,
  tx: Executor,
  { id }: Attachment,
  guard: Guard<Attachment> | undefined,
): Promise<void> {
  if (!guard) return
  const current = await holdAttachment(ctx.db.dialect, tx, id)
  if (!current) throw absent(id)
  await guard(tx, current)
}

/** A name alone: of types that are told from content none fits. */
export function assertNameAllowed(allowedTypes: string, name: string): void {
  if (!isAllowedType(allowedTypes, name, new Uint8Array())) throw forbiddenType()
}

export async function removeAttachment(
  ctx: Context,
  { account }: SignedInCaller,
  attachment: Attachment,
  guard?: Guard<Attachment>,
): Promise<void> {
  const { id } = attachment
  const removed = await ctx.db.transaction().execute(async (tx) => {
    await ask(ctx, tx, attachment, guard)
    const isGone = await dropAttachments(ctx, tx, { ids: [id] })
    if (isGone) await announceAttachment(ctx, tx, account, attachment, 'removed')
    return isGone
  })
  if (!removed) throw absent(id)
  ctx.jobs.wake()
}
