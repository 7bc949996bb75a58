import { setImmediate as nextTurn } from 'node:timers/promises'
import { BINARY } from '../../platform/files/media-type.ts'
import type { Context } from '../../platform/context.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { SentAs } from '../../platform/storage/file-storage.ts'
import type { Planned } from './batch.ts'
import { lfsKey } from './object.ts'
import { findFiles } from './queries.ts'

/** Whatever is in it, an object is nothing to look at. */
export const sentAs: SentAs = { contentType: BINARY, contentDisposition: 'attachment' }

/**
 * Where clients have what they download from the bucket itself, by its name; none where they have
 * it from us.
 */
export async function linksTo(
  ctx: Context,
  { id }: Repository,
  planned: readonly Planned[],
): Promise<ReadonlyMap<string, string>> {
  const links = new Map<string, string>()
  if (!ctx.config.storage.redirect) return links
  const wanted = planned.filter((one) => 'next' in one && one.next === 'download')
  const oids = wanted.map(({ pointer }) => pointer.oid)
  for (const { oid, uuid } of await findFiles(ctx.db, id, oids)) {
    const link = await ctx.files.linkTo(lfsKey(uuid), sentAs)
    if (link !== undefined) links.set(oid, link)
    // A signature is work, and a batch has many: others come in between.
    await nextTurn()
  }
  return links
}
