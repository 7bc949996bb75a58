import { linearEngine } from '../../platform/parsing/expressions.ts'
import { MAX_PATTERN, type Matches } from '../../platform/parsing/glob.ts'

/** A line of a CODEOWNERS file: whom changes of some paths concern. */
export interface OwnerRule {
  readonly pattern: string
  /** Concerns those paths that do not match. */
  readonly isNegated: boolean
  /** As they are written, without the `@`. */
  readonly owners: readonly string[]
}

/** Lines that say nothing, or not whom, are passed over. */
export function readOwnerRules(text: string): readonly OwnerRule[] {
  return text.split('\n').flatMap((line) => {
    const [first, ...owners] = splitLine(line)
    if (first === undefined || owners.length === 0) return []
    const isNegated = first.startsWith('!')
    const pattern = isNegated ? first.slice(1) : first
    return { pattern, isNegated, owners: owners.map((owner) => owner.replace(/^@/, '')) }
  })
}

/**
 * At white space, up to a `#`; a backslash before either of them, or before another, takes its
 * meaning away.
 */
function splitLine(line: string): readonly string[] {
  const words = ['']
  for (const [sign] of line.matchAll(/\\[\\\s#]|#.*|\s|./gs)) {
    if (sign.startsWith('#')) break
    if (/^\s$/.test(sign)) words.push('')
    else words.push(`${words.pop()}${/^\\[\\\s#]$/.test(sign) ? sign.slice(1) : sign}`)
  }
  return words.filter((word) => word !== '')
}

/** Repetitions are written out by the engine, each so many times. */
const MAX_REPETITIONS = 200

/**
 * For whole paths; an engine that never backtracks reads it. `undefined` for what it cannot read or
 * should not.
 */
export function compilePathPattern(pattern: string): Matches | undefined {
  if (pattern.length > MAX_PATTERN || countRepetitions(pattern) > MAX_REPETITIONS) return undefined
  try {
    const compiled = linearEngine().compile(pattern, linearEngine().DOTALL)
    return (path) => compiled.matches(path)
  } catch {
    return undefined
  }
}

function countRepetitions(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)]
  return counts.reduce(
    (sum, [, least, most]) => sum + Math.max(Number(least), Number(most ?? 0)),
    0,
  )
}
