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

/** A form of one button. */
export function renderAction(
  action: string,
  label: string,
  values: Readonly<Record<string, string | number>> = {},
): Html {
  const hidden = ([name, value]: [string, string | number]) =>
    html`<input type="hidden" name="${name}" value="${value}">`
  return html`<form method="post" action="${action}">${Object.entries(values).map(hidden)}<button class="button">${label}</button></form>`
}
