import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadIssue } from '../issues/load.ts'
import { assertWritesIssue } from '../issues/rights.ts'
import {
  loadIssueForCaller,
  loadIssueOfPath,
  loadTracker,
  type IssueCall,
} from '../issues/routes.ts'
import type { Label } from '../../repositories/labels/label.ts'
import { presentLabel } from '../../repositories/labels/present.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { applyLabels, takeLabel } from './apply.ts'
import { labelsOfIssues } from './load.ts'
import type { LabelKeys } from './queries.ts'
import {
  issueAddLabel,
  issueClearLabels,
  issueGetLabels,
  IssueLabelsOption,
  issueRemoveLabel,
  issueReplaceLabels,
} from './schema.ts'

export function issueLabelRoutes(api: Api, ctx: Context): void {
  const labels = '/repos/:owner/:repo/issues/:index/labels'
  const present = ({ owner, repo }: RepositoryView, found: readonly Label[]) => {
    const home = { ownerName: owner.name, repositoryName: repo.name }
    return ok(found.map((label) => presentLabel(ctx.config, home, label)))
  }

  const answerChanged = async (call: Call, { replace }: { replace: boolean }) => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    const body = await call.body(IssueLabelsOption)
    const issue = await loadIssue(ctx, view, call.id('index'))
    assertWritesIssue(view, issue)
    const keys = readKeys(body.labels ?? [])
    return present(view, await applyLabels(ctx, caller, view, issue, keys, { replace }))
  }

  api.get(labels, issueGetLabels, async (call) => {
    const { view, issue } = await loadIssueOfPath(ctx, call)
    return present(view, (await labelsOfIssues(ctx.db, [issue.id])).get(issue.id) ?? [])
  })

  api.post(labels, issueAddLabel, (call) => answerChanged(call, { replace: false }))

  api.put(labels, issueReplaceLabels, (call) => answerChanged(call, { replace: true }))

  api.delete(labels, issueClearLabels, async (call) => {
    const { view, issue, caller } = await loadWritable(ctx, call)
    await applyLabels(ctx, caller, view, issue, { ids: [] }, { replace: true })
    return noContent()
  })

  api.delete(`${labels}/:id`, issueRemoveLabel, async (call) => {
    const { view, issue, caller } = await loadWritable(ctx, call)
    await takeLabel(ctx, caller, view, issue, call.id('id'))
    return noContent()
  })
}

async function loadWritable(ctx: Context, call: Call): Promise<IssueCall> {
  const found = await loadIssueForCaller(ctx, call)
  assertWritesIssue(found.view, found.issue)
  return found
}

function readKeys(labels: readonly unknown[]): LabelKeys {
  const ids = labels.filter((label): label is number => Number.isSafeInteger(label))
  if (ids.length === labels.length) return { ids }
  const names = labels.filter((label): label is string => typeof label === 'string')
  if (names.length === labels.length) return { names }
  throw new AppError('bad_request', 'labels should be an array of strings or integers')
}
