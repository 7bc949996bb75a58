import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { adoptionFolder } from '../../platform/git/layout.ts'

/** A folder that waits to become a repository. */
export interface Found {
  readonly owner: string
  readonly name: string
  readonly path: string
}

/** All of them, in the order of their lower-case names. */
export async function listFound(config: Config): Promise<readonly Found[]> {
  const root = adoptionFolder(config)
  const found: Found[] = []
  for (const owner of await foldersIn(root)) {
    for (const entry of await foldersIn(join(root, owner))) {
      const name = nameOf(entry)
      if (name !== undefined) found.push({ owner, name, path: join(root, owner, entry) })
    }
  }
  return found.sort((a, b) => (labelOf(a) < labelOf(b) ? -1 : 1))
}

/**
 * By names in any letter case. What somebody asks for is compared with what lies there, and is no
 * part of a path.
 */
export async function findFound(
  config: Config,
  wanted: Pick<Found, 'owner' | 'name'>,
): Promise<Found | undefined> {
  return (await listFound(config)).find((one) => labelOf(one) === labelOf(wanted))
}

export function labelOf({ owner, name }: Pick<Found, 'owner' | 'name'>): string {
  return `${owner}/${name}`.toLowerCase()
}

/** The wiki that lies beside it, if one does. */
export async function findWikiOf({ path }: Found): Promise<string | undefined> {
  const wiki = `${basename(path, '.git')}.wiki.git`
  const beside = await foldersIn(dirname(path))
  return beside.includes(wiki) ? join(dirname(path), wiki) : undefined
}

/** Links are none. */
async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** A wiki belongs to the repository beside it. */
function nameOf(entry: string): string | undefined {
  const [, name] = /^([A-Za-z0-9._-]{1,100})\.git$/.exec(entry) ?? []
  return name === undefined || /\.wiki$/i.test(name) ? undefined : name
}
