import type { MarkdownIt, Token } from 'markdown-it'
import { depthOf, type TokenClass } from './references.ts'
import type { Resolve } from './render.ts'

/**
 * Pictures that the page does not show become links to them, but for those within links.
 * `environment.resolvePicture` says which are shown.
 */
export function addPictureLinks(parser: MarkdownIt): void {
  parser.core.ruler.push('picture_links', ({ tokens, env, Token: NewToken }) => {
    const { resolvePicture } = env as { readonly resolvePicture?: Resolve }
    if (!resolvePicture) return
    for (const token of tokens) {
      if (token.children) token.children = linkHidden(token.children, resolvePicture, NewToken)
    }
  })
}

function linkHidden(tokens: readonly Token[], resolve: Resolve, NewToken: TokenClass): Token[] {
  let depth = 0
  return tokens.flatMap((token) => {
    depth += depthOf(token)
    if (token.type !== 'image' || depth > 0) return [token]
    const source = String(token.attrGet('src') ?? '')
    const isHidden = /^https?:/i.test(source) && resolve(source, 'image') === undefined
    return isHidden ? linkTo(source, token.content, NewToken) : [token]
  })
}

function linkTo(source: string, label: string, NewToken: TokenClass): Token[] {
  const open = new NewToken('link_open', 'a', 1)
  open.attrSet('href', source)
  const text = Object.assign(new NewToken('text', '', 0), { content: label || source })
  return [open, text, new NewToken('link_close', 'a', -1)]
}
