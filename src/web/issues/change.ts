import { editComment, removeComment } from '../../collaboration/comments/change.ts'
import { loadComment } from '../../collaboration/comments/load.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import { editIssue } from '../../collaboration/issues/edit.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { loadIssue } from '../../collaboration/issues/load.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { Visit } from '../repository/visit.ts'
import { showAgain } from './again.ts'
import { NOTHING, textIn } from './editor.ts'
import { anchorOf, issuePath, pageIn } from './paths.ts'

/** The issue of the path, in a repository that takes changes. */
export async function loadForChange({ ctx, view, param }: Visit): Promise<Issue> {
  const issue = await loadIssue(ctx, view, readInteger(param('index')))
  assertNotArchived(view)
  return issue
}

export async function retitle(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadForChange(submitted)
  const title = form.get('title') ?? ''
  if (title.trim() === '') {
    return showAgain(submitted, issue, { form: 'title', text: title, problem: 'Give it a title.' })
  }
  await editIssue(ctx, viewer, view, issue, { title })
  return { leadsTo: issuePath(submitted, issue) }
}

/** Nobody's words are lost: who was too late sees both texts, and saves again. */
export async function rewrite(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadForChange(submitted)
  const text = textIn(form)
  const contentVersion = readInteger(form.get('content_version') ?? '')
  try {
    await editIssue(ctx, viewer, view, issue, { body: text, contentVersion })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    const problem = 'It was changed meanwhile. What you save now replaces that.'
    return showAgain(submitted, issue, { form: 'text', text, problem })
  }
  return { leadsTo: `${issuePath(submitted, issue)}${pageIn(submitted.query)}#issue-${issue.id}` }
}

/** Saves a comment, or deletes it. */
export async function changeComment(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, param } = submitted
  const issue = await loadForChange(submitted)
  const found = await loadComment(ctx, view, readInteger(param('id')))
  if (found.issue.id !== issue.id || found.comment.kind !== 'comment') throw notFound()
  const path = issuePath(submitted, issue)
  if (form.get('action') === 'delete') {
    await removeComment(ctx, viewer, view, found)
    return { leadsTo: path }
  }
  const text = textIn(form)
  if (text.trim() === '') {
    const name = `comment-${found.comment.id}` as const
    return showAgain(submitted, issue, { form: name, text, problem: NOTHING })
  }
  await editComment(ctx, viewer, view, found, text)
  return { leadsTo: `${path}${pageIn(submitted.query)}#${anchorOf(found.comment)}` }
}
