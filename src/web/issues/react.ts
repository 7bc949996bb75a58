import { notFound } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import {
  loadCommentTarget,
  loadIssueTarget,
  react,
  takeBack,
  type Target,
} from '../../collaboration/reactions/react.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { loadForChange } from './change.ts'
import { anchorOf, issuePath, pageIn } from './paths.ts'

export async function reactToIssue(submitted: Submitted): Promise<Done> {
  const { ctx, view } = submitted
  const issue = await loadForChange(submitted)
  return change(submitted, await loadIssueTarget(ctx, view, issue.number), `issue-${issue.id}`)
}

export async function reactToComment(submitted: Submitted): Promise<Done> {
  const { ctx, view, param } = submitted
  const issue = await loadForChange(submitted)
  const id = readInteger(param('id'))
  const target = await loadCommentTarget(ctx, view, id)
  if (target.issue.id !== issue.id) throw notFound()
  return change(submitted, target, anchorOf({ id }))
}

async function change(submitted: Submitted, target: Target, anchor: string): Promise<Done> {
  const { ctx, viewer, form, query } = submitted
  const taken = form.get('remove')
  if (taken !== null) await takeBack(ctx, viewer, target, taken)
  else await react(ctx, viewer, target, form.get('add') ?? '')
  return { leadsTo: `${issuePath(submitted, target.issue)}${pageIn(query)}#${anchor}` }
}
