import { expression, type Expression } from './expressions.ts'
import { findByHeuristics } from './heuristics.ts'
import { findByAlias, knownLanguages } from './known.ts'
import type { Language } from './languages.ts'
import { findByModeline } from './modeline.ts'
import { interpreterOf } from './shebang.ts'

type Candidates = readonly Language[]
type Strategy = (name: string, text: string, before: Candidates) => Candidates

/** Git, too, takes a file with a NUL here for binary. */
const BINARY_LENGTH = 8000

/** In the order of linguist, which has a classifier behind them. */
const strategies: readonly Strategy[] = [
  (_name, text) => one(findByModeline(text)),
  (name) => knownLanguages().byFilename.get(name) ?? [],
  (_name, text) => knownLanguages().byInterpreter.get(interpreterOf(text) ?? '') ?? [],
  (name) => byExtension(name),
  (_name, text, before) => (before.length > 0 ? before : byXml(text)),
  (name) => byManpage(name),
  (name, text) => byHeuristics(name, text),
]

/**
 * The language of a file, by its name and the beginning of its text; without any text only where
 * its name leaves no doubt.
 */
export function detectLanguage(path: string, text: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (text === '') return onlyOne(byFilename(name)) ?? onlyOne(byExtension(name))
  if (text.slice(0, BINARY_LENGTH).includes('\0')) return onlyOne(byExtension(name))
  let candidates: Candidates = []
  for (const strategy of strategies) {
    const found = strategy(name, text, candidates)
    if (found.length === 1) return found[0]
    if (found.length > 0) candidates = found
  }
  return likeliest(name, candidates)
}

/** The first by name of those that an ending may mean. */
export function firstByExtension(path: string): Language | undefined {
  return byExtension(path.slice(path.lastIndexOf('/') + 1))[0]
}

function byFilename(name: string): Candidates {
  return knownLanguages().byFilename.get(name) ?? []
}

/** In place of the classifier: the language whose usual ending this is, or the first by name. */
function likeliest(name: string, candidates: Candidates): Language | undefined {
  const lower = name.toLowerCase()
  const isUsual = ({ extensions: [usual] }: Language) =>
    usual !== undefined && lower.endsWith(usual.toLowerCase())
  return candidates.find(isUsual) ?? candidates[0]
}

function one(language: Language | undefined): Candidates {
  return language ? [language] : []
}

function onlyOne(candidates: Candidates): Language | undefined {
  return candidates.length === 1 ? candidates[0] : undefined
}

/** The longest ending that is known: `.d.ts` before `.ts`. */
function byExtension(name: string): Candidates {
  const lower = name.toLowerCase()
  for (let dot = lower.indexOf('.'); dot !== -1; dot = lower.indexOf('.', dot + 1)) {
    const found = knownLanguages().byExtension.get(lower.slice(dot))
    if (found) return found
  }
  return []
}

function byXml(text: string): Candidates {
  const header = text.split('\n', 2).join('\n')
  return header.includes('<?xml version=') ? one(findByAlias('XML')) : []
}

let manpage: Expression | undefined

function byManpage(name: string): Candidates {
  manpage ??= expression(String.raw`\.(?:[1-9](?:[a-z_]+[a-z_0-9]*)?|0p|n|man|mdoc)(?:\.in)?$`)
  if (!manpage.test(name.toLowerCase())) return []
  return ['Roff Manpage', 'Roff'].flatMap((language) => one(findByAlias(language)))
}

function byHeuristics(name: string, text: string): Candidates {
  const dot = name.lastIndexOf('.')
  if (dot === -1) return []
  const found = findByHeuristics(name.slice(dot).toLowerCase(), text)
  return found.flatMap((language) => one(findByAlias(language)))
}
