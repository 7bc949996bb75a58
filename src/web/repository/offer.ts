import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isNothing, type ComesAlong } from '../../code/transfers/comes-along.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { personLink } from '../person.ts'

/**
 * A repository that is offered, for whoever decides on it, and who has access to it from then on.
 */
export function renderOffer(
  { config }: Context,
  { transfer }: RepositoryView,
  home: string,
  along: ComesAlong,
): Part {
  if (!transfer) return undefined
  return html`
<p>${personLink(config, transfer.offeredBy)} offers this repository to ${personLink(config, transfer.recipient)}, who will own it.</p>
${!isNothing(along) && renderAlong(config, along)}
<div class="actions">
<form method="post" action="${home}/transfer/accept"><input type="hidden" name="seen" value="${along.digest}"><button class="button main">Accept</button></form>
<form method="post" action="${home}/transfer/reject"><button class="button">Decline</button></form>
</div>`
}

function renderAlong(config: Config, along: ComesAlong): Html {
  return html`
<p>With it come, until you take them away in its settings:</p>
<ul>
${along.collaborators.map(({ person, level }) => html`<li>${personLink(config, person)}, who may ${deeds[level] ?? level}</li>`)}
${along.deployKeys.map((key) => html`<li>the deploy key ${key.title} (<code>${key.fingerprint}</code>), which may ${key.writes ? 'push' : 'read'}</li>`)}
${along.webhooks.map((hook) => html`<li>a webhook to <code>${hook.host}</code>${hook.hasSecret && ', with a secret'}${!hook.isActive && ', switched off'}</li>`)}
${along.pushMirrors.map((host) => html`<li>a mirror that is pushed to <code>${host}</code></li>`)}
${along.secrets.map((name) => html`<li>the secret <code>${name}</code> of its workflows</li>`)}
</ul>`
}

const deeds: Readonly<Record<string, string>> = {
  read: 'read',
  write: 'push',
  admin: 'administer it',
}
