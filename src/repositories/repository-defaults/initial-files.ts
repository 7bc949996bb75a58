import { invalid } from '../../platform/errors.ts'
import { gitignores } from './gitignores.ts'
import { fillLicense } from './license-placeholders.ts'
import { licenses } from './licenses.ts'
import { makeReadme, type ReadmeValues } from './readmes.ts'

export interface InitialFile {
  readonly path: string
  readonly content: string
}

export interface InitialFilesInput extends ReadmeValues {
  /** Empty: the default one. */
  readonly readme: string
  /** Names with commas between them; empty: no such file. */
  readonly gitignores: string
  /** Empty: no such file. */
  readonly license: string
  readonly ownerEmail: string
  readonly year: number
}

/**
 * What the first commit of a new repository holds. Every name is checked before anything is made.
 */
export function initialFiles(input: InitialFilesInput): InitialFile[] {
  const files = [{ path: 'README.md', content: makeReadme(input.readme, input) }]
  if (input.gitignores !== '') {
    files.push({ path: '.gitignore', content: joinGitignores(input.gitignores) })
  }
  if (input.license !== '') files.push({ path: 'LICENSE', content: makeLicense(input) })
  return files
}

function joinGitignores(names: string): string {
  return names
    .split(',')
    .map((name) => `# ---> ${name}\n${findGitignore(name)}\n`)
    .join('')
}

function findGitignore(name: string): string {
  const text = gitignores.find(name)
  if (text === undefined) throw invalid(`gitignore template does not exist [name: ${name}]`)
  return text
}

function makeLicense({ license, name, ownerName, ownerEmail, year }: InitialFilesInput): string {
  const text = licenses.find(license)
  if (text === undefined) throw invalid(`license does not exist [name: ${license}]`)
  return fillLicense(license, text, {
    owner: ownerName,
    email: ownerEmail,
    repository: name,
    year,
  })
}
