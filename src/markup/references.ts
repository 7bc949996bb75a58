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

/** References become links, but for those within links and code. `environment.refer` says where they lead. */
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
  const { content } = token
  const made: Token[] = []
  let end = 0
  const say = (text: string) => {
    if (text === '') return
    made.push(Object.assign(new NewToken('text', '', 0), { content: text }))
  }
  for (const match of content.matchAll(reference)) {
    const found = readReference(match)
    const href = refer(found)
    if (href === undefined) continue
    say(content.slice(end, match.index))
    const open = new NewToken('link_open', 'a', 1)
    open.attrSet('href', href)
    made.push(open)
    say(found.kind === 'commit' ? found.id.slice(0, SHORT_ID) : match[0])
    made.push(new NewToken('link_close', 'a', -1))
    end = match.index + match[0].length
  }
  if (end === 0) return [token]
  say(content.slice(end))
  return made
}

function readReference({ groups = {} }: RegExpExecArray): Reference {
  const { repository, number, name, id = '' } = groups
  if (number !== undefined) return { kind: 'issue', repository, number }
  return name === undefined ? { kind: 'commit', id } : { kind: 'person', name }
}
