import type { FoundPull } from '../../pulls/load.ts'
import type { Pull } from '../../pulls/pull.ts'
import { html, type Html, type Part } from '../html.ts'
import { renderEditor } from '../issues/editor.ts'
import type { Rejected } from '../issues/rejected.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { mayReview } from './review.ts'

/** Where somebody says what they think of the whole. Nobody decides about their own work, or about what is over. */
export function renderReviewForm(
  visit: Visit,
  { issue, pull }: FoundPull,
  before?: Rejected<string>,
): Part {
  if (!mayReview(visit, issue)) return undefined
  const decides = visit.viewer.account?.id !== issue.authorId && !issue.isClosed
  const button = (event: string, label: string, kind = ''): Html =>
    html`<button class="button ${kind}" name="event" value="${event}">${label}</button>`
  return html`
<section id="review">
<h2>Your review</h2>
${renderEditor(visit, {
  id: 'review-body',
  label: 'What you think of the changes',
  text: before?.text ?? '',
  problem: before?.problem,
  action: pathTo(visit, 'pulls', String(issue.number), 'reviews'),
  hidden: renderSeen(pull),
  buttons: html`${decides && button('REQUEST_CHANGES', 'Request changes')}${button('COMMENT', 'Comment')}${decides && button('APPROVED', 'Approve', 'main')}`,
})}
</section>`
}

/** Which commits were looked at: more may have come when the form is sent. */
export function renderSeen({ headCommitId }: Pull): Html {
  return html`<input type="hidden" name="commit_id" value="${headCommitId}">`
}
