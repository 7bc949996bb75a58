import type { FilePatch, Patch, Side } from '../../platform/git/patch.ts'
import { loadPullPatch } from '../../collaboration/pulls/content.ts'
import type { PullView } from '../../collaboration/pulls/view.ts'
import { loadOwnPending } from '../../collaboration/reviews/load.ts'
import { loadReviewed } from '../../collaboration/reviews/threads.ts'
import { html, type Part } from '../../platform/html.ts'
import { renderTextField } from '../issues/editor.ts'
import type { Rejected } from '../issues/rejected.ts'
import { renderPatch } from '../repository/patch.ts'
import { whitespaceOf } from '../repository/patch-style.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Shown, type Visit } from '../repository/visit.ts'
import { inPull, renderPullFrame } from './frame.ts'
import { placeThreads, renderOnLines, renderOutdated, renderUnseen } from './line-threads.ts'
import { mayReview } from './review.ts'
import { renderReviewForm, renderSeen } from './review-form.ts'

/** A comment on a line that was not taken. */
export interface RejectedRemark {
  readonly path: string
  readonly side: Side
  readonly line: string
  readonly text: string
  readonly problem: string
}

export async function showPullFiles(visit: Visit): Promise<Shown> {
  return inPull(visit, (shown) => renderPullFiles(visit, shown))
}

/** What a pull request changes, with what is said of it. */
export async function renderPullFiles(
  visit: Visit,
  shown: PullView,
  rejected?: RejectedRemark | Rejected<string>,
): Promise<InShell> {
  const { ctx, view, viewer } = visit
  const { issue, pull } = shown
  const patch = await loadPullPatch(ctx, view.repo, pull, whitespaceOf(visit))
  const { threads } = await loadReviewed(ctx, viewer, view.repo, shown)
  const pending = await loadOwnPending(ctx, viewer, issue)
  const placed = placeThreads(patch, threads)
  const earlier = threads.filter(({ place, reviewId }) => !place && reviewId === pending?.review.id)
  const remark = rejected && 'path' in rejected ? rejected : undefined
  const other = rejected && 'path' in rejected ? undefined : rejected
  const remarks = {
    ofLine: await renderOnLines(visit, issue, placed, other),
    ofFile: (file: FilePatch, number: number) =>
      mayReview(visit, issue) &&
      renderRemarkForm(visit, shown, { file, number, remark, isBegun: pending !== undefined }),
  }
  const page = pathTo(visit, 'pulls', String(issue.number), 'files')
  const content = html`
${remark && renderLost(patch, remark)}
${await renderPatch(visit, patch, { page, after: { kind: 'commit', name: pull.headCommitId }, remarks })}
${await renderUnseen(visit, issue, placed, other)}
${renderOutdated(visit, issue, threads)}
${await renderReviewForm(visit, shown, { pending, earlier, rejected: other })}`
  return renderPullFrame(visit, shown, 'files', content)
}

/** What was typed for a file that is not shown is not lost. */
function renderLost({ files }: Patch, { path, text, problem }: RejectedRemark): Part {
  if (files.some((file) => file.path === path)) return undefined
  return html`<section class="sheet notice" role="alert"><p>${problem}</p><pre>${text}</pre></section>`
}

interface RemarkForm {
  readonly file: FilePatch
  readonly number: number
  readonly remark: RejectedRemark | undefined
  /** What is said belongs to a review that is not handed in. */
  readonly isBegun: boolean
}

/** With script it opens below the line whose number is clicked. */
function renderRemarkForm(
  visit: Visit,
  { issue, pull }: PullView,
  { file: { path, isBinary, lines }, number, remark: rejected, isBegun }: RemarkForm,
): Part {
  if (isBinary || lines.length === 0) return undefined
  const before = rejected?.path === path ? rejected : undefined
  const option = (side: Side, label: string) =>
    html`<option value="${side}"${before?.side === side && html` selected`}>${label}</option>`
  return html`
<line-comment><details class="remark-form"${before && html` open`}><summary>Comment on a line</summary>
<form method="post" action="${pathTo(visit, 'pulls', String(issue.number), 'files')}">
${renderSeen(pull)}<input type="hidden" name="path" value="${path}"><input type="hidden" name="file" value="${number}">
<div class="row"><label>Line <input type="number" name="line" min="1" required value="${before?.line}"></label>
<label>as it is <select name="side">${option('new', 'after the change')}${option('old', 'before the change')}</select></label></div>
<label class="unseen" for="remark-${number}">Comment</label>
${renderTextField(visit, { id: `remark-${number}`, rows: 3, text: before?.text ?? '', problem: before?.problem })}
<span class="buttons">${
    isBegun
      ? html`<button class="button main" name="action" value="later">Add to your review</button>`
      : html`<button class="button main" name="action" value="now">Add comment</button><button class="button" name="action" value="later">Begin a review with it</button>`
  }</span>
</form></details></line-comment>`
}
