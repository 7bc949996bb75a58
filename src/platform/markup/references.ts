import type { MarkdownIt, Token } from 'markdown-it'

/** What a text names without an address. */
export type Reference =
  | { readonly kind: 'issue'; readonly repository: string | undefined; readonly number: string }
  | { readonly kind: 'person'; readonly name: string }
  | { readonly kind: 'commit'; readonly id: string }

/** Where a reference leads; nothing where it leads nowhere, and stays text. */
export type Refer = (reference: Reference) => string | undefined

const reference =
  /(?<![\w`/@.&#-])(?:(?<repository>[\w-][\w.-]*\/[\w-][\w.-]*)?#(?<number>[1-9]\d{0,9})(?![\w-])|@(?<name>[A-Za-z0-9]+(?:[-._][A-Za-z0-9]+)*)|(?<id>[0-9a-f]{40}(?:[0-9a-f]{24})?)(?!\w))/g

const SHORT_ID = 10

/**
 * References become links, but for those within links and code. `environment.refer` says where they
 * lead.
 */
export function addReferences(parser: MarkdownIt): void {
  parser.core.ruler.push('references', ({ tokens, env, Token: NewToken }) => {
    const { refer } = env as { readonly refer?: Refer }
    if (!refer) return
    for (const token of tokens) {
      if (token.children) token.children = linkAll(token.children, refer, NewToken)
    }
  })
}

export type TokenClass = new (...parameters: ConstructorParameters<typeof Token>) => Token

function linkAll(tokens: readonly Token[], refer: Refer, NewToken: TokenClass): Token[] {
  let depth = 0
  return tokens.flatMap((token) => {
    depth += depthOf(token)
    return token.type === 'text' && depth <= 0 ? linkIn(token, refer, NewToken) : [token]
  })
}

/** Links may also be written as tags. */
export function depthOf({ type, content }: Token): number {
  if (type === 'link_open' || (type === 'html_inline' && /^<a\b/i.test(content))) return 1
  return type === 'link_close' || (type === 'html_inline' && /^<\/a\b/i.test(content)) ? -1 : 0
}

function linkIn(token: Token, refer: Refer, NewToken: TokenClass): Token[] {
  const pieces = splitAtReferences(token.content, refer)
  if (pieces.every(({ href }) => href === undefined)) return [token]
  return pieces.flatMap(({ text, href }) => {
    const said = Object.assign(new NewToken('text', '', 0), { content: text })
    if (href === undefined) return [said]
    const open = new NewToken('link_open', 'a', 1)
    open.attrSet('href', href)
    return [open, said, new NewToken('link_close', 'a', -1)]
  })
}

/** A part of a text, which leads somewhere if it is a reference. */
export interface Piece {
  readonly text: string
  readonly href?: string
}

export function splitAtReferences(text: string, refer: Refer): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of text.matchAll(reference)) {
    const found = readReference(match)
    const href = refer(found)
    if (href === undefined) continue
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) })
    const label = found.kind === 'commit' ? found.id.slice(0, SHORT_ID) : match[0]
    pieces.push({ text: label, href })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end) })
  return pieces
}

/** Where the references of a text lead, each once. */
export function addressesIn(text: string, refer: Refer): readonly string[] {
  const pieces = splitAtReferences(text, refer)
  return [...new Set(pieces.flatMap(({ href }) => (href === undefined ? [] : [href])))]
}

function readReference({ groups = {} }: RegExpExecArray): Reference {
  const { repository, number, name, id = '' } = groups
  if (number !== undefined) return { kind: 'issue', repository, number }
  return name === undefined ? { kind: 'commit', id } : { kind: 'person', name }
}
