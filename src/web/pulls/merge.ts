import { AppError, forbidden, notFound } from '../../errors.ts'
import { readInteger } from '../../http/query.ts'
import { editIssue } from '../../issues/edit.ts'
import { unschedule } from '../../pulls/auto-merge.ts'
import { canDropHead, dropHeadBranch } from '../../pulls/drop-head.ts'
import { assertReadsPulls, loadCheckedPull, type FoundPull } from '../../pulls/load.ts'
import { loadMergeOutlook } from '../../pulls/merge-rights.ts'
import { mergeStyles } from '../../pulls/merge-style.ts'
import { mergePull, type WantedMerge } from '../../pulls/merge.ts'
import { titleOfDraft } from '../../pulls/pull.ts'
import { updatePullBranch } from '../../pulls/update.ts'
import { assertNotArchived } from '../../repositories/load.ts'
import { showAgain } from '../issues/again.ts'
import { textIn } from '../issues/editor.ts'
import { issuePath } from '../issues/paths.ts'
import type { Done, Submitted } from '../repository/form.ts'

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
  return {
    style,
    title: form.get('title') ?? '',
    message: textIn(form, 'message'),
    mergeCommitId: (form.get('merge_commit_id') ?? '').trim(),
    headCommitId: form.get('head_commit_id') ?? '',
    force: form.get('force') === 'true',
    whenChecksSucceed: form.get('action') === 'wait',
    deleteBranch: form.get('delete_branch') === 'true',
  }
}

const mended = new Map([
  ['head out of date', 'Somebody has pushed meanwhile: look at the changes again.'],
])

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
    const problem = mended.get(error.message) ?? `This did not work: ${error.message}.`
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

/** Deletes the branch of a pull request that is merged. */
export async function dropBranch(submitted: Submitted): Promise<Done> {
  const { ctx, viewer } = submitted
  const found = await loadPullForChange(submitted)
  if (!(await canDropHead(ctx, viewer, found))) throw forbidden('')
  await dropHeadBranch(ctx, viewer, found)
  return { leadsTo: issuePath(submitted, found.issue) }
}
