import type { Query } from '../../platform/http/query.ts'
import { html, type Html, type Part } from '../../platform/html.ts'

export interface SettingsLink {
  readonly label: string
  readonly href: string
  readonly isCurrent: boolean
}

/** One page of settings, beside the way to the others. */
export function renderSettings(query: Query, links: readonly SettingsLink[], content: Html): Html {
  const link = ({ label, href, isCurrent }: SettingsLink) =>
    html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${label}</a></li>`
  return html`
<div class="settings">
<nav aria-label="Settings"><ul class="plain">${links.map(link)}</ul></nav>
<div>
${renderSaved(query)}
${content}
</div>
</div>`
}

/** What was done by a form. */
const notices = {
  yes: 'Saved.',
  'issue-deleted': 'The issue is deleted.',
  'pull-deleted': 'The pull request is deleted.',
  'repository-deleted': 'The repository is deleted.',
  pushing: 'It is being pushed. Load the page again to see how it went.',
  synchronising: 'It is being synchronised. Load the page again to see how it went.',
} as const

export type Notice = keyof typeof notices

/** The address of a page that tells what was done. */
export function withNotice(path: string, notice: Notice): string {
  return `${path}?saved=${notice}`
}

/** After a form whose changes were taken. */
export function renderSaved(query: Query): Part {
  const name = query.text('saved')
  if (name === undefined) return undefined
  const text = Object.hasOwn(notices, name) ? notices[name as Notice] : notices.yes
  return html`<p class="sheet notice" role="status">${text}</p>`
}

export interface SettingsRow {
  readonly title: Html | string
  readonly about: Html | string
  /** A button and what it sends; absent where nothing can be done. */
  readonly action?: Html | undefined
}

/** A list of things, each with what can be done with it. */
export function renderRows(rows: readonly SettingsRow[], nothing: string): Html {
  if (rows.length === 0) return html`<p class="sheet notice mute">${nothing}</p>`
  const row = ({ title, about, action }: SettingsRow) =>
    html`<li><div><b>${title}</b><span class="mute">${about}</span></div>${action}</li>`
  return html`<ul class="rows sheet plain">${rows.map(row)}</ul>`
}

type Values = Readonly<Record<string, string | number>>

/** A form of one button. */
export function renderAction(action: string, label: string, values: Values = {}): Html {
  return renderButton(action, values, html`<button class="button">${label}</button>`)
}

function renderButton(action: string, values: Values, button: Html): Html {
  const hidden = ([name, value]: [string, string | number]) =>
    html`<input type="hidden" name="${name}" value="${value}">`
  return html`<form method="post" action="${action}">${Object.entries(values).map(hidden)}${button}</form>`
}

const REMOVE = 'Remove'

export interface Loss {
  /** Of the first button, such as "Remove". */
  readonly label?: string
  /** Of the second. */
  readonly sure?: string
  /** What it is done to, where there is more of the kind. */
  readonly name?: string
  readonly warning: string
}

/** Asked twice: what is lost does not come back. */
export function renderLoss(action: string, loss: Loss, values: Values = {}): Html {
  return renderAsked(loss, renderButton(action, values, renderSure(loss)))
}

/** Like `renderLoss`, as a button of a form that is sent for other things, too. */
export function renderLossWithin(loss: Loss, name: string, value: string): Html {
  return renderAsked(loss, renderSure(loss, html` name="${name}" value="${value}"`))
}

function renderAsked({ label = REMOVE, name, warning }: Loss, answer: Html): Html {
  return html`<details class="loss"><summary class="button">${label}${unseen(name)}</summary>
<p>${warning}</p>
${answer}</details>`
}

function renderSure({ label = REMOVE, sure = `${label} for good`, name }: Loss, sent?: Html): Html {
  return html`<button class="button danger"${sent}>${sure}${unseen(name)}</button>`
}

function unseen(name: string | undefined): Part {
  return name !== undefined && html`<span class="unseen"> ${name}</span>`
}
