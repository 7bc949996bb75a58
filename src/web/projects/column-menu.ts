import type { Column } from '../../collaboration/projects/column.ts'
import { renderLoss } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'

interface ColumnMenu {
  readonly path: string
  readonly column: Column
  /** From the left; the first place is 1. */
  readonly position: number
  readonly count: number
}

/** All that can be done with a column. */
export function renderColumnMenu({ path, column, position, count }: ColumnMenu): Html {
  const { title, color, isDefault } = column
  const move = (to: number, way: 'left' | 'right') =>
    html`<button class="button" name="position" value="${to}"${(to < 1 || to > count) && html` disabled`}>Move ${way}</button>`
  return html`<details><summary>Change<span class="unseen"> ${title}</span></summary>
<div class="sheet">
<form method="post" action="${path}/edit">
<label>Title <input name="title" required maxlength="255" value="${title}" autocomplete="off"></label>
<label>Colour <input name="color" value="${color}" pattern="#[0-9a-fA-F]{6}" placeholder="#aabbcc" title="Six hexadecimal digits after a #" autocomplete="off"></label>
<button class="button">Save</button></form>
<form class="row" method="post" action="${path}/order">${move(position - 1, 'left')}${move(position + 1, 'right')}</form>
${
  isDefault
    ? html`<p class="mute">What is put on the board comes here first.</p>`
    : html`<form class="row" method="post" action="${path}/default"><button class="button">Begin here</button></form>
${renderLoss(`${path}/delete`, { label: 'Delete column', name: title, warning: 'What is in it goes to the column where things begin.' })}`
}
</div></details>`
}
