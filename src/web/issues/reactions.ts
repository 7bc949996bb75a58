import type { ReactionTally } from '../../collaboration/reactions/queries.ts'
import { canReact } from '../../collaboration/reactions/react.ts'
import { countText } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Talk } from './conversation.ts'
import { formPath } from './paths.ts'

/** Pictures of what is said by a name; what has none is said in words. */
const pictures = new Map([
  ['+1', '👍'],
  ['-1', '👎'],
  ['laugh', '😄'],
  ['hooray', '🎉'],
  ['confused', '😕'],
  ['heart', '❤️'],
  ['rocket', '🚀'],
  ['eyes', '👀'],
])

/** What was said with one click, and where one says it oneself. */
export function renderReactions(talk: Talk, commentId = 0): Part {
  const { visit, shown, page, reactions } = talk
  const { ctx, viewer, view } = visit
  const { issue } = shown
  const tallies = reactions(commentId)
  const isOpen = viewer.account !== undefined && !view.repo.isArchived && canReact({ view, issue })
  if (!isOpen) {
    if (tallies.length === 0) return undefined
    return html`<div class="reactions">${tallies.map((one) => html`<span class="reaction">${renderTally(one)}</span>`)}</div>`
  }
  const parts = commentId === 0 ? [] : ['comments', String(commentId)]
  const unsaid = ctx.config.ui.reactions.filter(
    (name) => !tallies.some(({ content }) => content === name),
  )
  return html`
<form class="reactions" method="post" action="${formPath(visit, issue, ...parts, 'reactions')}?page=${page.number}">
${tallies.map(renderOwn)}
${unsaid.length > 0 && html`<menu-closer><details><summary class="reaction">React</summary><span class="choices">${unsaid.map(renderChoice)}</span></details></menu-closer>`}
</form>`
}

function renderOwn(tally: ReactionTally): Html {
  const { content, isOwn } = tally
  return html`<button class="reaction" name="${isOwn ? 'remove' : 'add'}" value="${content}" aria-pressed="${isOwn ? 'true' : 'false'}">${renderTally(tally)}</button>`
}

function renderTally({ content, count }: ReactionTally): Html {
  return html`${picture(content)} ${countText(count)}`
}

function renderChoice(content: string): Html {
  return html`<button class="reaction" name="add" value="${content}">${picture(content)}</button>`
}

function picture(content: string): Html {
  const drawn = pictures.get(content)
  return drawn ? html`<span role="img" aria-label="${content}">${drawn}</span>` : html`${content}`
}
