import type { EventDetails } from '../comments/comment.ts'
import { callerOf, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { findPushedCommits } from '../../platform/git/pushed-commits.ts'
import { branchOf, type RefUpdate } from '../../platform/git/ref-update.ts'
import { GitError } from '../../platform/git/run.ts'
import type { Jobs } from '../../platform/jobs/queue.ts'
import type { PushedTo } from '../../code/pushes/describe.ts'
import type { PushListener, RecordedPush } from '../../code/pushes/listener.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import { viewRepository, type RepositoryView } from '../../repositories/repository/view.ts'
import { findById } from '../../identity/users/load.ts'
import { setClosed, toldOf } from './close.ts'
import { ordersIn, type Order } from './closing-words.ts'
import { noteNamingCommits, type NamingCommit } from './commit-references.ts'
import type { Issue } from './issue.ts'
import { changeIssue, issuesById } from './load.ts'
import { findIssue } from './queries.ts'
import { numbersNamedIn } from './references.ts'
import { isAuthor, readsIssue, writesIssue } from './rights.ts'
import { isBlocked } from './state.ts'

/** No more commits of a push are read. */
const MAX_COMMITS = 1000
/** No more issues are looked for at once: each takes a statement. */
const MAX_OBEYED = 500

/**
 * In the transaction that records a push: what its commits say of issues is noted and obeyed by a
 * job. A key that opens code alone says nothing.
 */
async function heedPush(
  ctx: Context,
  tx: Executor,
  { caller: { account, credential }, view, updates, brought, isForeign }: RecordedPush,
): Promise<void> {
  if (isForeign) return
  const { repo } = view
  const update = updates.find(({ ref }) => branchOf(ref) === repo.defaultBranch)
  if (!update?.before || !update.after || credential.kind === 'deploy-key') return
  const { newest, count } = brought(update)
  const here = { owner: view.owner.name, repo: repo.name }
  const isAll = newest.length >= count
  if (isAll && newest.every(({ message }) => numbersNamedIn(message, here).length === 0)) return
  const { ref, before, after } = update
  const pushed = { ref, before, after }
  await ctx.jobs.enqueue(tx, 'obey_words', { repositoryId: repo.id, actorId: account.id, pushed })
}

export const issuesOfPush: PushListener = { inTransaction: heedPush }

/** Like `heedPush`, for a pull request that is merged into the default branch. */
export async function heedMerge(
  ctx: Context,
  tx: Executor,
  actorId: number,
  { id, repositoryId }: Issue,
): Promise<void> {
  await ctx.jobs.enqueue(tx, 'obey_words', { repositoryId, actorId, pullId: id })
}

/**
 * The job. Whoever pushed or merged closes what they could close by hand; anything else is passed
 * over.
 */
export async function obeyWords(ctx: Context, job: Jobs['obey_words']): Promise<void> {
  const repo = (await repositoriesById(ctx.db, [job.repositoryId])).get(job.repositoryId)
  const actor = await findById(ctx, job.actorId)
  if (!repo || !actor || repo.isArchived || repo.isMirror) return
  const caller = callerOf(actor)
  const view = await viewRepository(ctx, caller, repo)
  const commits = job.pushed ? await readCommits(ctx, view, job.pushed) : []
  const obeyed = new Map<number, By>()
  for (const [order, by] of await ordersOf(ctx, view, job, commits)) {
    const issue = await findIssue(ctx.db, repo.id, order.number)
    if (!issue || !mayObey(view, caller, issue)) continue
    if (await obey(ctx, caller, view, issue, order, by)) obeyed.set(order.number, by)
  }
  const isTold = (number: number, id: string) => obeyed.get(number)?.commitId === id
  await noteNamingCommits(ctx, caller, view, commits, isTold)
}

function pathOf({ owner, repo }: PushedTo): string {
  return `${owner.name}/${repo.name}`
}

type By = Pick<EventDetails, 'commitId' | 'pullNumber'>

async function ordersOf(
  ctx: Context,
  view: RepositoryView,
  { pullId }: Jobs['obey_words'],
  commits: readonly NamingCommit[],
): Promise<readonly (readonly [Order, By])[]> {
  const path = pathOf(view)
  if (pullId !== undefined) {
    const pull = (await issuesById(ctx.db, [pullId])).get(pullId)
    if (!pull) return []
    const orders = ordersIn(`${pull.title}\n\n${pull.body}`, path)
    return orders.map((order) => [order, { pullNumber: pull.number }])
  }
  const all = commits.flatMap(({ id, message }) =>
    ordersIn(message, path).map((order) => [order, { commitId: id }] as const),
  )
  // The last word on each.
  return [...new Map(all.map((one) => [one[0].number, one])).values()].slice(0, MAX_OBEYED)
}

/** The oldest first; none where they have been taken back meanwhile. */
async function readCommits(ctx: Context, { repo }: RepositoryView, pushed: RefUpdate) {
  const folder = folderOf(ctx, repo)
  try {
    return (await findPushedCommits(ctx.git, folder, pushed, MAX_COMMITS)).newest.toReversed()
  } catch (error) {
    if (error instanceof GitError) return []
    throw error
  }
}

/** Pull requests are closed by nobody's commits. */
function mayObey(view: RepositoryView, caller: SignedInCaller, issue: Issue): boolean {
  if (issue.isPull || !readsIssue(view, issue)) return false
  return writesIssue(view, issue) || isAuthor(caller, issue)
}

async function obey(
  ctx: Context,
  { account }: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  { isClosed }: Order,
  by: By,
): Promise<boolean> {
  return changeIssue(ctx, issue, async (tx, current) => {
    if (current.isClosed === isClosed) return false
    if (isClosed && (await isBlocked(tx, view, current))) return false
    const told = toldOf(current, isClosed, by)
    await setClosed(ctx, tx, account, view.repo, current, isClosed, told)
    return true
  })
}
