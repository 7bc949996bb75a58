import sanitizeHtml from 'sanitize-html'
import { alerts } from './alerts.ts'
import { footnoteId } from './footnotes.ts'
import { ownName } from './headings.ts'
import type { Resolve } from './render.ts'

const allowed = `
  a abbr b br cite code del dfn em i img ins kbd mark q rp rt ruby s samp small span strike strong sub sup tt u var wbr
  blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr input li ol p pre summary ul
  caption table tbody td tfoot th thead tr
`

/**
 * Everything that is not named here goes. There is no `id` and no `name`: scripts of a page find
 * its parts by them; headings of documents alone have some, apart from those of the page. There is
 * no `style`, and only classes that the parser makes.
 */
const allowedAttributes = {
  '*': ['title', 'lang', 'dir'],
  a: ['href', 'rel'],
  img: ['src', 'alt', 'width', 'height', 'align'],
  ol: ['start', 'reversed'],
  input: ['type', 'checked', 'disabled'],
  details: ['open'],
  ...alignable('p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'tr'),
  td: ['align', 'colspan', 'rowspan'],
  th: ['align', 'colspan', 'rowspan'],
}

const options: sanitizeHtml.IOptions = {
  allowedTags: allowed.trim().split(/\s+/),
  allowedAttributes,
  allowedClasses: { code: ['language-*'], li: ['task-list-item'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  nestingLimit: 200,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'nofollow noopener' } }),
    // Whatever a text asks for: a field in a page could ask for a password.
    input: (tagName, { checked }) => ({
      tagName,
      attribs: {
        type: 'checkbox',
        disabled: '',
        ...(checked === undefined ? {} : { checked: '' }),
      },
    }),
  },
}

interface Manner {
  readonly isDocument: boolean
  readonly hasNotes: boolean
  readonly resolve: Resolve | undefined
}

export function sanitize(html: string, { isDocument, hasNotes, resolve }: Manner): string {
  const resolved = resolve ? resolving(resolve) : options
  const named = isDocument ? naming(resolved) : resolved
  return sanitizeHtml(html, hasNotes ? noting(named) : named)
}

/** Footnotes keep their names, and alerts their looks. */
function noting(kept: sanitizeHtml.IOptions): sanitizeHtml.IOptions {
  const keepName: sanitizeHtml.Transformer = (tagName, { id = '', ...attribs }) => ({
    tagName,
    attribs: footnoteId.test(id) ? { ...attribs, id } : attribs,
  })
  return {
    ...kept,
    allowedAttributes: { ...kept.allowedAttributes, sup: ['id'], li: ['id'] },
    allowedClasses: {
      ...kept.allowedClasses,
      blockquote: alerts.map((kind) => `alert-${kind}`),
      ol: ['footnotes'],
    },
    transformTags: { ...kept.transformTags, sup: keepName, li: keepName },
  }
}

/** Headings keep their names. */
function naming(kept: sanitizeHtml.IOptions): sanitizeHtml.IOptions {
  return {
    ...kept,
    allowedAttributes: { ...allowedAttributes, ...headings(() => ['align', 'id']) },
    transformTags: {
      ...kept.transformTags,
      ...headings((): sanitizeHtml.Transformer => (tagName, { id, ...attribs }) => {
        const named: Record<string, string> = id === undefined ? {} : { id: ownName(id) }
        return { tagName, attribs: { ...attribs, ...named } }
      }),
    },
  }
}

/** What an address becomes is looked at as if it had stood in the text. */
function resolving(resolve: Resolve): sanitizeHtml.IOptions {
  return {
    ...options,
    transformTags: {
      ...options.transformTags,
      a: (tagName, { href, ...attribs }) => {
        const target = href === undefined ? undefined : resolve(href, 'link')
        const link: Record<string, string> = target === undefined ? {} : { href: target }
        return { tagName, attribs: { ...attribs, ...link, rel: 'nofollow noopener' } }
      },
      img: (tagName, attribs) => {
        const src = resolve(attribs['src'] ?? '', 'image')
        if (src === undefined) return { tagName: 'span', attribs: {}, text: attribs['alt'] ?? '' }
        return { tagName, attribs: { ...attribs, src } }
      },
    },
  }
}

function headings<T>(make: () => T): Record<string, T> {
  return Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, make()]))
}

function alignable(...tags: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(tags.map((tag) => [tag, ['align']]))
}
