import type { Seen } from '../../code/content/browse.ts'
import type { RefKind } from '../../code/content/places.ts'
import { notFound } from '../../platform/errors.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { pathTo, type Visit } from './visit.ts'

/** A ref, as addresses of code name it. */
export interface NamedRef {
  readonly kind: RefKind
  readonly name: string
}

/** Nobody reads a unit that is off. */
export function assertReadsCode({ view }: Visit): void {
  if (!readsUnit(view, 'repo.code')) throw notFound()
}

export type Section = 'src' | 'raw' | 'media' | 'commits' | 'blame'

/** The address of something at a ref. */
export function codePath(
  visit: Pick<Visit, 'home'>,
  section: Section,
  { kind, name }: NamedRef,
  path = '',
): string {
  return pathTo(visit, section, kind, name, path)
}

export function archivePath(visit: Visit, { name }: NamedRef, format: 'zip' | 'tar.gz'): string {
  return pathTo(visit, 'archive', `${name}.${format}`)
}

export function isHome({ view }: Visit, { kind, name }: NamedRef): boolean {
  return kind === 'branch' && name === view.repo.defaultBranch
}

/** The folders above, each a link, and what is looked at. */
export function renderPath(visit: Visit, seen: Pick<Seen, 'kind' | 'name' | 'path'>): Part {
  if (seen.path === '') return undefined
  const parts = seen.path.split('/')
  const link = (length: number, label: string) =>
    html`<a href="${codePath(visit, 'src', seen, parts.slice(0, length).join('/'))}">${label}</a>`
  const above = parts
    .slice(0, -1)
    .map((part, index) => html`${link(index + 1, part)} <span>/</span> `)
  return html`<nav class="path" aria-label="Path">${link(0, visit.view.repo.name)} <span>/</span> ${above}<b>${parts.at(-1)}</b></nav>`
}

/** What the place is called: a branch or tag by its name, a commit by the beginning of its id. */
export function refLabel({ kind, name }: NamedRef): string {
  return kind === 'commit' ? name.slice(0, 10) : name
}

export function renderEmptyNote(text: string): Html {
  return html`<p class="sheet blank">${text}</p>`
}
