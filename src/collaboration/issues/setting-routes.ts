import type { Context } from '../../platform/context.ts'
import { created, noContent } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { assertAdministers } from '../../repositories/repository/load.ts'
import { endOfDay } from '../../platform/time.ts'
import { editDueDate } from './edit.ts'
import { loadIssue } from './load.ts'
import { setLocked } from './lock.ts'
import { presentDue } from './present.ts'
import { assertWritesIssue } from './rights.ts'
import { loadAdministeredIssue, loadTracker } from './routes.ts'
import {
  EditDeadlineOption,
  issueEditIssueDeadline,
  issueLockIssue,
  issueUnlockIssue,
  LockIssueOption,
} from './schema.ts'

/** What can be set of an issue by itself. */
export function issueSettingRoutes(api: Api, ctx: Context): void {
  const issue = '/repos/:owner/:repo/issues/:index'

  api.post(`${issue}/deadline`, issueEditIssueDeadline, async (call) => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    const { due_date } = await call.body(EditDeadlineOption)
    const found = await loadIssue(ctx, view, call.id('index'))
    assertWritesIssue(view, found)
    const dueAt = due_date === undefined ? 0 : endOfDay(due_date)
    await editDueDate(ctx, caller, found, dueAt)
    return created({ due_date: presentDue(dueAt) })
  })

  api.put(`${issue}/lock`, issueLockIssue, async (call) => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    assertAdministers(view)
    const { lock_reason } = await call.optionalBody(LockIssueOption)
    await setLocked(ctx, caller, await loadIssue(ctx, view, call.id('index')), true, lock_reason)
    return noContent()
  })

  api.delete(`${issue}/lock`, issueUnlockIssue, async (call) => {
    const found = await loadAdministeredIssue(ctx, call)
    await setLocked(ctx, found.caller, found.issue, false)
    return noContent()
  })
}
