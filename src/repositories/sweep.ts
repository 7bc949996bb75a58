import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { folderNameOf, foldersOf, repositoriesFolder } from '../git/layout.ts'
import { findLeftovers } from '../git/leftovers.ts'
import { removeFolders } from '../git/remove.ts'
import { findFolders } from './queries.ts'

/** Longer than any creation takes: what is younger may be about to get its row. */
const MIN_AGE_MS = 24 * 3_600_000

/**
 * A scheduled task: removes what a crash left between making a directory and its row, and what git left in the others. The
 * rows are asked for what lies beside each other on the disk: all of them at once would be much where there are many.
 */
export async function sweepFolders(ctx: Context): Promise<void> {
  for await (const entries of listEntries(ctx.config)) {
    const named = await findFolders(ctx.db, foldersAmong(entries))
    await removeStrays(ctx, await straysAmong(entries, named))
    await removeLeftovers(ctx, named)
  }
}

async function removeStrays(ctx: Context, strays: readonly string[]): Promise<void> {
  // Asked again: it takes a while to look at all of them.
  const named = await findFolders(ctx.db, strays)
  for (const folder of strays.filter((one) => !named.has(one))) {
    await removeFolders(ctx.config, folder)
    ctx.log.info({ folder }, 'removed a directory without a repository')
  }
}

async function removeLeftovers(ctx: Context, named: Iterable<string>): Promise<void> {
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
  const strays: string[] = []
  for await (const entries of listEntries(config)) {
    strays.push(...(await straysAmong(entries, named)))
  }
  return [...new Set(strays)]
}

/** Paths of everything where repositories lie, as it lies together. */
async function* listEntries(config: Config): AsyncGenerator<readonly string[]> {
  const root = repositoriesFolder(config)
  for (const shard of await readdir(root).catch(() => [])) {
    const entries = await readdir(join(root, shard))
    yield entries.map((entry) => join(root, shard, entry))
  }
}

function foldersAmong(entries: readonly string[]): readonly string[] {
  return [...new Set(entries.map((path) => folderNameOf(basename(path))))]
}

async function straysAmong(
  entries: readonly string[],
  named: ReadonlySet<string>,
): Promise<readonly string[]> {
  const unnamed = entries.filter((path) => !named.has(folderNameOf(basename(path))))
  const old: string[] = []
  for (const path of unnamed) if (await isOld(path)) old.push(path)
  return foldersAmong(old)
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path)
  return Date.now() - mtimeMs > MIN_AGE_MS
}
