import type { RE2JS } from 're2js'
import { linearEngine } from '../../../platform/parsing/expressions.ts'

/** They run on what strangers push, so by an engine whose time is in proportion to the text. */
export interface Expression {
  readonly test: (text: string) => boolean
  /** The first group of the first match. */
  readonly first: (text: string) => string | undefined
}

/**
 * An expression of linguist in the syntax of Ruby, where `^` and `$` are those of lines. Gives
 * undefined for one with a look around or a back reference, which the engine does not know.
 */
export function linesExpression(pattern: string): Expression | undefined {
  try {
    return compile(pattern, linearEngine().MULTILINE)
  } catch {
    return undefined
  }
}

export function expression(pattern: string): Expression {
  return compile(pattern, 0)
}

/** One that matches where any of these does; what the engine does not know is left out. */
export function anyOf(patterns: readonly string[]): Expression {
  const known = patterns.filter((pattern) => linesExpression(pattern))
  return expression(known.map((pattern) => `(?:${pattern})`).join('|'))
}

function compile(pattern: string, flags: number): Expression {
  const compiled: RE2JS = linearEngine().compile(pattern, flags)
  return {
    test: (text) => compiled.test(text),
    first: (text) => {
      const matcher = compiled.matcher(text)
      return matcher.find() ? (matcher.group(1) ?? undefined) : undefined
    },
  }
}
