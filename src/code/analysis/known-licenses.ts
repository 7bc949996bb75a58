import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { licenses } from '../../repositories/repository-defaults/licenses.ts'
import { giveWay } from '../../platform/concurrency/give-way.ts'
import { pairsOf } from './word-pairs.ts'

/** A licence, by the neighbouring words of its text. */
export interface KnownLicense {
  readonly name: string
  readonly pairs: Uint32Array
  /** Taken by many: what is nearly it is rather it than one of the few that were made of it. */
  readonly isUsual: boolean
}

const folder = new URL('licenses/', import.meta.resolve('spdx-license-list/package.json'))

/** Names of older lists that have no successor by a rule. */
const outdated = new Set([
  'BSD-2-Clause-FreeBSD',
  'BSD-2-Clause-NetBSD',
  'Net-SNMP',
  'Nunit',
  'StandardML-NJ',
  'bzip2-1.0.5',
  'eCos-2.0',
  'wxWindows',
])

let loading: Promise<readonly KnownLicense[]> | undefined

/**
 * All texts of SPDX under the names of today, those of one text under one name; read at the first
 * need.
 */
export function knownLicenses(): Promise<readonly KnownLicense[]> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<readonly KnownLicense[]> {
  const usual = new Set(licenses.names)
  const byText = new Map<string, KnownLicense>()
  for (const name of namesOfToday()) {
    await giveWay()
    const file = await readFile(new URL(`${name}.json`, folder), 'utf8')
    const { licenseText } = JSON.parse(file) as { licenseText: string }
    const isUsual = usual.has(name.replace(/-only$/, ''))
    for (const part of waysToWrite(name, licenseText)) {
      const pairs = pairsOf(part)
      const text = pairs.join()
      if (pairs.length > 0 && !byText.has(text)) byText.set(text, { name, pairs, isUsual })
    }
  }
  return [...byText.values()]
}

/** That of the lesser GPL has the GPL behind it, which most leave to a file of its own. */
function waysToWrite(name: string, text: string): readonly string[] {
  if (!name.startsWith('LGPL-3.0')) return [text]
  return [text, text.slice(0, text.indexOf('GNU GENERAL PUBLIC LICENSE'))]
}

/** Of one text the plainest name comes first: `GPL-3.0-only` before `GPL-3.0-or-later`. */
function namesOfToday(): readonly string[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
  const all = new Set(names)
  const isOld = (name: string) =>
    all.has(`${name}-only`) || name.endsWith('+') || /-with-.*exception$/.test(name)
  return names
    .filter((name) => !isOld(name) && !outdated.has(name))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}
