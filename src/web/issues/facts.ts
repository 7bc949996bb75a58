import type { IssueView } from '../../issues/view.ts'
import type { Milestone } from '../../milestones/milestone.ts'
import { formatTime } from '../../time.ts'
import { avatar } from '../avatar.ts'
import { html, type Html } from '../html.ts'
import { once } from '../once.ts'
import { personLink } from '../person.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderLabel } from './label.ts'

const day = once(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }))

/** What is known of an issue besides what was said. */
export function renderIssueFacts(visit: Visit, shown: IssueView): Html {
  const { issue, labels, assignees, milestone } = shown
  const { config } = visit.ctx
  const none = html`<p class="mute">None</p>`
  return html`
<aside class="facts-aside">
<h2>Labels</h2>
${labels.length === 0 ? none : html`<p class="labels">${labels.map(renderLabel)}</p>`}
<h2>Assignees</h2>
${assignees.length === 0 ? none : assignees.map((one) => html`<p>${avatar(config, one, 22)} ${personLink(config, one)}</p>`)}
<h2>Milestone</h2>
${milestone ? renderMilestone(visit, milestone) : none}
${issue.dueAt > 0 && html`<h2>Due</h2><p><time datetime="${formatTime(issue.dueAt)}">${day().format(issue.dueAt * 1000)}</time></p>`}
</aside>`
}

function renderMilestone(visit: Visit, milestone: Milestone): Html {
  const { title, openIssuesCount, closedIssuesCount } = milestone
  const all = openIssuesCount + closedIssuesCount
  const text = `${closedIssuesCount} of ${all} closed`
  return html`
<p><a href="${pathTo(visit, 'issues')}?milestone=${encodeURIComponent(title)}">${title}</a></p>
<progress value="${closedIssuesCount}" max="${Math.max(all, 1)}" aria-label="${text}"></progress>
<p class="mute">${text}</p>`
}
