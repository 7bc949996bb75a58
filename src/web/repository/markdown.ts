import { posix } from 'node:path'
import { ownName } from '../../markup/headings.ts'
import { isMarkdownFile } from '../../markup/modes.ts'
import { renderMarkdown, type Resolve } from '../../markup/render.ts'
import { html, trusted, type Html } from '../html.ts'
import { codePath, type NamedRef } from './source.ts'
import type { Visit } from './visit.ts'

/** A text of the repository as a page shows it: what it refers to is looked for beside it, at the same ref. */
export async function renderDocument(
  visit: Visit,
  ref: NamedRef,
  path: string,
  text: string,
): Promise<Html> {
  const resolve = resolverOf(visit, ref, posix.dirname(`/${path}`))
  return html`<div class="prose">${trusted(await renderMarkdown(text, { resolve }))}</div>`
}

/** Pictures of other sites are not loaded: those who look at a page are nobody's business there. */
function resolverOf(visit: Visit, ref: NamedRef, folder: string): Resolve {
  return (address, of) => {
    if (isElsewhere(address)) return of === 'image' ? undefined : address
    const [, path = '', query = '', name] = /^([^?#]*)([^#]*)(?:#(.*))?$/s.exec(address) ?? []
    const isDocument = path === '' || isMarkdownFile(path)
    const part = name ? `#${isDocument ? ownName(name) : name}` : ''
    if (path === '') return of === 'image' ? undefined : part
    const absolute = posix.resolve(folder, decode(path))
    return codePath(visit, of === 'image' ? 'media' : 'src', ref, absolute.slice(1)) + query + part
  }
}

/** With a scheme or the name of a host; what the browser would clean away first does not hide them. */
function isElsewhere(address: string): boolean {
  // oxlint-disable-next-line no-control-regex -- browsers leave these out
  return /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(address.replace(/[\u0000-\u0020]/g, ''))
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
