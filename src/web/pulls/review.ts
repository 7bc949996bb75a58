import { readHunk } from '../../platform/git/patch.ts'
import type { CodeComment } from '../../collaboration/reviews/code-comment.ts'
import { canResolve } from '../../collaboration/reviews/thread.ts'
import type { SaidOfCode, Thread } from '../../collaboration/reviews/threads.ts'
import type { ReviewState } from '../../collaboration/reviews/review.ts'
import type { ReviewView } from '../../collaboration/reviews/view.ts'
import { writesIssue } from '../../collaboration/issues/rights.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { signedIn } from '../../platform/http/call.ts'
import type { TimelineView } from '../../collaboration/timeline/view.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { avatar } from '../avatar.ts'
import { timeAgo } from '../figures.ts'
import { renderLossWithin } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Talk } from '../issues/conversation.ts'
import { mayEdit } from '../issues/editing.ts'
import { renderTextField } from '../issues/editor.ts'
import { anchorOf } from '../issues/paths.ts'
import type { Rejected } from '../issues/rejected.ts'
import type { Speak } from '../issues/speech.ts'
import { personLink } from '../person.ts'
import { renderDismissal } from './dismissal.ts'
import { renderLines } from '../repository/patch.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

const LINE_LENGTH = 500

/** What a review comes to, in words after a name. */
export const verdicts: Readonly<Record<ReviewState, string>> = {
  APPROVED: 'approved the changes',
  REQUEST_CHANGES: 'wants something changed',
  COMMENT: 'reviewed the changes',
  PENDING: 'has begun a review',
  REQUEST_REVIEW: 'is asked for a review',
}

const kinds: Partial<Readonly<Record<ReviewState, string>>> = {
  APPROVED: 'approving',
  REQUEST_CHANGES: 'refusing',
}

/** A review where it was handed in, with what it says of lines. */
export async function renderReview(talk: Talk, { comment }: TimelineView): Promise<Part> {
  const { visit, shown, speak, reviewed, rejected } = talk
  const id = comment.details.reviewId ?? 0
  const found = reviewed?.reviews.find(({ review }) => review.id === id)
  if (!found) return undefined
  const threads = reviewed?.threads.filter(({ reviewId }) => reviewId === id) ?? []
  return html`
<article class="comment" id="pullrequestreview-${id}">
${avatar(visit.ctx.config, found.reviewer ?? ghost, 40)}
<section class="sheet review ${kinds[found.review.state]}">
${renderHead(visit, found)}
${found.review.body !== '' && html`<div class="prose">${await speak(found.review.body)}</div>`}
${renderDismissal(visit, shown.issue, found.review, rejected)}
${await Promise.all(threads.map((thread) => renderThread(visit, shown.issue, thread, { speak, rejected, showsCode: true })))}
</section>
</article>`
}

function renderHead({ ctx }: Visit, { review, reviewer = ghost }: ReviewView): Html {
  const { id, state, createdAt, isStale, isDismissed } = review
  return html`<header><span>${nameOf(ctx, reviewer)} ${verdicts[state]} <a class="mute" href="#pullrequestreview-${id}">${timeAgo(ctx.now(), createdAt)}</a></span>
<span class="end">${isDismissed && html`<span class="tag">Dismissed</span>`} ${isStale && html`<span class="tag">Before later changes</span>`}</span></header>`
}

/** All that is said of these lines. */
export function textsIn(threads: readonly Thread[]): readonly string[] {
  return threads.flatMap(({ said }) => said.map(({ comment }) => comment.body))
}

interface ThreadOptions {
  readonly speak: Speak
  readonly rejected?: Rejected<string> | undefined
  /** With the lines that it is about, where they are not seen already. */
  readonly showsCode: boolean
  /** Where forms lead back to. */
  readonly on?: 'files' | undefined
}

/** What was said of one line; who may speak answers here. */
export async function renderThread(
  visit: Visit,
  issue: Issue,
  thread: Thread,
  options: ThreadOptions,
): Promise<Html> {
  const { showsCode, on } = options
  const { path, oldLine, newLine, said, resolver, diffHunk, isPending } = thread
  const place = `line ${oldLine > 0 ? `${oldLine} before` : newLine}`
  const [first] = said
  const content = html`
${showsCode && diffHunk !== '' && renderLines(readHunk(diffHunk, { lineLength: LINE_LENGTH }))}
${await Promise.all(said.map((one) => renderSaidOfCode(visit, issue, one, options)))}
${!showsCode || diffHunk !== '' ? undefined : html`<p class="mute">The line is not among the changes.</p>`}
${isPending && html`<p class="mute">Nobody else sees this until the review is handed in.</p>`}
${renderAnswer(visit, issue, first.comment.id, options)}`
  const outdated = !thread.place && html` <span class="tag">Outdated</span>`
  const title = html`<code>${path}</code> <span class="mute">${place}</span>${outdated}`
  if (!resolver) {
    return html`<section class="thread">${showsCode && html`<p class="about">${title}</p>`}${content}${renderSettle(visit, issue, first.comment.id, { isSettled: false, on })}</section>`
  }
  return html`<details class="thread"><summary>${title} <span class="tag good">Settled by ${resolver.name}</span></summary>${content}${renderSettle(visit, issue, first.comment.id, { isSettled: true, on })}</details>`
}

async function renderSaidOfCode(
  visit: Visit,
  issue: Issue,
  { comment, author }: SaidOfCode,
  options: ThreadOptions,
): Promise<Html> {
  const { ctx } = visit
  const id = anchorOf(comment)
  return html`
<article class="said" id="${id}">
<header>${avatar(ctx.config, author, 22)} ${nameOf(ctx, author)} <a class="mute" href="#${id}">${timeAgo(ctx.now(), comment.createdAt)}</a></header>
<div class="prose">${await options.speak(comment.body)}</div>
${mayEdit(visit, issue, comment) && renderEditSaid(visit, issue, comment, options)}
</article>`
}

function renderEditSaid(
  visit: Visit,
  issue: Issue,
  { id, body }: CodeComment,
  { rejected, on }: ThreadOptions,
): Html {
  const before = rejected?.form === `said-${id}` ? rejected : undefined
  return html`
<details class="answer"${before && html` open`}><summary>Edit</summary>
<form method="post" action="${pathTo(visit, 'pulls', String(issue.number), 'comments', String(id))}">${backTo(on)}
<label class="unseen" for="said-${id}">Comment</label>
${renderTextField(visit, { id: `said-${id}`, rows: 3, text: before?.text ?? body, problem: before?.problem })}
<span class="buttons"><button class="button main" name="action" value="save">Save</button>${renderLossWithin({ label: 'Delete comment', warning: 'It goes for everybody.' }, 'action', 'delete')}</span>
</form></details>`
}

/** Forms lead back to the page that they stand on. */
function backTo(on: ThreadOptions['on']): Part {
  return on && html`<input type="hidden" name="on" value="${on}">`
}

function nameOf({ config }: Visit['ctx'], account: Account): Html {
  return account.id > 0 ? personLink(config, account) : html`<b>${account.name}</b>`
}

/** Whether the viewer may say something of the code. */
export function mayReview({ viewer, view }: Visit, issue: Issue): boolean {
  if (!viewer.account || view.repo.isArchived) return false
  return !issue.isLocked || writesIssue(view, issue)
}

function renderAnswer(
  visit: Visit,
  issue: Issue,
  id: number,
  { rejected, on }: ThreadOptions,
): Part {
  if (!mayReview(visit, issue)) return undefined
  const before = rejected?.form === `thread-${id}` ? rejected : undefined
  const path = pathTo(visit, 'pulls', String(issue.number), 'comments', String(id), 'replies')
  return html`
<details class="answer"${before && html` open`}><summary>Answer</summary>
<form method="post" action="${path}">${backTo(on)}
<label class="unseen" for="answer-${id}">Answer</label>
${renderTextField(visit, { id: `answer-${id}`, rows: 3, text: before?.text ?? '', problem: before?.problem })}
<button class="button main">Answer</button>
</form></details>`
}

function renderSettle(
  visit: Visit,
  issue: Issue,
  id: number,
  { isSettled, on }: Pick<ThreadOptions, 'on'> & { readonly isSettled: boolean },
): Part {
  const { viewer, view } = visit
  if (!viewer.account || view.repo.isArchived) return undefined
  if (!canResolve(signedIn(viewer), view, issue)) return undefined
  const path = pathTo(visit, 'pulls', String(issue.number), 'comments', String(id), 'settled')
  return html`<form class="settle" method="post" action="${path}">${backTo(on)}<button class="button" name="settled" value="${isSettled ? 'false' : 'true'}">${isSettled ? 'Open again' : 'Settle'}</button></form>`
}
