import { reaches } from '../../access-level.ts'
import { isSubscribed } from '../../issue-subscriptions/subscribe.ts'
import type { Issue } from '../../issues/issue.ts'
import { html, type Html, type Part } from '../html.ts'
import type { Visit } from '../repository/visit.ts'
import { formPath } from './paths.ts'
import type { Rejected } from './rejected.ts'

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
  return html`
<section class="fact"><h2>Notifications</h2>
<form method="post" action="${formPath(visit, issue, 'subscription')}">
<button class="button" name="subscribed" value="${hears ? 'false' : 'true'}">${hears ? 'Unsubscribe' : 'Subscribe'}</button>
<p class="mute">${hears ? 'You hear of what happens here.' : 'You do not hear of what happens here.'}</p>
</form></section>
${administers(visit) && html`${renderLock(visit, issue)}${renderPin(visit, issue, rejected)}`}`
}

/** Who may lock and pin. */
export function administers({ view }: Visit): boolean {
  return reaches(view.access.level, 'admin') && !view.repo.isArchived
}

function renderLock(visit: Visit, issue: Issue): Html {
  const action = formPath(visit, issue, 'lock')
  if (issue.isLocked) {
    return html`<section class="fact"><h2>Conversation</h2><form method="post" action="${action}"><button class="button" name="locked" value="false">Unlock</button></form></section>`
  }
  return html`
<section class="fact"><h2>Conversation</h2>
<details class="change"><summary>Lock</summary>
<form class="sheet" method="post" action="${action}">
<label class="option">Reason <select name="reason"><option value="">None</option>${reasons.map((reason) => html`<option>${reason}</option>`)}</select></label>
<span class="hint">Only those who write here can comment then.</span>
<button class="button" name="locked" value="true">Lock the conversation</button>
</form></details>
<p class="mute">Everybody who reads here can comment.</p></section>`
}

/** What is pinned stands above the list. */
function renderPin(visit: Visit, issue: Issue, rejected?: Rejected<string>): Html {
  const isPinned = issue.pinOrder > 0
  return html`
<section class="fact"><h2>Pin</h2>
<form method="post" action="${formPath(visit, issue, 'pin')}"><button class="button" name="pinned" value="${isPinned ? 'false' : 'true'}">${isPinned ? 'Unpin' : 'Pin'}</button></form>
${rejected?.form === 'pin' && html`<p class="problem" role="alert">${rejected.problem}</p>`}
<p class="mute">${isPinned ? 'It stands above the list.' : 'What is pinned stands above the list.'}</p></section>`
}
