import { AppError } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import {
  addDependency,
  assertDependencies,
  endDependency,
  loadOther,
  type IssuePath,
} from '../../collaboration/issues/dependencies.ts'
import { movePin, pinIssue, unpinIssue } from '../../collaboration/issues/pins.ts'
import { assertWritesIssue } from '../../collaboration/issues/rights.ts'
import { assertAdministers } from '../../repositories/repository/load.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { pathTo } from '../repository/visit.ts'
import { showAgain } from './again.ts'
import { loadForChange } from './change.ts'
import { factPath } from './fact.ts'

const problems: Readonly<Record<string, string>> = {
  not_found: 'There is nothing of this name that can be named here.',
  conflict: 'They depend on each other already, or would in a circle.',
}

/** Says that an issue waits for another, or the other for it; or no longer. */
export async function changeDependencies(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadForChange(submitted)
  assertDependencies(view)
  const isWaiting = form.get('direction') === 'waiting'
  if (!isWaiting) assertWritesIssue(view, issue)
  const removed = form.get('remove')
  const text = (removed ?? form.get('issue') ?? '').trim()
  const change = removed === null ? addDependency : endDependency
  try {
    const own = { view, issue }
    const other = await loadOther(ctx, viewer, view, readIssuePath(text))
    await (isWaiting ? change(ctx, viewer, other, own) : change(ctx, viewer, own, other))
  } catch (error) {
    const problem = error instanceof AppError ? problems[error.code] : undefined
    if (problem === undefined) throw error
    return showAgain(submitted, issue, { form: 'dependency', text, problem, fields: form })
  }
  return { leadsTo: factPath(submitted, issue, 'Dependencies') }
}

/** `#12` or `owner/name#12`; nothing has the number 0. */
function readIssuePath(text: string): IssuePath {
  const pattern = /^(?:(?<owner>[\w.-]+)\/(?<repo>[\w.-]+))?#?(?<number>\d{1,9})$/
  const { owner = '', repo = '', number = '0' } = pattern.exec(text)?.groups ?? {}
  return { owner, repo, number: readInteger(number) }
}

export async function changePin(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadForChange(submitted)
  assertAdministers(view)
  try {
    await (form.get('pinned') === 'true' ? pinIssue : unpinIssue)(ctx, viewer, issue)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bad_request') throw error
    const problem = 'No more can be pinned: unpin another one first.'
    return showAgain(submitted, issue, { form: 'pin', text: '', problem })
  }
  return { leadsTo: factPath(submitted, issue, 'Pin') }
}

/** Among those that are pinned, from their list. */
export async function changePinPosition(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  const issue = await loadForChange(submitted)
  assertAdministers(view)
  await movePin(ctx, issue, readInteger(form.get('position') ?? ''))
  return { leadsTo: pathTo(submitted, issue.isPull ? 'pulls' : 'issues') }
}
