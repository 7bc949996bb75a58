import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden } from '../../platform/errors.ts'
import { created, noContent } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { guardOf, recordAnswer } from '../../platform/http/record.ts'
import {
  assertAdministers,
  assertNotArchived,
  readsUnit,
} from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { forgetHead } from '../pulls/forget-head.ts'
import { createIssue } from './create.ts'
import { editIssue } from './edit.ts'
import type { Issue } from './issue.ts'
import { loadIssue } from './load.ts'
import { presentIssue, readIssueEdit, readNewIssue } from './present.ts'
import { removeIssue } from './remove.ts'
import { assertReadsAny } from './rights.ts'
import {
  CreateIssueOption,
  EditIssueOption,
  issueCreateIssue,
  issueDelete,
  issueEditIssue,
  issueGetIssue,
} from './schema.ts'
import { viewIssue } from './view.ts'

export function issueRoutes(api: Api, ctx: Context): void {
  const { config } = ctx
  const issues = '/repos/:owner/:repo/issues'
  const presentIn = async (db: Executor, call: Call, issue: Issue, place?: RepositoryView) => {
    const shown = { showDigest: call.query.boolean('digest') }
    const { caller } = call
    const seenBy = { config, caller, ...(place ? { place } : {}) }
    return presentIssue(config, caller, await viewIssue(db, issue, seenBy), shown)
  }
  const present = async (call: Call, view: RepositoryView, issue: Issue) => {
    await ctx.downloadCounts.flush()
    return presentIn(ctx.db, call, issue, view)
  }
  const unchanged = (call: Call) =>
    guardOf<Issue>(call, (tx, current) => presentIn(tx, call, current))

  api.post(issues, issueCreateIssue, async (call) => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    const wanted = readNewIssue(await call.body(CreateIssueOption))
    assertReadsIssues(view)
    return created(await present(call, view, await createIssue(ctx, caller, view, wanted)))
  })

  api.get(`${issues}/:index`, issueGetIssue, async (call) => {
    const { view, issue } = await loadIssueOfPath(ctx, call)
    return recordAnswer(call, await present(call, view, issue))
  })

  api.patch(`${issues}/:index`, issueEditIssue, async (call) => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    const body = await call.body(EditIssueOption)
    const issue = await loadIssue(ctx, view, call.id('index'))
    const edit = readIssueEdit(body)
    const edited = await editIssue(ctx, caller, view, issue, edit, { guard: unchanged(call) })
    return created(await present(call, view, edited))
  })

  api.delete(`${issues}/:index`, issueDelete, async (call) => {
    const { view, issue } = await loadAdministeredIssue(ctx, call)
    await removeIssue(ctx, issue, unchanged(call))
    if (issue.isPull) await forgetHead(ctx, view.repo, issue.number)
    return noContent()
  })
}

/** For every route below the issues of a repository. */
export async function loadTracker(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  assertReadsAny(view)
  return view
}

/** For those that read one issue. */
export async function loadIssueOfPath(
  ctx: Context,
  call: Call,
): Promise<{ readonly view: RepositoryView; readonly issue: Issue }> {
  const view = await loadTracker(ctx, call)
  return { view, issue: await loadIssue(ctx, view, call.id('index')) }
}

/** An issue, and who is about to do something with it. */
export interface IssueCall {
  readonly view: RepositoryView
  readonly issue: Issue
  readonly caller: SignedInCaller
}

/** For those that change something of one issue and take no body. */
export async function loadIssueForCaller(ctx: Context, call: Call): Promise<IssueCall> {
  const view = await loadTracker(ctx, call)
  const caller = call.signedIn()
  return { view, caller, issue: await loadIssue(ctx, view, call.id('index')) }
}

/** For those that only administrators of the repository may call. */
export async function loadAdministeredIssue(ctx: Context, call: Call): Promise<IssueCall> {
  const view = await loadTracker(ctx, call)
  const caller = call.signedIn()
  assertAdministers(view)
  return { view, caller, issue: await loadIssue(ctx, view, call.id('index')) }
}

function assertReadsIssues(view: RepositoryView): void {
  if (readsUnit(view, 'repo.issues')) return
  throw forbidden('user should have specific read permission or be a repo admin or a site admin')
}
