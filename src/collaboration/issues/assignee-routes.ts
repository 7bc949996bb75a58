import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { created, noContent, ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { loadPerson } from '../../identity/users/load.ts'
import {
  issueAddAssignees,
  IssueAssigneesOption,
  issueCheckAssignee,
  issueRemoveAssignees,
  repoCheckAssignee,
} from './assignee-schema.ts'
import { canBeAssigned, type AssigneesEdit } from './assignees.ts'
import { editAssignees } from './edit.ts'
import { loadIssue } from './load.ts'
import { presentIssue } from './present.ts'
import { loadIssueOfPath, loadTracker } from './routes.ts'
import type { IssueBody } from './schema.ts'
import { viewIssue } from './view.ts'

export function assigneeRoutes(api: Api, ctx: Context): void {
  const repository = '/repos/:owner/:repo'
  const assignees = `${repository}/issues/:index/assignees`

  const edit = async (call: Call, change: AssigneesEdit['change']): Promise<IssueBody> => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    const { assignees: names = [] } = await call.body(IssueAssigneesOption)
    const issue = await loadIssue(ctx, view, call.id('index'))
    const edited = await editAssignees(ctx, caller, view, issue, { names, change })
    return presentIssue(
      ctx.config,
      caller,
      await viewIssue(ctx.db, edited, { config: ctx.config, caller }),
    )
  }
  api.post(assignees, issueAddAssignees, async (call) => created(await edit(call, 'add')))
  api.delete(assignees, issueRemoveAssignees, async (call) => ok(await edit(call, 'remove')))

  const answerWhether = async (call: Call, view: RepositoryView): Promise<Answer<never>> => {
    const person = await loadPerson(ctx, call.caller, call.param('assignee'))
    if (!(await canBeAssigned(ctx, view, person))) throw notFound()
    return noContent()
  }
  api.get(`${assignees}/:assignee`, issueCheckAssignee, async (call) => {
    const { view } = await loadIssueOfPath(ctx, call)
    return answerWhether(call, view)
  })
  api.get(`${repository}/assignees/:assignee`, repoCheckAssignee, async (call) => {
    const view = await loadOfPath(ctx, call)
    call.signedIn()
    return answerWhether(call, view)
  })
}
