import { licenses } from '../catalogue/licenses.ts'

/** So much of a text must be a licence's for it to be that licence. */
const THRESHOLD = 0.9

/** Files in the root folder that hold a licence. */
export function isLicenseFile(name: string): boolean {
  return /^(?:licen[cs]e|copying|unlicense)(?:[.-][\w.-]+)?$/i.test(name)
}

let known: readonly (readonly [string, ReadonlySet<string>])[] | undefined

/** The name of the licence that a text is, whoever filled in its blanks. */
export function findLicense(text: string): string | undefined {
  known ??= licenses.names.map((name) => [name, pairs(licenses.find(name) ?? '')] as const)
  const given = pairs(text)
  const ranked = known
    .map(([name, own]) => ({ name, likeness: likeness(given, own) }))
    .sort((a, b) => b.likeness - a.likeness)
  const best = ranked[0]
  return best && best.likeness >= THRESHOLD ? best.name : undefined
}

/** Neighbouring words, without the lines that name an owner. */
function pairs(text: string): ReadonlySet<string> {
  const words = text
    .replace(/^.*copyright (?:\(c\)|©|\d|<|\[).*$/gim, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return new Set((words ?? []).slice(1).map((word, index) => `${words?.[index]} ${word}`))
}

/** Dice's coefficient: 1 for the same, 0 for nothing in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0
  return (2 * a.intersection(b).size) / (a.size + b.size)
}
