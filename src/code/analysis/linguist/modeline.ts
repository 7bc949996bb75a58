import { expression, type Expression } from './expressions.ts'
import { findByAlias, type KnownLanguages } from './known.ts'

type Language = NonNullable<ReturnType<KnownLanguages['byName']['get']>>

/** So many lines at the beginning and at the end may have one. */
const LINES = 5

interface Expressions {
  readonly emacs: Expression
  readonly emacsMode: Expression
  readonly vim: Expression
  readonly vimType: Expression
}

let compiled: Expressions | undefined

function expressions(): Expressions {
  compiled ??= {
    emacs: expression(String.raw`.*-\*-\s*(.+?)\s*-\*-`),
    emacsMode: expression(String.raw`(?i:mode)\s*:\s*([^\s;]+)`),
    vim: expression(String.raw`(?:(?:\s|^)vi(?:m[<=>]?\d+|m)?|[\t\x20]*ex)\s*:\s*(.*)$`),
    vimType: expression(String.raw`(?i:filetype|ft|syntax)\s*=(\w+)(?:\s|:|$)`),
  }
  return compiled
}

/** What a file says of itself to the editors Emacs and Vim. */
export function findByModeline(text: string): Language | undefined {
  const lines = firstAndLast(text)
  const alias = emacsMode(lines) ?? vimType(lines)
  return alias === undefined ? undefined : findByAlias(alias)
}

function firstAndLast(text: string): readonly string[] {
  const lines = text.split('\n')
  if (lines.length <= 2 * LINES) return lines
  return [...lines.slice(0, LINES), ...lines.slice(-LINES)]
}

function emacsMode(lines: readonly string[]): string | undefined {
  const line = lines.findLast((one) => one.includes('-*-'))
  const found = line === undefined ? undefined : expressions().emacs.first(line)
  return found === undefined ? undefined : (expressions().emacsMode.first(found) ?? found)
}

function vimType(lines: readonly string[]): string | undefined {
  for (const line of lines.toReversed()) {
    if (!/(?:filetype|ft|syntax)\s*=/i.test(line)) continue
    const found = expressions().vim.first(line)
    const type = found === undefined ? undefined : expressions().vimType.first(found)
    if (type !== undefined) return type
  }
  return undefined
}
