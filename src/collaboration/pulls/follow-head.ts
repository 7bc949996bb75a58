import { recordEvent } from '../comments/record.ts'
import { anonymous, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { countCommits } from '../../platform/git/history.ts'
import { isAncestor } from '../../platform/git/merge-base.ts'
import { readTip } from '../../platform/git/tip.ts'
import { updateRefs } from '../../platform/git/update-refs.ts'
import { changeIssue, issuesById, touchIssue } from '../issues/load.ts'
import type { Issue } from '../issues/issue.ts'
import { loadProtection } from '../../code/protection/enforce.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { viewRepository } from '../../repositories/repository/view.ts'
import { askCodeOwners } from '../reviews/ask-owners.ts'
import { changePlaces, planPlaces } from '../reviews/places.ts'
import { staleReviews } from '../reviews/stale.ts'
import { announcePull } from './webhook-events.ts'
import { checkCommits } from './check.ts'
import { headRef, type Pull } from './pull.ts'
import { findPull, updatePull } from './queries.ts'
import { bringHead } from './sides.ts'

/** A head that moves on and on is followed so often; the next push follows it again. */
const MAX_TURNS = 5

/**
 * Makes an open pull request what its head branch is now. Whoever comes last sees the last commit.
 */
export async function followHead(
  ctx: Context,
  caller: SignedInCaller,
  issueId: number,
): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const issue = (await issuesById(ctx.db, [issueId])).get(issueId)
    const pull = await findPull(ctx.db, issueId)
    if (!issue || issue.isClosed || !pull) return
    const repos = await repositoriesById(ctx.db, [pull.repositoryId, pull.headRepositoryId ?? 0])
    const base = repos.get(pull.repositoryId)
    const head = repos.get(pull.headRepositoryId ?? 0)
    const tip = base && head && (await readTip(folderOf(ctx, head), pull.headBranch))
    if (!base || !head || tip === undefined || tip === pull.headCommitId) return
    await moveHead(ctx, caller, { issue, pull, base, head }, tip)
  }
}

/** What happened to both branches while it was closed, or before it hung on them. */
export async function followBranches(
  ctx: Context,
  caller: SignedInCaller,
  issueId: number,
): Promise<void> {
  await followBase(ctx, issueId)
  await followHead(ctx, caller, issueId)
}

async function followBase(ctx: Context, issueId: number): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const pull = await findPull(ctx.db, issueId)
    const repos = await repositoriesById(ctx.db, pull ? [pull.repositoryId] : [])
    const base = repos.get(pull?.repositoryId ?? 0)
    const tip = base && pull && (await readTip(folderOf(ctx, base), pull.baseBranch))
    if (tip === undefined || pull?.isMerged || tip === pull?.baseCommitId) return
    await updatePull(ctx.db, issueId, { base_commit_id: tip })
  }
}

interface Followed {
  readonly issue: Issue
  readonly pull: Pull
  readonly base: Repository
  readonly head: Repository
}

async function moveHead(
  ctx: Context,
  caller: SignedInCaller,
  { issue, pull, base, head }: Followed,
  tip: string,
): Promise<void> {
  const side = { repo: base, branch: pull.baseBranch, commitId: pull.baseCommitId }
  await bringHead(ctx, side, { repo: head, commitId: tip })
  const folder = folderOf(ctx, base)
  const push = await describePush(ctx, folder, pull.headCommitId, tip)
  const view = await viewRepository(ctx, anonymous, base)
  const checked = await checkCommits(ctx, view, { base: pull.baseCommitId, head: tip })
  const places = push.isForce ? await planPlaces(ctx, base, pull, endsOf(pull, checked, tip)) : []
  const rule = (await loadProtection(ctx, caller, base)).ruleOf(pull.baseBranch)
  const dismissing = rule?.settings.dismissesStaleApprovals ?? false
  await renameHead(ctx, folder, issue.number, { from: pull.headCommitId, to: tip })
  const moved = await changeIssue(ctx, issue, async (tx, current) => {
    const now = await findPull(tx, issue.id)
    // Somebody else may follow the same push.
    if (current.isClosed || now?.headCommitId !== pull.headCommitId) return undefined
    const changes = { ...checked, head_commit_id: tip, is_head_gone: 0 as const }
    const changed = await updatePull(tx, issue.id, changes)
    await recordPush(ctx, tx, caller, current, push)
    await staleReviews(tx, issue.id, { dismissing, now: ctx.now() })
    await changePlaces(tx, places)
    return changed
  })
  if (moved) await askCodeOwners(ctx, caller, view, { issue, pull: moved })
}

function endsOf(pull: Pull, { merge_base: mergeBase }: Changes<'pull_request'>, tip: string): Pull {
  return { ...pull, mergeBase: mergeBase ?? pull.mergeBase, headCommitId: tip }
}

/** A reference that was never made is made now. */
async function renameHead(
  ctx: Context,
  folder: string,
  number: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const ref = headRef(number)
  if (await updateRefs(ctx.git, folder, [{ ref, before: from, after: to }])) return
  await updateRefs(ctx.git, folder, [{ ref, before: undefined, after: to }])
}

interface HeadPush {
  readonly isForce: boolean
  readonly commits: number
  readonly from: string
  readonly to: string
}

async function describePush(
  ctx: Context,
  folder: string,
  from: string,
  to: string,
): Promise<HeadPush> {
  const isForce = !(await isAncestor(ctx.git, folder, { base: from, head: to }))
  const commits = isForce ? 0 : await countCommits(ctx.git, folder, { from: to, without: [from] })
  return { isForce, commits, from, to }
}

async function recordPush(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  issue: Issue,
  { isForce, commits, from, to }: HeadPush,
): Promise<void> {
  const deed = { issueId: issue.id, actorId: account.id, at: ctx.now() }
  const body = JSON.stringify({ is_force_push: isForce, commits, from, to })
  await recordEvent(tx, deed, { kind: 'pull_push', body })
  await touchIssue(tx, issue.id, ctx.now())
  await announcePull(ctx, tx, account, issue, [
    { kind: 'pull_request_sync', action: 'synchronized', commitId: to },
  ])
}
