import { readLanguages, type Language } from './languages.ts'

/** The languages by everything that a file can be told by. */
export interface KnownLanguages {
  readonly byName: ReadonlyMap<string, Language>
  /** Names and aliases in small letters, with `_` for spaces. */
  readonly byAlias: ReadonlyMap<string, Language>
  readonly byExtension: ReadonlyMap<string, readonly Language[]>
  readonly byFilename: ReadonlyMap<string, readonly Language[]>
  readonly byInterpreter: ReadonlyMap<string, readonly Language[]>
}

let known: KnownLanguages | undefined

/** Read at the first need, and kept: for threads, which end when nobody asks them. */
export function knownLanguages(): KnownLanguages {
  known ??= index(readLanguages())
  return known
}

export function findByAlias(alias: string): Language | undefined {
  return knownLanguages().byAlias.get(aliasKey(alias))
}

/** The language for which its bytes count. */
export function groupOf({ name, group }: Language): string {
  return group ?? name
}

function index(languages: readonly Language[]): KnownLanguages {
  const sorted = languages.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const byAlias = new Map<string, Language>()
  for (const language of sorted) {
    for (const alias of language.aliases) byAlias.set(aliasKey(alias), language)
  }
  // A name is stronger than the alias of another language.
  for (const language of sorted) byAlias.set(aliasKey(language.name), language)
  return {
    byName: new Map(sorted.map((language) => [language.name, language])),
    byAlias,
    byExtension: byKeys(sorted, ({ extensions }) => extensions.map((one) => one.toLowerCase())),
    byFilename: byKeys(sorted, ({ filenames }) => filenames),
    byInterpreter: byKeys(sorted, ({ interpreters }) => interpreters),
  }
}

function byKeys(
  languages: readonly Language[],
  keysOf: (language: Language) => readonly string[],
): ReadonlyMap<string, readonly Language[]> {
  const found = new Map<string, Language[]>()
  for (const language of languages) {
    for (const key of new Set(keysOf(language))) {
      const list = found.get(key) ?? []
      list.push(language)
      found.set(key, list)
    }
  }
  return found
}

function aliasKey(alias: string): string {
  return alias.trim().toLowerCase().replaceAll(' ', '_')
}
