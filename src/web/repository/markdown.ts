import { posix } from 'node:path'
import { baseUrl } from '../../platform/config/urls.ts'
import { ownName } from '../../platform/markup/headings.ts'
import { isMarkdownFile } from '../../platform/markup/modes.ts'
import { addressesIn, type Refer } from '../../platform/markup/references.ts'
import {
  tryMarkdown,
  type MarkdownOptions,
  type Rendered as RenderedText,
  type Resolve,
} from '../../platform/markup/render.ts'
import { WeighedCache } from '../../platform/caches/weighed-cache.ts'
import { idOf } from '../highlight/highlight.ts'
import { html, type Html } from '../../platform/html.ts'
import { toProse } from '../prose.ts'
import { loadReferencesHere } from './references.ts'
import { codePath, type NamedRef } from './source.ts'
import type { Visit } from './visit.ts'

/** Of longer documents the beginning is shown. */
const MAX_CHARACTERS = 100 * 1024
const MAX_KEPT = 16 * 1024 * 1024

const kept = new WeighedCache<Rendered>('documents', MAX_KEPT)

/**
 * A text of the repository as a page shows it: what it refers to is looked for beside it, at the
 * same ref.
 */
export async function renderDocument(
  visit: Visit,
  ref: NamedRef,
  path: string,
  text: string,
): Promise<Html> {
  const shown = beginningOf(text)
  const { markup } = await keepRendered(shown, {
    refer: await loadReferencesHere(visit, shown),
    place: codePath(visit, 'src', ref, posix.dirname(path)),
    lead: leadBeside(visit, ref, path),
  })
  return html`${await inProse(markup)}${shown.length < text.length && renderCut(visit, ref, path)}`
}

export interface Rendered {
  readonly markup: string
  /** The paths of pictures, as they are written. */
  readonly pictures: readonly string[]
}

interface Linked {
  readonly refer: Refer
  readonly lead: Lead
  /** Says all that decides where `lead` leads. */
  readonly place: string
  readonly options?: MarkdownOptions
}

/** Rendered once for many views. */
export async function keepRendered(
  text: string,
  { refer, lead, place, options }: Linked,
): Promise<Rendered> {
  const key = [idOf(text), place, ...addressesIn(text, refer)].join(' ')
  return kept.get(key, async () => {
    const pictures = new Set<string>()
    const noting: Lead = (path, of) => {
      if (of === 'image') pictures.add(path)
      return lead(path, of)
    }
    const { markup, isFinal } = await toLinked(text, noting, refer, options)
    const value = { markup, pictures: [...pictures] }
    const weight = 2 * (key.length + markup.length + value.pictures.join('').length)
    return { value, weight: isFinal ? weight : Number.POSITIVE_INFINITY }
  })
}

/** What is shown of a text: whole lines of it. */
export function beginningOf(text: string, limit = MAX_CHARACTERS): string {
  if (text.length <= limit) return text
  const end = text.lastIndexOf('\n', limit)
  return text.slice(0, end > 0 ? end + 1 : limit)
}

function renderCut(visit: Visit, ref: NamedRef, path: string): Html {
  const links = html`<a href="${codePath(visit, 'src', ref, path)}?display=source">its source</a> or <a href="${codePath(visit, 'raw', ref, path)}">the raw file</a>`
  return html`<p class="more">This is the beginning of a long document. The rest is in ${links}.</p>`
}

function leadBeside(visit: Visit, ref: NamedRef, path: string): Lead {
  const folder = posix.dirname(`/${path}`)
  return (written, of) => {
    const absolute = posix.resolve(folder, written).slice(1)
    const isDocument = isMarkdownFile(absolute)
    return { address: codePath(visit, of === 'image' ? 'media' : 'src', ref, absolute), isDocument }
  }
}

/**
 * For what is written on pages of the repository: what is no address of this server is looked for
 * in its code.
 */
export function resolveFrom(visit: Visit, ref: NamedRef): Resolve {
  const resolve = resolverOf(leadBeside(visit, ref, ''))
  const root = `${baseUrl(visit.ctx.config)}/`
  return (address, of) => {
    const isOurs = /^\/(?![/\\])/.test(address) || address.startsWith(root)
    return isOurs ? address : resolve(address, of)
  }
}

/**
 * Where a path leads that stands in a text; to a document, whose parts have names of ours, or to
 * something else.
 */
export type Lead = (
  path: string,
  of: 'link' | 'image',
) => { readonly address: string; readonly isDocument: boolean } | undefined

async function toLinked(
  text: string,
  lead: Lead,
  refer: Refer,
  options: MarkdownOptions = {},
): Promise<RenderedText> {
  const resolve = resolverOf(lead)
  const referred = new Set<string>()
  return tryMarkdown(text, {
    ...options,
    isDocument: true,
    hasNotes: true,
    refer: (reference) => {
      const address = refer(reference)
      if (address !== undefined) referred.add(address)
      return address
    },
    // References lead to pages of the server, and addresses of the text to what lies beside it.
    resolve: (address, of) => (referred.has(address) ? address : resolve(address, of)),
  })
}

export async function inProse(markup: string): Promise<Html> {
  return html`<div class="prose">${await toProse(markup)}</div>`
}

/** Pictures of other sites are not loaded: those who look at a page are nobody's business there. */
function resolverOf(lead: Lead): Resolve {
  return (address, of) => {
    if (isElsewhere(address)) return of === 'image' ? undefined : address
    const [, path = '', query = '', name] = /^([^?#]*)([^#]*)(?:#(.*))?$/s.exec(address) ?? []
    if (path === '') return of === 'image' ? undefined : name ? `#${ownName(name)}` : ''
    const led = lead(decode(path), of)
    if (!led) return undefined
    const part = name ? `#${led.isDocument ? ownName(name) : name}` : ''
    return led.address + query + part
  }
}

/**
 * With a scheme or the name of a host; what the browser would clean away first does not hide them.
 */
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
