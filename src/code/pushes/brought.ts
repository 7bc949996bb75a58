import type { Context } from '../../platform/context.ts'
import { partsOf } from '../../platform/db/parts.ts'
import {
  findHeadCommits,
  findPushedCommits,
  type PushedCommits,
} from '../../platform/git/pushed-commits.ts'
import { branchOf, isTag, type RefUpdate } from '../../platform/git/ref-update.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

/** The commits that an update brought to its ref. */
export type Brought = (update: RefUpdate) => PushedCommits

/**
 * Whoever pushes more refs at once gets the rest recorded without their commits: each branch costs
 * a git process.
 */
const MAX_DETAILED = 100
const BRANCHES_AT_ONCE = 4

const nothing: PushedCommits = { newest: [], count: 0, head: undefined }

/** Found out once for all who tell of it. */
export async function findBrought(
  ctx: Context,
  repo: Repository,
  updates: readonly RefUpdate[],
  haveMoved?: Promise<boolean>,
): Promise<Brought> {
  const told = updates.filter(isTold).slice(0, MAX_DETAILED)
  const news = await findNews(ctx, repo, told, haveMoved)
  const isUnknown = ({ ref }: RefUpdate) => !news.get(ref)?.newest.length
  const headIds = new Set(told.filter(isUnknown).flatMap(({ after }) => after ?? []))
  const heads = await findHeadCommits(ctx.git, folderOf(ctx, repo), [...headIds])
  const brought = told.map(({ ref, after = '' }) => {
    const { newest, count } = news.get(ref) ?? nothing
    return [ref, { newest, count, head: newest[0] ?? heads.get(after) }] as const
  })
  const byRef = new Map<string, PushedCommits>(brought)
  return ({ ref }) => byRef.get(ref) ?? nothing
}

/** What is new on branches, by their full names. */
async function findNews(
  ctx: Context,
  repo: Repository,
  updates: readonly RefUpdate[],
  haveMoved: Promise<boolean> | undefined,
): Promise<ReadonlyMap<string, Omit<PushedCommits, 'head'>>> {
  const { feed_commits: most } = ctx.config.repositories
  const folder = folderOf(ctx, repo)
  const find = async (update: RefUpdate) => {
    const news = await findPushedCommits(ctx.git, folder, update, most, haveMoved)
    return [update.ref, news] as const
  }
  const found: (readonly [string, Omit<PushedCommits, 'head'>])[] = []
  const branches = updates.filter(({ ref }) => branchOf(ref) !== undefined)
  for (const some of partsOf(branches, BRANCHES_AT_ONCE)) {
    found.push(...(await Promise.all(some.map(find))))
  }
  return new Map(found)
}

/** Branches and tags, unless they are gone. */
function isTold({ ref, after }: RefUpdate): boolean {
  return after !== undefined && (branchOf(ref) !== undefined || isTag(ref))
}

/**
 * For a branch that git is about to move: git is there to tell when it has. Undefined when git
 * could not. Of several new branches each would seem to bring what they have in common.
 */
export async function foreseeBrought(
  ctx: Context,
  repo: Repository,
  updates: readonly RefUpdate[],
  hasMoved: Promise<boolean>,
): Promise<Brought | undefined> {
  if (updates.length !== 1 || !updates.every(({ ref }) => branchOf(ref))) return undefined
  const brought = findBrought(ctx, repo, updates, hasMoved)
  return brought.catch(() => undefined)
}
