import { removeAttachment } from '../../repositories/attachments/edit.ts'
import { notFound } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import {
  assertEditsComment,
  assertWritesTo,
  loadComment,
  loadIssue,
} from '../../collaboration/issue-attachments/access.ts'
import { loadOfComment, loadOfIssue } from '../../collaboration/issue-attachments/attach.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { loadForChange } from './change.ts'
import { anchorOf, issuePath, pageIn } from './paths.ts'

export async function deleteFileOfIssue(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view } = submitted
  const issue = await loadForFiles(submitted)
  const place = await loadIssue(ctx, view, issue.number)
  assertWritesTo(view, viewer, place)
  const file = await loadOfIssue(ctx, view, place, fileIn(submitted))
  await removeAttachment(ctx, viewer, file)
  return leadBack(submitted, issue, `issue-${issue.id}`)
}

export async function deleteFileOfComment(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, param } = submitted
  const issue = await loadForFiles(submitted)
  const id = readInteger(param('id'))
  const place = await loadComment(ctx, view, id)
  if (place.issueId !== issue.id) throw notFound()
  assertEditsComment(view, viewer, place)
  const file = await loadOfComment(ctx, view, id, fileIn(submitted))
  await removeAttachment(ctx, viewer, file)
  return leadBack(submitted, issue, anchorOf({ id }))
}

async function loadForFiles(submitted: Submitted): Promise<Issue> {
  if (!submitted.ctx.config.attachment.enabled) throw notFound()
  return loadForChange(submitted)
}

function fileIn({ param }: Submitted): number {
  return readInteger(param('attachment'))
}

function leadBack(submitted: Submitted, issue: Issue, anchor: string): Done {
  return { leadsTo: `${issuePath(submitted, issue)}${pageIn(submitted.query)}#${anchor}` }
}
