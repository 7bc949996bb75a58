import { linearEngine } from '../../platform/parsing/expressions.ts'
import { compileGlob, type Matches } from '../../platform/parsing/glob.ts'

/**
 * A pattern in slashes is a regular expression, found anywhere in the text; any other is a glob.
 */
export function compileTagPattern(pattern: string): Matches | undefined {
  const [, expression] = /^\/(.+)\/$/s.exec(pattern) ?? []
  if (expression === undefined) return compileGlob(pattern)
  try {
    const compiled = linearEngine().compile(expression)
    return (text) => compiled.matcher(text).find()
  } catch {
    return undefined
  }
}
