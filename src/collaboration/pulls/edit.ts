import { recordEvent, recordEvents } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { AppError, invalid, isNotFound, notFound } from '../../platform/errors.ts'
import { changeLabels } from '../issue-labels/change.ts'
import { usableLabels } from '../issue-labels/load.ts'
import { editIssue, type IssueEdit } from '../issues/edit.ts'
import type { Issue } from '../issues/issue.ts'
import { assertEdits, writesIssue } from '../issues/rights.ts'
import type { Label } from '../../repositories/labels/label.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { staleForBase } from '../reviews/stale.ts'
import { announceIssue, labelsCleared, newsOfEvents } from '../issues/webhook-events.ts'
import { checkCommits } from './check.ts'
import { catchUp } from './follow.ts'
import type { FoundPull } from './load.ts'
import { findPull, updatePull } from './queries.ts'
import { loadBranch } from './sides.ts'
import { assertOnlyOne } from './state.ts'

export interface PullEdit extends Omit<IssueEdit, 'ref' | 'projectIds'> {
  readonly base?: string | undefined
  /** Replaces those it has. */
  readonly labelIds?: readonly number[] | undefined
  readonly allowsMaintainerEdit?: boolean | undefined
}

interface Planned {
  readonly changes: Changes<'pull_request'>
  readonly labelIds: readonly number[] | undefined
}

/** All of `edit` is applied, or none of it. */
export async function editPull(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  found: FoundPull,
  edit: PullEdit,
): Promise<Issue> {
  assertEdits(view, caller, found.issue, found.issue)
  const planned = await plan(ctx, view, found, edit)
  const applyRest = async (tx: Executor, current: Issue) => {
    await applyBase(ctx, tx, caller, current, planned.changes)
    if (planned.labelIds) {
      const labels = await usableLabels(tx, view, { ids: planned.labelIds })
      await applyLabels(ctx, tx, caller, current, labels)
    }
  }
  const edited = await editIssue(ctx, caller, view, found.issue, edit, { editPull: applyRest })
  if (planned.changes.base_branch !== undefined) await catchUp(ctx, caller, edited.id)
  return edited
}

async function plan(
  ctx: Context,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  { base, labelIds, allowsMaintainerEdit }: PullEdit,
): Promise<Planned> {
  const replaced = writesIssue(view, issue) ? labelIds : undefined
  const edits =
    allowsMaintainerEdit === undefined
      ? {}
      : { allows_maintainer_edit: allowsMaintainerEdit ? (1 as const) : (0 as const) }
  if (!base || base === pull.baseBranch) return { labelIds: replaced, changes: edits }
  const changes = { ...edits, ...(await planBase(ctx, view, { issue, pull }, base)) }
  return { labelIds: replaced, changes }
}

async function planBase(
  ctx: Context,
  view: RepositoryView,
  { issue, pull }: FoundPull,
  base: string,
): Promise<Changes<'pull_request'>> {
  const { repo } = view
  if (pull.isMerged) throw new AppError('conflict', 'the pull request is already merged')
  if (issue.isClosed) throw invalid('the pull request is closed')
  if (pull.headRepositoryId === repo.id && pull.headBranch === base) {
    throw invalid('the head cannot be its own base')
  }
  const commitId = await loadBranch(ctx, repo, base).catch((error: unknown) => {
    throw isNotFound(error) ? notFound(`new base '${base}' not exist`) : error
  })
  const commits = { base: commitId, head: pull.headCommitId }
  const checked = await checkCommits(ctx, view, commits)
  return { ...checked, base_branch: base, base_commit_id: commitId }
}

async function applyBase(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  issue: Issue,
  changes: Changes<'pull_request'>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const before = await findPull(tx, issue.id)
  const after = await updatePull(tx, issue.id, changes)
  if (!before || !after || before.baseBranch === after.baseBranch) return
  if (before.isMerged) throw new AppError('conflict', 'the pull request is already merged')
  await assertOnlyOne(tx, after)
  const deed = { issueId: issue.id, actorId: account.id, at: ctx.now() }
  const details = { oldRef: before.baseBranch, newRef: after.baseBranch }
  await recordEvent(tx, deed, { kind: 'change_target_branch', details })
  await staleForBase(tx, issue.id, { now: ctx.now() })
  const changed = { ref: { from: before.baseBranch } }
  await announceIssue(ctx, tx, account, issue, [
    { kind: 'issues', action: 'edited', changes: changed },
  ])
}

async function applyLabels(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  issue: Issue,
  labels: readonly Label[],
): Promise<void> {
  const events = await changeLabels(tx, issue.id, labels, { replace: true })
  if (events.length === 0) return
  await recordEvents(tx, { issueId: issue.id, actorId: account.id, at: ctx.now() }, events)
  const news = labels.length === 0 ? [labelsCleared] : newsOfEvents(events)
  await announceIssue(ctx, tx, account, issue, news)
}
