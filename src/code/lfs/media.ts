import type { Context } from '../../platform/context.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { ByteRange } from '../../platform/storage/file-storage.ts'
import { isOid, lfsKey, type Pointer } from './object.ts'
import { findFile, type LfsFile } from './queries.ts'

export interface OpenedObject {
  /** Where it lies in the storage. */
  readonly key: string
  readonly id: string
  readonly size: number
  readonly head: Buffer
  readonly open: () => AsyncIterable<Buffer>
  readonly openPart: (part: ByteRange) => AsyncIterable<Buffer>
}

/** The stored file of an object, where the repository has it. */
export async function findObject(
  ctx: Context,
  { id }: Repository,
  oid: string,
): Promise<LfsFile | undefined> {
  return isOid(oid) ? findFile(ctx.db, id, oid) : undefined
}

/** What a pointer of this repository points to; nothing when the repository does not have it. */
export async function openObject(
  ctx: Context,
  { id }: Repository,
  { oid, size }: Pointer,
  headBytes: number,
): Promise<OpenedObject | undefined> {
  const file = ctx.config.lfs.enabled ? await findFile(ctx.db, id, oid) : undefined
  if (file?.size !== size) return undefined
  const key = lfsKey(file.uuid)
  const read = async function* (part?: ByteRange): AsyncGenerator<Buffer> {
    if (size > 0) yield* (await ctx.files.open(key, part)) as AsyncIterable<Buffer>
  }
  const head = await Array.fromAsync(read({ from: 0, to: Math.min(headBytes, size) - 1 }))
  return {
    key,
    id: oid,
    size,
    head: Buffer.concat(head),
    open: () => read(),
    openPart: (part) => read(part),
  }
}
