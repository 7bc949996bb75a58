import { uuidOf } from '../attachments/attachment.ts'
import { isOldEnough } from '../attachments/sweep.ts'
import type { Context } from '../context.ts'
import { AVATARS } from './change.ts'
import { findUsed } from './queries.ts'

const AT_ONCE = 500

/** A scheduled task: removes pictures that a crash left to nobody. */
export async function sweepAvatars(ctx: Context): Promise<void> {
  const now = ctx.now()
  let keys: string[] = []
  for await (const file of ctx.files.list(AVATARS)) {
    if (isOldEnough(file, now)) keys.push(file.key)
    if (keys.length < AT_ONCE) continue
    await removeUnused(ctx, keys)
    keys = []
  }
  await removeUnused(ctx, keys)
}

async function removeUnused(ctx: Context, keys: readonly string[]): Promise<void> {
  const used = await findUsed(ctx.db, keys.map(uuidOf))
  for (const key of keys.filter((one) => !used.has(uuidOf(one)))) await ctx.files.remove(key)
}
