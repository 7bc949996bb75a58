import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

type Engine = typeof RE2JS

const require = createRequire(import.meta.url)
let engine: Engine | undefined

/**
 * For expressions that users write: it takes time in proportion to the text, whatever the
 * expression. It is large and seldom wanted, so it is loaded when it is.
 */
export function linearEngine(): Engine {
  engine ??= (require('re2js') as { readonly RE2JS: Engine }).RE2JS
  return engine
}
