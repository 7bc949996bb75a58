import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { updateRefs } from '../../platform/git/update-refs.ts'
import { createIssue, type MakePull, type NewIssue } from '../issues/create.ts'
import type { Issue } from '../issues/issue.ts'
import { writesIssue } from '../issues/rights.ts'
import { findMilestoneOf } from '../milestones/tally.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { joinRequests } from '../reviews/ask-owners.ts'
import { planOwnerRequests } from '../reviews/code-owners.ts'
import {
  planRequests,
  requestReviews,
  type Requests,
  type WantedReviewers,
} from '../reviews/request.ts'
import { checkCommits } from './check.ts'
import { catchUp } from './follow.ts'
import { headRef, isDraft } from './pull.ts'
import { insertPull } from './queries.ts'
import { bringHead, loadBranch, loadHead, type Side } from './sides.ts'
import { assertOnlyOne } from './state.ts'

export interface NewPull extends Omit<NewIssue, 'ref' | 'isClosed' | 'projectIds'> {
  readonly head: string
  readonly base: string
  readonly allowsMaintainerEdit: boolean | undefined
  readonly reviewers: WantedReviewers
}

export async function createPull(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  wanted: NewPull,
  complete?: (tx: Executor, issue: Issue) => Promise<void>,
): Promise<Issue> {
  if (wanted.head === wanted.base) throw nothingBetween()
  const head = await loadHead(ctx, caller, view, wanted.head)
  const base = {
    repo: view.repo,
    branch: wanted.base,
    commitId: await loadBranch(ctx, view.repo, wanted.base),
  }
  if (head.repo.id === base.repo.id && head.branch === base.branch) throw nothingBetween()
  await assertOnlyOne(ctx.db, { ...pairOf(base, head), issueId: 0 })
  await assertMilestone(ctx, view, wanted)
  const requests = await planRequests(ctx, view, caller.account.id, wanted.reviewers, wanted.base)
  await bringHead(ctx, base, head)
  const row = await describe(ctx, view, base, head, wanted)
  const asked = joinRequests(requests, await planForOwners(ctx, caller, view, wanted, row))
  const makePull: MakePull = {
    insert: (tx, { id }) => insertOnce(tx, { ...row, issue_id: id }, { base, head }),
    afterwards: async (tx, made) => {
      await requestReviews(ctx, tx, caller, made, asked)
    },
  }
  const issue = await createIssue(ctx, caller, view, asIssue(wanted), { makePull, complete })
  await followNew(ctx, caller, view, issue, head.commitId)
  return issue
}

/** It is there, whatever comes of this; the next push to one of its branches does it again. */
async function followNew(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  commitId: string,
): Promise<void> {
  try {
    await nameHead(ctx, view, issue, commitId)
    await catchUp(ctx, caller, issue.id)
  } catch (error) {
    ctx.log.error({ err: error, pull: issue.id }, 'new pull request not followed')
  }
}

/** Whoever may choose one chooses one that there is. */
async function assertMilestone(
  ctx: Context,
  view: RepositoryView,
  { milestoneId }: NewPull,
): Promise<void> {
  if (milestoneId <= 0 || !writesIssue(view, { isPull: true })) return
  if (!(await findMilestoneOf(ctx.db, view.repo.id, milestoneId))) throw notFound()
}

/** Nobody is asked to look at what is not finished. */
async function planForOwners(
  ctx: Context,
  { account }: SignedInCaller,
  view: RepositoryView,
  { title }: NewPull,
  row: NewRow,
): Promise<Requests> {
  if (isDraft(title.trim())) return { people: [], teams: [] }
  return planOwnerRequests(ctx, view, account.id, {
    baseBranch: row.base_branch,
    baseCommitId: row.base_commit_id,
    headCommitId: row.head_commit_id,
    mergeBase: row.merge_base ?? '',
  })
}

type NewRow = Omit<Parameters<typeof insertPull>[1], 'issue_id'>

async function describe(
  ctx: Context,
  view: RepositoryView,
  base: Side,
  head: Side,
  { allowsMaintainerEdit }: NewPull,
): Promise<NewRow> {
  const commits = { base: base.commitId, head: head.commitId }
  const settings = view.units.settings('repo.pulls')
  const edits = allowsMaintainerEdit ?? settings?.allowMaintainerEdit ?? false
  return {
    repository_id: view.repo.id,
    base_branch: base.branch,
    base_commit_id: base.commitId,
    head_repository_id: head.repo.id,
    head_branch: head.branch,
    head_commit_id: head.commitId,
    allows_maintainer_edit: edits ? 1 : 0,
    ...((await checkCommits(ctx, view, commits)) as object),
  }
}

/** Nobody else opens one meanwhile: the transaction has the issues of the repository to itself. */
async function insertOnce(
  tx: Executor,
  row: NewRow & { issue_id: number },
  { base, head }: { base: Side; head: Side },
): Promise<void> {
  await assertOnlyOne(tx, { ...pairOf(base, head), issueId: row.issue_id })
  await insertPull(tx, row)
}

function pairOf(base: Side, head: Side) {
  return {
    repositoryId: base.repo.id,
    baseBranch: base.branch,
    headRepositoryId: head.repo.id,
    headBranch: head.branch,
  }
}

/**
 * Its number is known only when it is there; should the server end in between, the next push names
 * it.
 */
async function nameHead(
  ctx: Context,
  { repo }: RepositoryView,
  { number }: Issue,
  after: string,
): Promise<void> {
  const update = { ref: headRef(number), before: undefined, after }
  await updateRefs(ctx.git, folderOf(ctx, repo), [update])
}

function asIssue(wanted: NewPull): NewIssue {
  return { ...wanted, ref: '', isClosed: false, projectIds: [] }
}

function nothingBetween(): Error {
  return invalid('Invalid PullRequest: There are no changes between the head and the base')
}
