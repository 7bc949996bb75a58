import type { Context } from '../../platform/context.ts'
import { readSmallBlobs } from '../../platform/git/small-blobs.ts'
import { MAX_POINTER_BYTES, parsePointer, type Pointer } from './object.ts'
import { findObjects } from './queries.ts'
import { inBatches, type TransferOptions } from './transfer.ts'

/** What the history of a repository points at, each once. */
export async function listPointers(
  ctx: Context,
  folder: string,
  { signal, timeLimitMs }: Pick<TransferOptions, 'signal' | 'timeLimitMs'>,
): Promise<readonly Pointer[]> {
  const found = new Map<string, Pointer>()
  const options = { maxBytes: MAX_POINTER_BYTES, timeLimitMs, signal }
  for await (const content of readSmallBlobs(ctx.git, folder, options)) {
    const pointer = parsePointer(content)
    if (pointer) found.set(pointer.oid, pointer)
  }
  signal.throwIfAborted()
  return [...found.values()]
}

/** Those that the repository has, and those that it does not. */
export async function sortByPresence(
  ctx: Context,
  repositoryId: number,
  pointers: readonly Pointer[],
): Promise<{ readonly here: readonly Pointer[]; readonly absent: readonly Pointer[] }> {
  const here: Pointer[] = []
  const absent: Pointer[] = []
  for (const some of inBatches(pointers)) {
    const oids = some.map(({ oid }) => oid)
    const known = await findObjects(ctx.db, repositoryId, oids)
    for (const one of some) (known.get(one.oid) === one.size ? here : absent).push(one)
  }
  return { here, absent }
}
