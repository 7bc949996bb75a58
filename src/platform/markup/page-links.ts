import type { MarkdownIt } from 'markdown-it'

const link = /\[\[(?:([^[\]|\n]{1,200})\|)?([^[\]|\n#]{1,200})(#[^[\]|\n]{1,200})?\]\]/y

/**
 * `[[Page]]` and `[[Text|Page]]` lead to a page beside the text. Where `environment.linksPages`
 * says so.
 */
export function addPageLinks(parser: MarkdownIt): void {
  parser.inline.ruler.before('link', 'page_links', (state, silent) => {
    const { linksPages } = state.env as { readonly linksPages?: boolean }
    if (linksPages !== true || state.linkLevel > 0) return false
    link.lastIndex = state.pos
    const [whole, text, page = '', part = ''] = link.exec(state.src) ?? []
    if (whole === undefined || page.trim() === '' || page.includes('://')) return false
    if (!silent) {
      const address = encodeURIComponent(page.trim().toWellFormed()) + part.trim()
      state.push('link_open', 'a', 1).attrSet('href', address)
      state.push('text', '', 0).content = (text ?? page + part).trim()
      state.push('link_close', 'a', -1)
    }
    state.pos += whole.length
    return true
  })
}
