import type { Seen } from '../../code/content/browse.ts'
import type { ContentEntry } from '../../code/content/entries.ts'
import { html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import type { NamedRef } from '../repository/source.ts'
import type { Visit } from '../repository/visit.ts'
import { formPath } from './place.ts'
import { mayEdit } from './rights.ts'
import { editableText } from './write.ts'

/** Ways to add something to a folder of a branch, for those who may. */
export function renderAddMenu(visit: Visit, seen: NamedRef & { readonly path: string }): Part {
  if (seen.kind !== 'branch' || !mayEdit(visit)) return undefined
  const place = { branch: seen.name, path: seen.path }
  return html`<menu-closer><details class="ref-menu add-menu">
<summary class="button">${icon('plus')} <span>Add file</span></summary>
<div class="choices"><ul>
<li><a href="${formPath(visit, '_new', place)}">New file</a></li>
<li><a href="${formPath(visit, '_upload', place)}">Upload files</a></li>
</ul></div>
</details></menu-closer>`
}

export function renderEditLinks(visit: Visit, seen: Seen, entry: ContentEntry): Part {
  if (seen.kind !== 'branch' || entry.kind === 'submodule' || !mayEdit(visit)) return undefined
  const place = { branch: seen.name, path: seen.path }
  return html`${editableText(entry) !== undefined && html`<a href="${formPath(visit, '_edit', place)}" data-keys="e" data-keys-label="Edit this file">${icon('pencil')} Edit</a>`}
<a href="${formPath(visit, '_delete', place)}">${icon('trash')} Delete</a>`
}
