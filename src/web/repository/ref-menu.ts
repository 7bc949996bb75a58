import { loadRefNames, type RefNames } from '../../code/commits/ref-names.ts'
import { counted } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { nearestPath } from './nearest.ts'
import { refLabel, type NamedRef } from './source.ts'
import { pathTo, type Visit } from './visit.ts'

export const MAX_LISTED = 50

export type Refs = RefNames

/** The first branches and tags, to choose from. */
export async function loadRefs({ ctx, view: { repo } }: Visit): Promise<Refs> {
  return loadRefNames(ctx, repo, MAX_LISTED)
}

/** A choice of refs, which leads to the same path at another one, or close to it. */
export function renderRefMenu(
  visit: Visit,
  section: 'src' | 'commits' | 'blame',
  current: NamedRef & { readonly path: string },
  { branches, tags }: Refs,
): Html {
  const link = (kind: 'branch' | 'tag') => (name: string) => {
    const isCurrent = current.kind === kind && current.name === name
    const address = nearestPath(visit, section, { kind, name }, current.path)
    return html`<li><a href="${address}"${isCurrent && html` aria-current="true"`}>${name}</a></li>`
  }
  return html`<menu-closer><details class="ref-menu">
<summary class="button" aria-label="Branch or tag: ${refLabel(current)}">${icon(current.kind)} <span>${refLabel(current)}</span></summary>
<div class="choices">
${renderChoices('Branches', branches.names.map(link('branch')), branches.total > MAX_LISTED && pathTo(visit, 'branches'))}
${renderChoices('Tags', tags.names.map(link('tag')), tags.total > MAX_LISTED && pathTo(visit, 'tags'))}
</div>
</details></menu-closer>`
}

function renderChoices(label: string, items: readonly Html[], all: string | false): Part {
  if (items.length === 0) return undefined
  return html`<h2>${label}</h2>
<ul>${items}${all !== false && html`<li><a href="${all}">All of them</a></li>`}</ul>`
}

export function renderRefCounts(visit: Visit, { branches, tags }: Refs): Html {
  return html`<a class="mute" href="${pathTo(visit, 'branches')}">${counted(branches.total, 'branch', 'branches')}</a>
<a class="mute" href="${pathTo(visit, 'tags')}">${counted(tags.total, 'tag')}</a>`
}
