import type { Context } from '../context.ts'
import { findHeadCommit, findPushedCommits, type PushedCommits } from '../git/pushed-commits.ts'
import { branchOf, isTag, type RefUpdate } from '../git/ref-update.ts'
import { folderOf } from '../repositories/folder.ts'
import type { Repository } from '../repositories/repository.ts'

/** The commits that an update brought to its ref. */
export type Brought = (update: RefUpdate) => PushedCommits

/** Whoever pushes more refs at once gets the rest recorded without their commits: each costs a git process. */
const MAX_DETAILED = 100

const nothing: PushedCommits = { newest: [], count: 0, head: undefined }

/** Found out once for all who tell of it. `environment` says where git finds objects that are on their way. */
export async function findBrought(
  ctx: Context,
  repo: Repository,
  updates: readonly RefUpdate[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Brought> {
  const folder = folderOf(ctx, repo)
  const found = new Map<string, PushedCommits>()
  const { feed_commits: most } = ctx.config.repositories
  for (const update of updates.filter(isTold).slice(0, MAX_DETAILED)) {
    const { ref, after = '' } = update
    if (isTag(ref)) {
      const head = await findHeadCommit(ctx.git, folder, after, environment)
      found.set(ref, { ...nothing, head })
    } else found.set(ref, await findPushedCommits(ctx.git, folder, update, most, environment))
  }
  return ({ ref }) => found.get(ref) ?? nothing
}

/** Branches and tags, unless they are gone. */
function isTold({ ref, after }: RefUpdate): boolean {
  return after !== undefined && (branchOf(ref) !== undefined || isTag(ref))
}

/**
 * For a branch that git is about to move, whose objects are in `quarantine` and then among the others. Undefined when
 * git has not found them. Of several new branches each would seem to bring what they have in common.
 */
export async function foreseeBrought(
  ctx: Context,
  repo: Repository,
  updates: readonly RefUpdate[],
  quarantine: string,
): Promise<Brought | undefined> {
  if (updates.length !== 1 || !updates.every(({ ref }) => branchOf(ref))) return undefined
  const environment = { GIT_ALTERNATE_OBJECT_DIRECTORIES: quarantine }
  return findBrought(ctx, repo, updates, environment).catch(() => undefined)
}
