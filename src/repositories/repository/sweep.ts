import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { folderNameOf, foldersOf, isShard, repositoriesFolder } from '../../platform/git/layout.ts'
import { findLeftovers } from '../../platform/git/leftovers.ts'
import { removeFolders } from '../../platform/git/remove.ts'
import { throwAwayFolders } from '../../platform/git/trash.ts'
import { dayOf } from '../../platform/storage/trash.ts'
import { sweepCarefully } from '../../platform/sweeps/careful.ts'
import { findFolders } from './queries.ts'

/** Longer than any creation takes: what is younger may be about to get its row. */
const MIN_AGE_MS = 24 * 3_600_000

/**
 * A scheduled task: throws away what a crash left between making a directory and its row, and
 * removes what git left in the others. The rows are asked for what lies beside each other on the
 * disk: all of them at once would be much where there are many.
 */
export async function sweepFolders(ctx: Context): Promise<void> {
  const strays: string[] = []
  let total = 0
  for await (const entries of listEntries(ctx.config)) {
    const folders = foldersAmong(entries)
    const named = await findFolders(ctx.db, folders)
    total += folders.length
    strays.push(...(await straysAmong(entries, named)))
    await removeLeftovers(ctx, named)
  }
  await throwAwayStrays(ctx, total, strays)
}

async function throwAwayStrays(
  ctx: Context,
  total: number,
  found: readonly string[],
): Promise<void> {
  // Asked again: it takes a while to look at all of them.
  const named = await findFolders(ctx.db, found)
  const strays = found.filter((one) => !named.has(one))
  const day = dayOf(ctx.now())
  await sweepCarefully(ctx, 'repositories', { total, strays }, async (folder) => {
    await throwAwayFolders(ctx.config, folder, day)
    // What a removal could not finish is rubbish.
    await removeFolders(ctx.config, folder)
  })
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
  for (const shard of (await readdir(root).catch(() => [])).filter(isShard)) {
    const entries = await readdir(join(root, shard))
    yield entries.map((entry) => join(root, shard, entry))
  }
}

/** How many lie on the disk, and how many of them the database names. */
export async function countFolders(
  config: Config,
  db: Executor,
): Promise<{ readonly total: number; readonly known: number }> {
  let [total, known] = [0, 0]
  for await (const entries of listEntries(config)) {
    const folders = foldersAmong(entries)
    total += folders.length
    known += (await findFolders(db, folders)).size
  }
  return { total, known }
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
