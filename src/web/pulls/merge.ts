import { AppError, forbidden, notFound } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import { editIssue } from '../../collaboration/issues/edit.ts'
import { assertEdits } from '../../collaboration/issues/rights.ts'
import { unschedule } from '../../collaboration/pulls/auto-merge.ts'
import { canDropHead, deleteHeadBranch } from '../../collaboration/pulls/drop-head.ts'
import { editPull } from '../../collaboration/pulls/edit.ts'
import {
  assertReadsPulls,
  loadCheckedPull,
  type FoundPull,
} from '../../collaboration/pulls/load.ts'
import { loadMergeOutlook } from '../../collaboration/pulls/merge-rights.ts'
import { mergeStyles } from '../../collaboration/pulls/merge-style.ts'
import { mergePull, type WantedMerge } from '../../collaboration/pulls/merge.ts'
import { titleOfDraft } from '../../collaboration/pulls/pull.ts'
import { updatePullBranch } from '../../collaboration/pulls/update.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { explain, type Explanations } from '../forms/problem.ts'
import { showAgain } from '../issues/again.ts'
import { textIn } from '../issues/editor.ts'
import { issuePath } from '../issues/paths.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { messageIn } from './merge-message.ts'

/** The pull request of the path, in a repository that takes changes. */
export async function loadPullForChange({ ctx, view, param }: Submitted): Promise<FoundPull> {
  assertReadsPulls(view)
  assertNotArchived(view)
  return loadCheckedPull(ctx, view, readInteger(param('index')))
}

/** Merges now or later, or thinks again of the latter. */
export async function merge(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const found = await loadPullForChange(submitted)
  const { issue } = found
  if (form.get('action') === 'cancel') {
    await unschedule(ctx, viewer, view, found)
    return { leadsTo: issuePath(submitted, issue) }
  }
  const { mayMerge } = await loadMergeOutlook(ctx, viewer, view, found)
  if (!mayMerge) throw forbidden('')
  return orAgain(submitted, found, async () => {
    await mergePull(ctx, viewer, view, issue.number, readMerge(form))
  })
}

function readMerge(form: URLSearchParams): WantedMerge {
  const style = mergeStyles.find((one) => one === form.get('style'))
  if (!style) throw notFound()
  const { title, body } = messageIn(form, style)
  return {
    style,
    title,
    message: body,
    mergeCommitId: (form.get('merge_commit_id') ?? '').trim(),
    headCommitId: form.get('head_commit_id') ?? '',
    force: form.get('force') === 'true',
    whenChecksSucceed: form.get('action') === 'wait',
    deleteBranch: form.get('delete_branch') === 'true',
  }
}

const explanations: Explanations = {
  stale: { message: 'Somebody has pushed meanwhile: look at the changes again.' },
  base_moved: { message: 'The branch to merge into has changed meanwhile. Try it again.' },
  nothing_to_merge: { message: 'There is nothing to merge: all commits are there already.' },
  merge_conflicts: {
    message: 'There are conflicts with the branch to merge into: solve them in the branch first.',
  },
  rebase_conflicts: {
    message:
      'One of the commits is in conflict with the branch to merge into: solve this in the branch first.',
  },
}

/** What cannot be done now is told beside the form. */
async function orAgain(
  submitted: Submitted,
  { issue }: FoundPull,
  act: () => Promise<void>,
): Promise<Done> {
  try {
    await act()
  } catch (error) {
    const isRefused =
      error instanceof AppError && ['method_not_allowed', 'conflict'].includes(error.code)
    if (!isRefused) throw error
    const { form } = submitted
    const problem = explain(error, explanations)?.message ?? `This did not work: ${error.message}.`
    const text = textIn(form, 'message')
    return showAgain(submitted, issue, { form: 'merge', text, problem, fields: form })
  }
  return { leadsTo: issuePath(submitted, issue) }
}

/** Brings the base into the head. */
export async function update(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const found = await loadPullForChange(submitted)
  const style = form.get('style') === 'rebase' ? 'rebase' : 'merge'
  return orAgain(submitted, found, () =>
    updatePullBranch(ctx, viewer, view, found.issue.number, style),
  )
}

/** A draft says so by its title. */
export async function turnDraft(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const { issue } = await loadPullForChange(submitted)
  const title = titleOfDraft(issue.title, form.get('draft') === 'true')
  await editIssue(ctx, viewer, view, issue, { title })
  return { leadsTo: issuePath(submitted, issue) }
}

/** Deletes the branch of a pull request that is merged, or says why it stays. */
export async function dropBranch(submitted: Submitted): Promise<Done> {
  const { ctx, viewer } = submitted
  const found = await loadPullForChange(submitted)
  if (!(await canDropHead(ctx, viewer, found))) throw forbidden('')
  try {
    await deleteHeadBranch(ctx, viewer, found)
  } catch (error) {
    const isRefused = error instanceof AppError && ['forbidden', 'conflict'].includes(error.code)
    if (!isRefused) throw error
    const problem = `The branch ${found.pull.headBranch} stays: ${error.message || 'you may not delete it'}.`
    return showAgain(submitted, found.issue, { form: 'branch', text: '', problem })
  }
  return { leadsTo: issuePath(submitted, found.issue) }
}

const baseProblems: Readonly<Record<string, string>> = {
  not_found: 'There is no branch of this name.',
  conflict: 'There is a pull request between these branches already, or this one is merged.',
  invalid: 'It cannot be merged into this branch.',
}

/** Says which branch it is to be merged into. */
export async function changeBase(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const found = await loadPullForChange(submitted)
  assertEdits(view, viewer, found.issue, found.issue)
  const base = (form.get('base') ?? '').trim()
  const again = (problem: string) =>
    showAgain(submitted, found.issue, { form: 'base', text: base, problem })
  if (base === '') return again('Name a branch.')
  try {
    await editPull(ctx, viewer, view, found, { base })
  } catch (error) {
    const problem = error instanceof AppError ? baseProblems[error.code] : undefined
    if (problem === undefined) throw error
    return again(problem)
  }
  return { leadsTo: issuePath(submitted, found.issue) }
}
