import { linearEngine } from '../../platform/parsing/expressions.ts'
import { MAX_PATTERN, type Matches } from '../../platform/parsing/glob.ts'

/**
 * The head of a section as a question about paths. Without a slash it is about names of files,
 * wherever they lie; else about paths from the root. `undefined` for what is no pattern. The engine
 * takes time in proportion to the text, whatever the pattern.
 */
export function compileSection(head: string): Matches | undefined {
  if (head.length > MAX_PATTERN) return undefined
  const place = head.includes('/') ? '' : '(?:.*/)?'
  const ranges: Range[] = []
  try {
    const expression = linearEngine().compile(
      place + translate(head.replace(/^\//, ''), ranges),
      linearEngine().DOTALL,
    )
    return (path) => {
      const found = expression.matcher(path)
      return (
        found.matches() && ranges.every((range, index) => isWithin(range, found.group(index + 1)))
      )
    }
  } catch {
    return undefined
  }
}

interface Range {
  readonly from: number
  readonly to: number
}

/** A number in a range that does not take part in the match is no reason against it. */
function isWithin({ from, to }: Range, text: string | null): boolean {
  if (text === null) return true
  const number = Number(text)
  return number >= Math.min(from, to) && number <= Math.max(from, to)
}

const parts: readonly [RegExp, (match: RegExpExecArray, ranges: Range[]) => string][] = [
  [/^\\(.)/su, ([, sign = '']) => linearEngine().quote(sign)],
  [/^\/\*\*\//, () => '(?:/|/.*/)'],
  [/^\*\*/, () => '.*'],
  [/^\*/, () => '[^/]*'],
  [/^\?/, () => '[^/]'],
  [/^\[(!?)([^\]/\\]+)\]/u, ([, not, signs = '']) => `[${not ? '^/' : ''}${escapeClass(signs)}]`],
  [/^\{([+-]?\d+)\.\.([+-]?\d+)\}/, translateRange],
]

function translate(pattern: string, ranges: Range[]): string {
  let written = ''
  for (let rest = pattern; rest !== '';) {
    const [taken, expression] = translateChoice(rest, ranges) ?? translatePart(rest, ranges)
    written += expression
    rest = rest.slice(taken)
  }
  return written
}

function translatePart(rest: string, ranges: Range[]): readonly [number, string] {
  for (const [form, write] of parts) {
    const match = form.exec(rest)
    if (match) return [match[0].length, write(match, ranges)]
  }
  const [sign = ''] = rest
  return [sign.length, linearEngine().quote(sign)]
}

function translateRange([, from = '', to = '']: RegExpExecArray, ranges: Range[]): string {
  ranges.push({ from: Number(from), to: Number(to) })
  return '([+-]?\\d+)'
}

/**
 * One of several in braces. Braces around a single one, or without an end, stand for themselves.
 */
function translateChoice(rest: string, ranges: Range[]): readonly [number, string] | undefined {
  const inner = rest.startsWith('{') ? findInner(rest) : undefined
  if (inner === undefined) return undefined
  const choices = splitChoices(inner)
  if (choices.length < 2) return undefined
  const written = choices.map((choice) => translate(choice, ranges)).join('|')
  return [inner.length + 2, `(?:${written})`]
}

/** What is between a brace and the one that closes it. */
function findInner(rest: string): string | undefined {
  let depth = 0
  for (let at = 0; at < rest.length; at++) {
    if (rest[at] === '\\') at++
    else if (rest[at] === '{') depth++
    else if (rest[at] === '}' && --depth === 0) return rest.slice(1, at)
  }
  return undefined
}

function splitChoices(inner: string): readonly string[] {
  const choices = ['']
  let depth = 0
  for (const [sign] of inner.matchAll(/\\.|./gsu)) {
    if (sign === '{') depth++
    if (sign === '}') depth--
    if (sign === ',' && depth === 0) choices.push('')
    else choices.push(`${choices.pop() ?? ''}${sign}`)
  }
  return choices
}

function escapeClass(signs: string): string {
  return signs.replace(/[\^&~[\\]/g, '\\$&')
}
