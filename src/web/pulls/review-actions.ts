import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import type { Side } from '../../platform/git/patch.ts'
import { readInteger } from '../../platform/http/query.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { loadPullPatch } from '../../collaboration/pulls/content.ts'
import type { FoundPull } from '../../collaboration/pulls/load.ts'
import { viewPull } from '../../collaboration/pulls/view.ts'
import { assertAdministers } from '../../repositories/repository/load.ts'
import { askForReviews, askNoLonger, canChooseReviewers } from '../../collaboration/reviews/ask.ts'
import { dismissReview } from '../../collaboration/reviews/dismiss.ts'
import {
  editCodeComment,
  loadOwnCodeComment,
  removeCodeComment,
} from '../../collaboration/reviews/edit-comment.ts'
import { loadOwnPending, loadReview } from '../../collaboration/reviews/load.ts'
import { removeReview } from '../../collaboration/reviews/remove.ts'
import { replyTo, setResolved } from '../../collaboration/reviews/thread.ts'
import { addPendingComment, addReview, submitReview } from '../../collaboration/reviews/submit.ts'
import { showAgain } from '../issues/again.ts'
import { factPath } from '../issues/fact.ts'
import { textIn } from '../issues/editor.ts'
import { anchorOf, issuePath } from '../issues/paths.ts'
import type { Rejected } from '../issues/rejected.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { renderPullFiles } from './files.ts'
import { placesOf } from './line-threads.ts'
import { loadPullForChange } from './merge.ts'

const NOTHING = 'Write something first.'

const events = ['COMMENT', 'APPROVED', 'REQUEST_CHANGES'] as const

/** Hands in what somebody thinks of the whole, with what they have begun; or gives that up. */
export async function review(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const found = await loadPullForChange(submitted)
  const pending = await loadOwnPending(ctx, viewer, found.issue)
  if (form.get('event') === 'DISCARD') {
    if (!pending) throw notFound()
    await removeReview(ctx, viewer, found.issue, pending.review)
    return { leadsTo: `${issuePath(submitted, found.issue)}/files` }
  }
  const event = events.find((one) => one === form.get('event'))
  if (!event) throw notFound()
  const text = textIn(form)
  const saysNothing = event === 'COMMENT' && !pending?.comments
  if (text.trim() === '' && (saysNothing || event === 'REQUEST_CHANGES')) {
    const problem = event === 'COMMENT' ? NOTHING : 'Say what is to be changed.'
    const shown = await viewPull(ctx, viewer, found.issue)
    return renderPullFiles(submitted, shown, { form: 'review', text, problem })
  }
  const commitId = form.get('commit_id') ?? ''
  const wanted = { event, body: text, commitId, comments: [] }
  const { id } = pending
    ? await submitReview(ctx, viewer, view, found, pending.review, wanted)
    : await addReview(ctx, viewer, view, found, wanted)
  return { leadsTo: `${issuePath(submitted, found.issue)}#pullrequestreview-${id}` }
}

/**
 * Says something of one line that is changed, or stands beside such lines: now, or when the review
 * is handed in.
 */
export async function remark(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const found = await loadPullForChange(submitted)
  const path = form.get('path') ?? ''
  const side: Side = form.get('side') === 'old' ? 'old' : 'new'
  const line = readInteger(form.get('line') ?? '')
  const text = textIn(form)
  const problem =
    text.trim() === '' ? NOTHING : await findFault(submitted, found, { path, side, line })
  if (problem !== undefined) {
    const shown = await viewPull(ctx, viewer, found.issue)
    const rejected = { path, side, line: form.get('line') ?? '', text, problem }
    return renderPullFiles(submitted, shown, rejected)
  }
  const comment = {
    path,
    body: text,
    oldLine: side === 'old' ? line : 0,
    newLine: side === 'new' ? line : 0,
  }
  if (form.get('action') === 'later' || (await loadOwnPending(ctx, viewer, found.issue))) {
    await addPendingComment(ctx, viewer, view, found, comment)
  } else {
    const wanted = { event: 'COMMENT', body: '', commitId: '', comments: [comment] }
    await addReview(ctx, viewer, view, found, wanted)
  }
  return {
    leadsTo: `${issuePath(submitted, found.issue)}/files#file-${readInteger(form.get('file') ?? '')}`,
  }
}

async function findFault(
  { ctx, view, form }: Submitted,
  { pull }: FoundPull,
  { path, side, line }: { readonly path: string; readonly side: Side; readonly line: number },
): Promise<string | undefined> {
  if (form.get('commit_id') !== pull.headCommitId) {
    return 'Somebody has pushed meanwhile: look at the changes again.'
  }
  const { files } = await loadPullPatch(ctx, view.repo, pull)
  const lines = files.find((file) => file.path === path)?.lines ?? []
  const isThere = lines.some((one) =>
    placesOf(one).some((place) => place.side === side && place.number === line),
  )
  return isThere ? undefined : 'This line is not among those that are shown.'
}

export async function answer(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, param } = submitted
  const found = await loadPullForChange(submitted)
  const id = readInteger(param('id'))
  const text = textIn(form)
  if (text.trim() === '') {
    return saidAgain(submitted, found.issue, { form: `thread-${id}`, text, problem: NOTHING })
  }
  const made = await replyTo(ctx, viewer, view, found, { id, body: text })
  return { leadsTo: `${pageOf(submitted, found.issue)}#${anchorOf(made)}` }
}

/** Saves what somebody said of a line, or deletes it. */
export async function changeSaid(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, param } = submitted
  const { issue } = await loadPullForChange(submitted)
  const id = readInteger(param('id'))
  if (form.get('action') === 'delete') {
    await removeCodeComment(ctx, viewer, view, issue, id)
    return { leadsTo: pageOf(submitted, issue) }
  }
  const text = textIn(form)
  if (text.trim() === '') {
    await loadOwnCodeComment(ctx, viewer, view, issue, id)
    return saidAgain(submitted, issue, { form: `said-${id}`, text, problem: NOTHING })
  }
  await editCodeComment(ctx, viewer, view, issue, { id, body: text })
  return { leadsTo: `${pageOf(submitted, issue)}#${anchorOf({ id })}` }
}

/**
 * What is said of lines stands in the conversation and beside the lines: forms lead back to where
 * they were.
 */
function pageOf(submitted: Submitted, issue: Issue): string {
  const path = issuePath(submitted, issue)
  return isOnFiles(submitted) ? `${path}/files` : path
}

function isOnFiles({ form }: Submitted): boolean {
  return form.get('on') === 'files'
}

async function saidAgain(submitted: Submitted, issue: Issue, rejected: Rejected): Promise<Done> {
  const { ctx, viewer } = submitted
  if (!isOnFiles(submitted)) return showAgain(submitted, issue, rejected)
  return renderPullFiles(submitted, await viewPull(ctx, viewer, issue), rejected)
}

/** Says that nothing is left to be said of a line, or that there is. */
export async function resolveThread(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, param } = submitted
  const { issue } = await loadPullForChange(submitted)
  const id = readInteger(param('id'))
  await setResolved(ctx, viewer, view, id, form.get('settled') === 'true')
  return { leadsTo: `${pageOf(submitted, issue)}#${anchorOf({ id })}` }
}

/** Asks those who are chosen, and those no longer who are not. */
export async function changeReviewers(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const found = await loadPullForChange(submitted)
  if (!(await canChooseReviewers(ctx, viewer, view, found))) throw forbidden('')
  const other = (form.get('other') ?? '').trim()
  const wanted = [...form.getAll('reviewer'), ...(other === '' ? [] : [other])]
  const { reviews } = await viewPull(ctx, viewer, found.issue)
  const teams = form.getAll('team')
  try {
    await askForReviews(ctx, viewer, view, found, { people: wanted, teams })
  } catch (error) {
    if (!(error instanceof AppError) || !['invalid', 'not_found'].includes(error.code)) throw error
    const problem = 'There is nobody of this name who could be asked.'
    return showAgain(submitted, found.issue, { form: 'reviewers', text: other, problem })
  }
  const dropped = {
    people: namesWithout(reviews.requested, wanted),
    teams: namesWithout(reviews.requestedTeams, teams),
  }
  if (dropped.people.length + dropped.teams.length > 0)
    await askNoLonger(ctx, viewer, view, found, dropped)
  return { leadsTo: factPath(submitted, found.issue, 'Reviewers') }
}

function namesWithout(
  asked: readonly { readonly name: string }[],
  wanted: readonly string[],
): readonly string[] {
  return asked.map(({ name }) => name).filter((name) => !wanted.includes(name))
}

/** A decision counts no longer, or again. */
export async function dismiss(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, param } = submitted
  const { issue } = await loadPullForChange(submitted)
  assertAdministers(view)
  const dismissed = await loadReview(ctx, viewer, issue, readInteger(param('id')))
  const isDismissed = form.get('dismissed') === 'true'
  const message = (form.get('reason') ?? '').trim()
  if (isDismissed && message === '') {
    const name = `dismissal-${dismissed.id}` as const
    return showAgain(submitted, issue, { form: name, text: '', problem: 'Say why.' })
  }
  const withPriors = form.get('priors') === 'true'
  await dismissReview(ctx, viewer, issue, dismissed, { isDismissed, message, withPriors })
  return { leadsTo: `${issuePath(submitted, issue)}#pullrequestreview-${dismissed.id}` }
}
