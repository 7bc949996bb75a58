import { html, type Html } from '../../platform/html.ts'
import { icon } from '../icons.ts'

export interface Moves {
  readonly action: string
  /** Such as the title of what is moved. */
  readonly name: string
  /** Where it stands now; the first place is 1. */
  readonly position: number
  readonly count: number
  /** What says which one is meant, where the address does not. */
  readonly values?: Readonly<Record<string, string>>
}

/** Two buttons that put one of a list a place further up or down. */
export function renderMoves({ action, name, position, count, values = {} }: Moves): Html {
  const button = (to: number, way: 'up' | 'down') =>
    html`<button class="button" name="position" value="${to}" aria-label="Move ${name} ${way}"${(to < 1 || to > count) && html` disabled`}>${icon(way)}</button>`
  const hidden = ([key, value]: [string, string]) =>
    html`<input type="hidden" name="${key}" value="${value}">`
  return html`<form class="moves" method="post" action="${action}">${Object.entries(values).map(hidden)}${button(position - 1, 'up')}${button(position + 1, 'down')}</form>`
}
