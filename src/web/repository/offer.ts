import type { Context } from '../../context.ts'
import type { RepositoryView } from '../../repositories/view.ts'
import { html, type Part } from '../html.ts'
import { personLink } from '../person.ts'

/** A repository that is offered, for whoever decides on it. */
export function renderOffer({ config }: Context, { transfer }: RepositoryView, home: string): Part {
  if (!transfer) return undefined
  return html`
<p>${personLink(config, transfer.offeredBy)} offers this repository to ${personLink(config, transfer.recipient)}, who will own it.</p>
<div class="actions">
<form method="post" action="${home}/transfer/accept"><button class="button main">Accept</button></form>
<form method="post" action="${home}/transfer/reject"><button class="button">Decline</button></form>
</div>`
}
