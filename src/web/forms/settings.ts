import type { Query } from '../../http/query.ts'
import { html, type Html, type Part } from '../html.ts'

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

/** After a form whose changes were taken. */
export function renderSaved(query: Query): Part {
  return query.text('saved') !== undefined && html`<p class="sheet notice" role="status">Saved.</p>`
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
export function renderLoss(
  action: string,
  { label = 'Remove', sure = `${label} for good`, name, warning }: Loss,
  values: Values = {},
): Html {
  const unseen = name !== undefined && html`<span class="unseen"> ${name}</span>`
  const button = html`<button class="button danger">${sure}${unseen}</button>`
  return html`<details class="loss"><summary class="button">${label}${unseen}</summary>
<p>${warning}</p>
${renderButton(action, values, button)}</details>`
}
