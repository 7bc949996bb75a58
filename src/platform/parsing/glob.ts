import { linearEngine } from './expressions.ts'

export type Matches = (text: string) => boolean

/** How long a pattern that users write may be. */
export const MAX_PATTERN = 255

/** Whether a name stands for more than itself. */
export function isGlob(name: string): boolean {
  return /[*?[\]{}\\]/.test(name)
}

/**
 * `*` and `?` stay within a part between slashes, `**` crosses them; `[a-z]`, `[!a]`, `{a,b}` and
 * `\` as in a shell. `undefined` when it is no such pattern. The engine takes time in proportion to
 * the text, whatever the pattern.
 */
export function compileGlob(pattern: string): Matches | undefined {
  const expression = toExpression(pattern)
  return expression === undefined ? undefined : compile(expression)
}

const classes = /^\[(!?)((?:\\[^/]|[^\]\\/])+)\]/u

/** Its form as a regular expression; every other sign stands for itself. */
function toExpression(pattern: string): string | undefined {
  let expression = ''
  let depth = 0
  for (let rest = pattern; rest !== '';) {
    const [taken, written] = nextPart(rest, depth)
    if (taken === 0) return undefined
    if (written === '(?:') depth++
    if (written === ')') depth--
    expression += written
    rest = rest.slice(taken)
  }
  return depth === 0 ? expression : undefined
}

/** How many signs are read, and what they become. None can be read of what is no pattern. */
function nextPart(rest: string, depth: number): readonly [number, string] {
  if (rest.startsWith('**')) return [/^\*+/.exec(rest)?.[0].length ?? 2, '.*']
  const [first = '', second = ''] = rest
  switch (first) {
    case '*':
      return [1, '[^/]*']
    case '?':
      return [1, '[^/]']
    case '{':
      return [1, '(?:']
    case '}':
      return depth > 0 ? [1, ')'] : [0, '']
    case ',':
      return [1, depth > 0 ? '|' : ',']
    case '\\':
      return second === '' ? [0, ''] : [1 + second.length, linearEngine().quote(second)]
    case '[':
      return readClass(rest)
    case ']':
      return [0, '']
    default:
      return [first.length, linearEngine().quote(first)]
  }
}

function readClass(rest: string): readonly [number, string] {
  const [whole, not, signs = ''] = classes.exec(rest) ?? []
  if (whole === undefined) return [0, '']
  return [whole.length, not ? `[^/${escapeClass(signs)}]` : `[${escapeClass(signs)}]`]
}

/** A hyphen is for a range unless it is escaped; no other sign means anything there. */
function escapeClass(signs: string): string {
  return signs.replace(/\\(.)|[[^&~]/gsu, (whole: string, sign: string = whole) =>
    /^[!-/:-@[-`{-~]$/.test(sign) ? `\\${sign}` : sign,
  )
}

/** A whole text as one expression, read by an engine that never backtracks. */
function compile(expression: string): Matches | undefined {
  try {
    const compiled = linearEngine().compile(expression, linearEngine().DOTALL)
    return (text) => compiled.matches(text)
  } catch {
    return undefined
  }
}
