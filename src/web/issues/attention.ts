import { reaches } from '../../platform/access-level.ts'
import { isSubscribed } from '../../collaboration/issue-subscriptions/subscribe.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Visit } from '../repository/visit.ts'
import { markWrong, renderFact, renderFactProblem } from './fact.ts'
import { formPath } from './paths.ts'
import type { Rejected } from './rejected.ts'
import { renderRemovalFact } from './removal-fact.ts'

const reasons = ['Too heated', 'Off-topic', 'Resolved', 'Spam']

/** Who hears of an issue, and who may speak. */
export async function renderAttention(
  visit: Visit,
  issue: Issue,
  rejected?: Rejected<string>,
): Promise<Part> {
  const { ctx, viewer } = visit
  if (!viewer.account) return undefined
  const hears = await isSubscribed(ctx, issue, viewer.account.id)
  const subscription = html`
<form method="post" action="${formPath(visit, issue, 'subscription')}">
<button class="button" name="subscribed" value="${hears ? 'false' : 'true'}">${hears ? 'Unsubscribe' : 'Subscribe'}</button>
<p class="mute">${hears ? 'You hear of what happens here.' : 'You do not hear of what happens here.'}</p>
</form>`
  return html`
${renderFact('Notifications', subscription)}
${administers(visit) && html`${renderLock(visit, issue)}${renderPin(visit, issue, rejected)}${renderRemovalFact(visit, issue)}`}`
}

/** Who may lock, pin and delete. */
export function administers({ view }: Visit): boolean {
  return reaches(view.access.level, 'admin') && !view.repo.isArchived
}

function renderLock(visit: Visit, issue: Issue): Html {
  const action = formPath(visit, issue, 'lock')
  if (issue.isLocked) {
    return renderFact(
      'Conversation',
      html`<form method="post" action="${action}"><button class="button" name="locked" value="false">Unlock</button></form>`,
    )
  }
  const form = html`
<details class="change"><summary>Lock</summary>
<form class="sheet" method="post" action="${action}">
<label class="option">Reason <select name="reason"><option value="">None</option>${reasons.map((reason) => html`<option>${reason}</option>`)}</select></label>
<span class="hint">Only those who write here can comment then.</span>
<button class="button" name="locked" value="true">Lock the conversation</button>
</form></details>`
  return renderFact(
    'Conversation',
    html`<p class="mute">Everybody who reads here can comment.</p>`,
    form,
  )
}

/** What is pinned stands above the list. */
function renderPin(visit: Visit, issue: Issue, rejected?: Rejected<string>): Html {
  const isPinned = issue.pinOrder > 0
  const before = rejected?.form === 'pin' ? rejected : undefined
  return renderFact(
    'Pin',
    html`
<form method="post" action="${formPath(visit, issue, 'pin')}"><button class="button" name="pinned" value="${isPinned ? 'false' : 'true'}"${markWrong(before)}>${isPinned ? 'Unpin' : 'Pin'}</button></form>
${renderFactProblem(before)}
<p class="mute">${isPinned ? 'It stands above the list.' : 'What is pinned stands above the list.'}</p>`,
  )
}
