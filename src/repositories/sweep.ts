import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { folderNameOf, foldersOf, repositoriesFolder } from '../git/layout.ts'
import { findLeftovers } from '../git/leftovers.ts'
import { removeFolders } from '../git/remove.ts'
import { findFolders } from './queries.ts'

/** Longer than any creation takes: what is younger may be about to get its row. */
const MIN_AGE_MS = 24 * 3_600_000

/** A scheduled task: removes what a crash left between making a directory and its row, and what git left in the others. */
export async function sweepFolders(ctx: Context): Promise<void> {
  const strays = await listStrayFolders(ctx.config, await findFolders(ctx.db))
  // Asked again, since the list of rows was read before the list of directories.
  const named = await findFolders(ctx.db)
  for (const folder of strays.filter((one) => !named.has(one))) {
    await removeFolders(ctx.config, folder)
    ctx.log.info({ folder }, 'removed a directory without a repository')
  }
  for (const path of await listLeftovers(ctx.config, named)) {
    await rm(path, { recursive: true, force: true })
    ctx.log.info({ path }, 'removed what git has left')
  }
}

/** What git could not finish in these directories, and nobody works on any more. */
export async function listLeftovers(
  config: Config,
  named: Iterable<string>,
): Promise<readonly string[]> {
  const before = Date.now() - MIN_AGE_MS
  const left: string[] = []
  for (const folder of named) {
    for (const path of foldersOf(config, folder)) left.push(...(await findLeftovers(path, before)))
  }
  return left
}

/** Directories that no row names, old enough to be forgotten. */
export async function listStrayFolders(
  config: Config,
  named: ReadonlySet<string>,
): Promise<readonly string[]> {
  const root = repositoriesFolder(config)
  const shards = await readdir(root).catch(() => [])
  const strays = new Set<string>()
  for (const shard of shards) {
    for (const entry of await readdir(join(root, shard))) {
      const folder = folderNameOf(entry)
      if (named.has(folder) || !(await isOld(join(root, shard, entry)))) continue
      strays.add(folder)
    }
  }
  return [...strays]
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path)
  return Date.now() - mtimeMs > MIN_AGE_MS
}
