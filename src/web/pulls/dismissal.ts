import { reaches } from '../../platform/access-level.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { isDecision, type Review } from '../../collaboration/reviews/review.ts'
import { html, type Part } from '../../platform/html.ts'
import type { Rejected } from '../issues/rejected.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

/** Administrators say that a decision counts no longer, and why; or that it counts again. */
export function renderDismissal(
  visit: Visit,
  issue: Issue,
  review: Review,
  rejected?: Rejected<string>,
): Part {
  if (!mayDismiss(visit, issue, review)) return undefined
  const action = pathTo(
    visit,
    'pulls',
    String(issue.number),
    'reviews',
    String(review.id),
    'dismissal',
  )
  if (review.isDismissed) {
    return html`<form class="dismissal" method="post" action="${action}"><button class="button" name="dismissed" value="false">Let it count again</button></form>`
  }
  const before = rejected?.form === `dismissal-${review.id}` ? rejected : undefined
  const id = `reason-${review.id}`
  return html`
<details class="dismissal"${before && html` open`}><summary>Dismiss</summary>
<form method="post" action="${action}">
<label for="${id}">Why it counts no longer</label>
<input id="${id}" name="reason" required value="${before?.text}"${before && html` aria-invalid="true" aria-describedby="${id}-problem"`}>
${before && html`<p class="problem" id="${id}-problem" role="alert">${before.problem}</p>`}
<label class="option"><input type="checkbox" name="priors" value="true"> With all that they decided before</label>
<button class="button" name="dismissed" value="true">Dismiss the review</button>
</form></details>`
}

function mayDismiss({ viewer, view }: Visit, issue: Issue, review: Review): boolean {
  if (!viewer.account || view.repo.isArchived || issue.isClosed) return false
  return reaches(view.access.level, 'admin') && isDecision(review)
}
