import type { Context } from '../../platform/context.ts'
import { fetchOutside } from '../../platform/network/fetch.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { lfsKey, type Pointer } from './object.ts'
import type { Link } from './offer.ts'
import { LFS_TYPE } from './present.ts'
import { findFile } from './queries.ts'
import { headersOf, type LfsRemote } from './remote.ts'
import { transferObjects, type Transferred, type TransferOptions } from './transfer.ts'

/**
 * Brings objects of a repository to another server, which says first which of them it does not
 * have.
 */
export async function pushObjects(
  ctx: Context,
  repo: Repository,
  remote: LfsRemote,
  pointers: readonly Pointer[],
  options: TransferOptions,
): Promise<Transferred> {
  const { timeLimitMs } = options
  return transferObjects(ctx, remote, pointers, {
    ...options,
    operation: 'upload',
    one: async (pointer, { upload: link, verify: check }, signal) => {
      // It has it already.
      if (!link) return
      await upload(ctx, repo, pointer, { link, remote, signal, timeLimitMs })
      if (!check) return
      const headers = { accept: LFS_TYPE, 'content-type': LFS_TYPE }
      const verify = { method: 'POST', body: JSON.stringify(pointer), signal } as const
      const all = { ...verify, headers: { ...headersOf(remote, check), ...headers } }
      assertTaken(await fetchOutside(ctx, check.href, all))
    },
  })
}

interface Uploading {
  readonly link: Link
  readonly remote: LfsRemote
  readonly signal: AbortSignal
  readonly timeLimitMs: number
}

async function upload(
  ctx: Context,
  { id }: Repository,
  { oid, size }: Pointer,
  { link, remote, signal, timeLimitMs }: Uploading,
): Promise<void> {
  const file = await findFile(ctx.db, id, oid)
  if (!file) throw new Error('it is here no longer')
  const type = { 'content-type': 'application/octet-stream', 'content-length': String(size) }
  const answer = await fetchOutside(ctx, link.href, {
    method: 'PUT',
    headers: { ...type, ...headersOf(remote, link) },
    body: size === 0 ? '' : await ctx.files.open(lfsKey(file.uuid)),
    signal,
    timeLimitMs,
  })
  assertTaken(answer)
}

function assertTaken({ status }: { readonly status: number }): void {
  if (status < 200 || status > 299) throw new Error(`the remote answered ${status}`)
}
