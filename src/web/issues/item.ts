import type { Context } from '../../platform/context.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import { avatar } from '../avatar.ts'
import { counted, countText, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { personLink } from '../person.ts'
import { renderLabel } from './label.ts'
import { stateOf } from './state.ts'
import { titleText } from './title-text.ts'

interface Place {
  readonly path: string
  /** Before its number, in lists of several repositories. */
  readonly repository?: Part
  readonly more?: Part
}

/** A line in a list of issues or pull requests. */
export function renderItem(
  ctx: Context,
  shown: IssueView,
  { path, repository, more }: Place,
): Html {
  const { issue, author, labels, milestone, assignees } = shown
  const { config } = ctx
  const state = stateOf(shown)
  return html`
<li>
<span class="mark-${state.mark}" title="${state.name}">${icon(state.icon)}<span class="unseen">${state.name}</span></span>
<div>
<h2><a href="${path}">${titleText(issue.title)}</a> ${labels.map(renderLabel)}</h2>
<p class="mute">${repository}#${issue.number} opened ${timeAgo(ctx.now(), issue.createdAt)} by ${personLink(config, author)}${milestone && html` · ${milestone.title}`}</p>
</div>
<span class="people">${assignees.map((one) => html`<span title="${one.name}">${avatar(config, one, 22)}</span>`)}</span>
${issue.commentsCount > 0 && html`<span class="mute" title="${counted(issue.commentsCount, 'comment')}">${icon('comment')} ${countText(issue.commentsCount)}</span>`}
${more}
</li>`
}
