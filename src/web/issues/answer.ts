import type { Comment } from '../../collaboration/comments/comment.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import type { FileTerms } from '../../platform/http/stored-form.ts'
import { addCommentWithFiles } from '../../collaboration/issue-attachments/comment-with-files.ts'
import { editIssue } from '../../collaboration/issues/edit.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { Visit } from '../repository/visit.ts'
import { showAgain } from './again.ts'
import { loadForChange } from './change.ts'
import { NOTHING, textIn } from './editor.ts'
import { mayAttachToReply } from './files-path.ts'
import { anchorOf, issuePath } from './paths.ts'
import { isAboutRoom, noRoom, statusOf, termsOf, whyRefused } from './sent-files.ts'

/** From those who may write a comment. */
export async function takeFilesOfReply(visit: Visit): Promise<FileTerms> {
  const issue = await loadForChange(visit)
  if (!visit.ctx.config.attachment.enabled) throw notFound()
  if (!mayAttachToReply(visit, issue)) throw forbidden('')
  return termsOf(visit.ctx)
}

/** A comment with its files, a change of state, or both: what is said first is heard first. */
export async function reply(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, stored, refused } = submitted
  const issue = await loadForChange(submitted)
  const text = textIn(form)
  const again = (problem: string) => showAgain(submitted, issue, { form: 'reply', text, problem })
  if (refused)
    return { ...(await again(whyRefused(submitted, refused))), status: statusOf(refused) }
  const state = states.get(form.get('action') ?? '')
  const isSilent = text.trim() === '' && stored.count === 0
  if (isSilent && state === undefined) return again(NOTHING)
  const comment = isSilent ? undefined : await sayOrFindNoRoom(submitted, issue, text)
  if (comment === 'no room') return again(noRoom(submitted))
  if (state !== undefined) await editIssue(ctx, viewer, view, issue, { state })
  const path = issuePath(submitted, issue)
  return { leadsTo: comment ? `${path}#${anchorOf(comment)}` : path }
}

async function sayOrFindNoRoom(
  { ctx, viewer, view, stored }: Submitted,
  issue: Issue,
  text: string,
): Promise<Comment | 'no room'> {
  try {
    return await addCommentWithFiles(ctx, viewer, view, issue, { text, files: stored.take() })
  } catch (error) {
    if (isAboutRoom(error)) return 'no room'
    throw error
  }
}

const states = new Map([
  ['close', 'closed'],
  ['reopen', 'open'],
])
