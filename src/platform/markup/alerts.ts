import type { MarkdownIt } from 'markdown-it'
import type { TokenClass } from './references.ts'

export const alerts = ['note', 'tip', 'important', 'warning', 'caution']

const mark = /^\[!(\w{1,9})\][ \t]*(?:\n|$)/

/**
 * Quotes that begin with a line such as `[!NOTE]` say what they are, and look so. Where
 * `environment.notes` is there.
 */
export function addAlerts(parser: MarkdownIt): void {
  parser.core.ruler.before('inline', 'alerts', (state) => {
    const { env, tokens, Token: NewToken } = state
    if (!(env as { readonly notes?: object }).notes) return
    state.tokens = tokens.flatMap((token, index) => {
      const [quote, paragraph] = [tokens[index - 2], tokens[index - 1]]
      const begins = quote?.type === 'blockquote_open' && paragraph?.type === 'paragraph_open'
      const [line, kind = ''] = (begins && mark.exec(token.content)) || []
      if (line === undefined || !alerts.includes(kind.toLowerCase())) return [token]
      quote?.attrSet('class', `alert-${kind.toLowerCase()}`)
      const rest = token.content.slice(line.length)
      token.content = `**${titleOf(kind)}**`
      return rest === '' ? [token] : [token, ...paragraphAfter(rest, NewToken)]
    })
  })
}

function titleOf(kind: string): string {
  return (kind[0] ?? '').toUpperCase() + kind.slice(1).toLowerCase()
}

/** The paragraph before it is closed by this, and it by what closed that. */
function paragraphAfter(content: string, NewToken: TokenClass) {
  const text = Object.assign(new NewToken('inline', '', 0), { content, children: [] })
  const block = { block: true }
  return [
    Object.assign(new NewToken('paragraph_close', 'p', -1), block),
    Object.assign(new NewToken('paragraph_open', 'p', 1), block),
    text,
  ]
}
