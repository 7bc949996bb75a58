import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import pino from 'pino'
import type { Config } from '../../platform/config/config.ts'
import { copySqlite, withDatabase } from '../../platform/db/database.ts'
import { findIdentity, markCopied, type DatabaseIdentity } from '../../platform/db/identity.ts'
import { copyLiveRepository, hasMovedSince } from '../../platform/git/copy-live.ts'
import { folderNameOf, isShard, repositoriesFolder } from '../../platform/git/layout.ts'
import { JobQueue } from '../../platform/jobs/queue.ts'
import { planMeasuringOf } from '../../code/pushes/plan-measuring.ts'
import { copyTree } from '../../platform/storage/copy-tree.ts'
import { TRASH } from '../../platform/storage/file-storage.ts'
import { assertMarked, writeMark } from '../../platform/storage/mark.ts'
import { filesFolder } from '../../platform/storage/open-storage.ts'
import { holdRemovals, isHold } from '../../platform/storage/removals.ts'
import { beginUnfinished, endUnfinished } from '../../platform/storage/unfinished.ts'
import { assertFinished } from '../startup/assert-finished.ts'
import { readFolderMark, writeFolderMark } from '../startup/folder-mark.ts'
import { UsageError, type Invocation } from './command.ts'
import { copyToFolder, onDatabase } from './database-copy.ts'
import { untilSignal } from './until-signal.ts'

/** A file system tells the time of a change only so exactly. */
const CLOCK_MS = 2_000

/**
 * A copy of everything, from which a server can be started, of one that may be running: all of it,
 * or nothing.
 */
export async function runBackup(invocation: Invocation): Promise<void> {
  const { config, terminal } = invocation
  const to = resolve(invocation.required('to'))
  if (!relative(config.data, to).startsWith('..'))
    throw new UsageError('a copy cannot lie in what is copied')
  await assertThere(config)
  await makeEmpty(to)
  beginUnfinished(to)
  const release = holdRemovals(config)
  try {
    await untilSignal((signal) => copyAll(config, to, signal))
    endUnfinished(to)
  } catch (error) {
    await empty(to)
    throw error
  } finally {
    release()
  }
  terminal.note(`Everything in ${config.data} is copied to ${to}.`)
  if (config.storage.kind === 's3') terminal.note('Files in the bucket are not.')
}

/** A disk that is not mounted would make a backup without what is on it. */
async function assertThere(config: Config): Promise<void> {
  assertFinished(config)
  const mark = await readFolderMark(config)
  if (mark?.places.includes('repositories')) assertMarked(repositoriesFolder(config))
  if (mark?.places.includes('files-disk')) assertMarked(join(filesFolder(config), 'marks'))
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new UsageError(`${folder} is not empty`)
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The database first: what it names is there until its removal is allowed again. */
async function copyAll(config: Config, to: string, signal: AbortSignal): Promise<void> {
  const began = Date.now() - CLOCK_MS
  if (config.database.url) await copyToFolder(config, to)
  else copySqlite(config, to)
  const moved = await copyRepositories(config, join(to, 'repositories'), began, signal)
  const isWanted = (name: string) => {
    signal.throwIfAborted()
    return name !== TRASH
  }
  await copyTree(filesFolder(config), join(to, 'files'), { isWanted })
  await copyTree(config.data, to, { isWanted: (name) => !isLeftOut(name) })
  const copy = onDatabase({ ...config, data: to }, '')
  await noteCopied(copy, moved)
  await writeReport(to)
}

/** Made anew by each start, somebody else's, or copied by itself. */
function isLeftOut(name: string): boolean {
  return /^(codestead\.db|repositories$|files$|git$|adopt$|database-id)/.test(name) || isHold(name)
}

/** Gives those whose refs may be newer than what the copied database says of them. */
async function copyRepositories(
  config: Config,
  to: string,
  began: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const from = repositoriesFolder(config)
  const moved: string[] = []
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const shard of (await readdir(from).catch(() => [])).filter(isShard)) {
    for (const entry of await readdir(join(from, shard))) {
      signal.throwIfAborted()
      const copy = join(to, shard, entry)
      await copyLiveRepository(join(from, shard, entry), copy)
      if (await hasMovedSince(join(from, shard, entry), began)) moved.push(folderNameOf(entry))
    }
  }
  return moved
}

/**
 * The copy knows that it is one, so that a server on it leaves to the original what reaches others.
 * Such a server records what was pushed while the copy was made.
 */
async function noteCopied(copy: Config, folders: readonly string[]): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const identity = await withDatabase(copy, async (db) => {
    await markCopied(db, now)
    const jobs = new JobQueue(db, pino({ level: 'silent' }), () => now, copy)
    await planMeasuringOf(jobs, db, folders)
    return findIdentity(db)
  })
  if (identity) await markFolders(copy, identity)
}

async function markFolders(copy: Config, identity: DatabaseIdentity): Promise<void> {
  await writeMark(repositoriesFolder(copy), identity.id)
  const isOnDisk = copy.storage.kind === 'disk'
  await writeFolderMark(copy, identity, ['repositories', ...(isOnDisk ? ['files-disk'] : [])])
}

/** For people, and for whoever looks whether a backup came to its end. */
async function writeReport(to: string): Promise<void> {
  const count = async (folder: string) => (await readdir(folder, { recursive: true })).length
  const report = {
    copied_at: new Date().toISOString(),
    entries: { repositories: await count(join(to, 'repositories')) },
  }
  await writeFile(join(to, 'backup.json'), `${JSON.stringify(report)}\n`, { mode: 0o600 })
}
