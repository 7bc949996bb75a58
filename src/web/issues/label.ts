import type { Label } from '../../repositories/labels/label.ts'
import { html, type Html } from '../../platform/html.ts'

/** Its colour is an attribute of a picture: pages take no styles but those of the sheet. */
export function renderLabel({ name, color, description }: Label): Html {
  const fill = /^#?([0-9a-f]{6})$/i.exec(color)?.[1] ?? '808080'
  return html`<span class="tag label" title="${description}"><svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="#${fill}"/></svg>${name}</span>`
}
