import type { Context } from '../../platform/context.ts'
import { listRefs } from '../../platform/git/list-refs.ts'
import { fetchRemote, type FetchOptions, type Remote } from '../../platform/git/remote.ts'
import { GitError } from '../../platform/git/run.ts'
import { updateRefs } from '../../platform/git/update-refs.ts'
import { isNameAllowed } from '../pushes/refuse.ts'

/** Like `fetchRemote`. What no push may make does not come in this way either, first or later. */
export async function fetchAllowed(
  ctx: Context,
  folder: string,
  remote: Remote,
  options: FetchOptions,
): Promise<void> {
  await fetchRemote(ctx.git, folder, remote, options)
  const bad = (await listRefs(ctx.git, folder, 'refs')).filter(({ name }) => !isNameAllowed(name))
  if (bad.length === 0) return
  const removals = bad.map(({ name, id }) => ({ ref: name, before: id, after: undefined }))
  if (await updateRefs(ctx.git, folder, removals)) return
  throw new GitError('fetch', 1, 'fatal: bad refs')
}
