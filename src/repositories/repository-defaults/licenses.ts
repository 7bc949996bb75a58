import { readFileSync } from 'node:fs'
import { Texts, withLineFeeds } from './texts.ts'

/** As the contract spells them; the package has a file under each of these names. */
const names = [
  '0BSD',
  'AGPL-3.0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSD-3-Clause-Clear',
  'BSL-1.0',
  'CC-BY-4.0',
  'CC-BY-SA-4.0',
  'CC0-1.0',
  'EPL-1.0',
  'EPL-2.0',
  'EUPL-1.2',
  'GPL-2.0',
  'GPL-3.0',
  'ISC',
  'LGPL-2.1',
  'LGPL-3.0',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'MulanPSL-2.0',
  'OFL-1.1',
  'OSL-3.0',
  'UPL-1.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
] as const

const folder = new URL('licenses/', import.meta.resolve('spdx-license-list/package.json'))

export const licenses = new Texts(
  () => new Map(names.map((name) => [name, () => readLicense(name)] as const)),
)

/** Each line of it is ended, the last one too. */
function readLicense(name: string): string {
  const { licenseText } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as {
    licenseText: string
  }
  return `${withLineFeeds(licenseText).trimEnd()}\n`
}
