import { recordEvents } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue, touchIssue } from '../issues/load.ts'
import type { Label } from '../../repositories/labels/label.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { announceIssue, labelsCleared, newsOfEvents } from '../issues/webhook-events.ts'
import { changeLabels } from './change.ts'
import { labelsOfIssues, usableLabels } from './load.ts'
import type { LabelKeys } from './queries.ts'

/**
 * Gives an issue labels, besides those it has or instead of them; the result by name. Unknown ones
 * are passed over.
 */
export async function applyLabels(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  keys: LabelKeys,
  { replace }: { replace: boolean },
): Promise<readonly Label[]> {
  return changeIssue(ctx, issue, async (tx) => {
    const wanted = await usableLabels(tx, view, keys)
    await change(ctx, tx, caller, issue, wanted, { replace })
    return (await labelsOfIssues(tx, [issue.id])).get(issue.id) ?? []
  })
}

/**
 * One that the issue does not have is taken off already; one that nobody here could have is not
 * found.
 */
export async function takeLabel(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  issue: Issue,
  labelId: number,
): Promise<void> {
  const [label] = await usableLabels(ctx.db, view, { ids: [labelId] })
  if (!label) throw notFound()
  await changeIssue(ctx, issue, async (tx) => {
    const current = (await labelsOfIssues(tx, [issue.id])).get(issue.id) ?? []
    const kept = current.filter(({ id }) => id !== labelId)
    await change(ctx, tx, caller, issue, kept, { replace: true })
  })
}

async function change(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  issue: Issue,
  wanted: readonly Label[],
  options: { replace: boolean },
): Promise<void> {
  const events = await changeLabels(tx, issue.id, wanted, options)
  if (events.length === 0) return
  await recordEvents(tx, { issueId: issue.id, actorId: account.id, at: ctx.now() }, events)
  await touchIssue(tx, issue.id, ctx.now())
  const news = wanted.length === 0 && options.replace ? [labelsCleared] : newsOfEvents(events)
  await announceIssue(ctx, tx, account, issue, news)
}
