import type { Context } from '../../platform/context.ts'
import type { ObjectFormat } from '../../platform/db/columns.ts'
import { createRepositoryFolder } from '../../platform/git/create.ts'
import { setHead } from '../../platform/git/refs.ts'
import { readRemoteHead, type Remote, type RemoteOptions } from '../../platform/git/remote.ts'
import { GitError } from '../../platform/git/run.ts'
import { measureObjects } from '../../platform/git/size.ts'
import { listBranchNames } from '../../platform/git/written-refs.ts'
import { firstDefaultBranch } from '../pushes/default-branch.ts'
import { isNameAllowed } from '../pushes/refuse.ts'
import { fetchAllowed } from './fetch-allowed.ts'

export interface Cloned {
  readonly defaultBranch: string
  readonly branchCount: number
  readonly objectFormat: ObjectFormat
  readonly size: number
}

/** Makes a repository in `path` of what the remote has. */
export async function cloneInto(
  ctx: Context,
  path: string,
  remote: Remote,
  limits: RemoteOptions,
): Promise<Cloned> {
  const head = await readRemoteHead(ctx.git, path, remote, limits)
  const fallback = ctx.config.repositories.default_branch
  const branch = isBranchAllowed(head.branch) ? head.branch : fallback
  await createRepositoryFolder(path, { branch, objectFormat: head.objectFormat })
  await fetchAllowed(ctx, path, remote, { ...limits, prune: false })
  const branches = await listBranchNames(path)
  const defaultBranch = firstDefaultBranch(branch, branches) ?? branch
  if (defaultBranch !== branch) await setHead(ctx.git, path, defaultBranch)
  const size = await measureObjects(path)
  if (limits.maxBytes > 0 && size > limits.maxBytes) throw tooLarge()
  const { objectFormat } = head
  return { defaultBranch, branchCount: branches.length, objectFormat, size }
}

function isBranchAllowed(branch: string | undefined): branch is string {
  return branch !== undefined && isNameAllowed(`refs/heads/${branch}`)
}

/** It came faster than anybody looked. */
function tooLarge(): GitError {
  return new GitError('fetch', 1, 'fatal: the repository is too large')
}
