import { listBranches } from '../../branches/list.ts'
import { listTags } from '../../tags/tags.ts'
import { counted } from '../figures.ts'
import { html, type Html, type Part } from '../html.ts'
import { icon } from '../icons.ts'
import { codePath, refLabel, type NamedRef } from './source.ts'
import { pathTo, type Visit } from './visit.ts'

const MAX_LISTED = 50
const firstPage = { number: 1, limit: MAX_LISTED, offset: 0 }

export interface Refs {
  readonly branches: Listed
  readonly tags: Listed
}

interface Listed {
  readonly names: readonly string[]
  readonly total: number
}

/** The first branches and tags, to choose from. */
export async function loadRefs({ ctx, view: { repo } }: Visit): Promise<Refs> {
  const [branches, tags] = await Promise.all([
    listBranches(ctx, repo, '', firstPage),
    listTags(ctx, repo, firstPage),
  ])
  return { branches: namesOf(branches), tags: namesOf(tags) }
}

function namesOf(found: { items: readonly { name: string }[]; total: number }): Listed {
  return { names: found.items.map(({ name }) => name), total: found.total }
}

/** A choice of refs, which leads to the same path at another one. */
export function renderRefMenu(
  visit: Visit,
  section: 'src' | 'commits' | 'blame',
  current: NamedRef & { readonly path: string },
  { branches, tags }: Refs,
): Html {
  const link = (kind: 'branch' | 'tag') => (name: string) => {
    const isCurrent = current.kind === kind && current.name === name
    return html`<li><a href="${codePath(visit, section, { kind, name }, current.path)}"${isCurrent && html` aria-current="true"`}>${name}</a></li>`
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
