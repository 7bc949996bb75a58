import type { PullView } from '../../collaboration/pulls/view.ts'
import { loadReviewed } from '../../collaboration/reviews/threads.ts'
import { html } from '../../platform/html.ts'
import { renderConversation } from '../issues/conversation.ts'
import { renderIssueFacts } from '../issues/facts.ts'
import type { Rejected } from '../issues/rejected.ts'
import { renderReply } from '../issues/reply.ts'
import type { InShell } from '../repository/shell.ts'
import type { Shown, Visit } from '../repository/visit.ts'
import { inPull, renderPullFrame } from './frame.ts'
import { renderMergeBox } from './merge-box.ts'
import { renderReviewers } from './reviewers.ts'

export async function showPull(visit: Visit): Promise<Shown> {
  return inPull(visit, (shown) => renderPull(visit, shown))
}

/** What is said of a pull request, and whether it can be merged. */
export async function renderPull(
  visit: Visit,
  shown: PullView,
  rejected?: Rejected<string>,
): Promise<InShell> {
  const reviewed = await loadReviewed(visit.ctx, visit.viewer, visit.view.repo, shown)
  const content = html`
<div class="split">
<div>
${await renderConversation(visit, shown, rejected, reviewed)}
${await renderMergeBox(visit, shown, rejected)}
${renderReply(visit, shown, rejected)}
</div>
${await renderIssueFacts(visit, shown, rejected, await renderReviewers(visit, shown, reviewed, rejected))}
</div>`
  return renderPullFrame(visit, shown, 'conversation', content, rejected)
}
