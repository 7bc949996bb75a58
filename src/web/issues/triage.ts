import { AppError } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import { applyLabels } from '../../collaboration/issue-labels/apply.ts'
import { setSubscribed } from '../../collaboration/issue-subscriptions/subscribe.ts'
import { editDueDate, editIssue } from '../../collaboration/issues/edit.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { loadIssue } from '../../collaboration/issues/load.ts'
import { setLocked } from '../../collaboration/issues/lock.ts'
import { assertWritesIssue } from '../../collaboration/issues/rights.ts'
import { assertAdministers } from '../../repositories/repository/load.ts'
import { endOfDay } from '../../platform/time.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { showAgain } from './again.ts'
import { loadForChange } from './change.ts'
import { factPath } from './fact.ts'

/** For what only those who write issues change. */
async function loadWritten(submitted: Submitted): Promise<Issue> {
  const issue = await loadForChange(submitted)
  assertWritesIssue(submitted.view, issue)
  return issue
}

export async function changeLabels(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadWritten(submitted)
  const ids = form.getAll('label').map(readInteger)
  await applyLabels(ctx, viewer, view, issue, { ids }, { replace: true })
  return { leadsTo: factPath(submitted, issue, 'Labels') }
}

export async function changeAssignees(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadWritten(submitted)
  const other = (form.get('other') ?? '').trim()
  const assignees = [...form.getAll('assignee'), ...(other === '' ? [] : [other])]
  try {
    await editIssue(ctx, viewer, view, issue, { assignees })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    const problem = 'There is nobody of this name who could be assigned.'
    return showAgain(submitted, issue, { form: 'assignees', text: other, problem })
  }
  return { leadsTo: factPath(submitted, issue, 'Assignees') }
}

export async function changeMilestone(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadWritten(submitted)
  const milestoneId = readInteger(form.get('milestone') ?? '')
  await editIssue(ctx, viewer, view, issue, { milestoneId })
  return { leadsTo: factPath(submitted, issue, 'Milestone') }
}

export async function changeProjects(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadWritten(submitted)
  await editIssue(ctx, viewer, view, issue, {
    projectIds: form.getAll('project').map(readInteger),
  })
  return { leadsTo: factPath(submitted, issue, 'Projects') }
}

export async function changeDueDate(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, form } = submitted
  const issue = await loadWritten(submitted)
  const text = (form.get('due') ?? '').trim()
  const dueAt = text === '' ? 0 : endOfDay(`${text}T00:00:00Z`)
  if (text !== '' && dueAt === 0) {
    const problem = 'A day is needed, as in 2030-12-31.'
    return showAgain(submitted, issue, { form: 'due', text, problem })
  }
  await editDueDate(ctx, viewer, issue, dueAt)
  return { leadsTo: factPath(submitted, issue, 'Due') }
}

export async function changeLock(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadForChange(submitted)
  assertAdministers(view)
  await setLocked(ctx, viewer, issue, form.get('locked') === 'true', form.get('reason') ?? '')
  return { leadsTo: factPath(submitted, issue, 'Conversation') }
}

/** For oneself, also where nothing else is changed any more. */
export async function changeSubscription(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, param } = submitted
  const issue = await loadIssue(ctx, view, readInteger(param('index')))
  await setSubscribed(ctx, issue, viewer.account.id, form.get('subscribed') === 'true')
  return { leadsTo: factPath(submitted, issue, 'Notifications') }
}
