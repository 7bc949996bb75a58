import type { FoundPull } from '../../collaboration/pulls/load.ts'
import type { Pull } from '../../collaboration/pulls/pull.ts'
import type { Thread } from '../../collaboration/reviews/threads.ts'
import type { ReviewView } from '../../collaboration/reviews/view.ts'
import { counted } from '../figures.ts'
import { renderLossWithin } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderEditor } from '../issues/editor.ts'
import type { Rejected } from '../issues/rejected.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { loadSpeech } from '../issues/speech.ts'
import { mayReview, renderThread, textsIn } from './review.ts'

interface ReviewForm {
  /** What the viewer has begun. */
  readonly pending: ReviewView | undefined
  /** What it says of states before the last push, which is seen nowhere else. */
  readonly earlier: readonly Thread[]
  readonly rejected: Rejected<string> | undefined
}

/**
 * Where somebody says what they think of the whole. Nobody decides about their own work, or about
 * what is over.
 */
export async function renderReviewForm(
  visit: Visit,
  { issue, pull }: FoundPull,
  { pending, earlier, rejected }: ReviewForm,
): Promise<Part> {
  if (!mayReview(visit, issue)) return undefined
  const before = rejected?.form === 'review' ? rejected : undefined
  const decides = visit.viewer.account?.id !== issue.authorId && !issue.isClosed
  const button = (event: string, label: string, kind = ''): Html =>
    html`<button class="button ${kind}" name="event" value="${event}">${label}</button>`
  const speak = await loadSpeech(visit, textsIn(earlier))
  const threads = earlier.map((thread) =>
    renderThread(visit, issue, thread, { speak, rejected, showsCode: true, on: 'files' }),
  )
  return html`
<section id="review">
<h2>Your review</h2>
${pending && html`<p class="sheet notice">You have begun a review with ${counted(pending.comments, 'comment')} on lines. Nobody else sees it until you hand it in.</p>`}
${threads.length > 0 && html`<section class="sheet earlier" aria-label="Said of an earlier state">${await Promise.all(threads)}</section>`}
${renderEditor(visit, {
  id: 'review-body',
  label: 'What you think of the changes',
  text: before?.text ?? pending?.review.body ?? '',
  problem: before?.problem,
  action: pathTo(visit, 'pulls', String(issue.number), 'reviews'),
  hidden: renderSeen(pull),
  buttons: html`${pending && renderLossWithin({ label: 'Give the review up', warning: 'What you said of lines in it is lost.' }, 'event', 'DISCARD')}${decides && button('REQUEST_CHANGES', 'Request changes')}${button('COMMENT', 'Comment')}${decides && button('APPROVED', 'Approve', 'main')}`,
})}
</section>`
}

/** Which commits were looked at: more may have come when the form is sent. */
export function renderSeen({ headCommitId }: Pull): Html {
  return html`<input type="hidden" name="commit_id" value="${headCommitId}">`
}
