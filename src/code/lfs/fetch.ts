import type { Context } from '../../platform/context.ts'
import type { Bytes } from '../../platform/storage/bytes.ts'
import type { Pointer } from './object.ts'
import { openLink, type LfsRemote } from './remote.ts'
import { transferObjects, type Transferred, type TransferOptions } from './transfer.ts'

export interface FetchOptions extends TransferOptions {
  /** Takes the bytes of one object, or throws when they are not what its name says. */
  readonly keep: (pointer: Pointer, content: Bytes) => Promise<void>
}

/** Fetches objects from another server. */
export async function fetchObjects(
  ctx: Context,
  remote: LfsRemote,
  pointers: readonly Pointer[],
  { keep, ...options }: FetchOptions,
): Promise<Transferred> {
  const { timeLimitMs } = options
  return transferObjects(ctx, remote, pointers, {
    ...options,
    operation: 'download',
    one: async (pointer, { download }, signal) => {
      if (!download) throw new Error('the remote gave no link')
      const response = await openLink(ctx, remote, download, { signal, timeLimitMs })
      await keep(pointer, response as Bytes).finally(() => response.destroy())
    },
  })
}
