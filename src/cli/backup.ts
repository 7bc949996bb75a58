import { mkdir, readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import pino from 'pino'
import type { Config } from '../config/config.ts'
import { copySqlite, withDatabase } from '../db/database.ts'
import { copyLiveRepository, hasMovedSince } from '../git/copy-live.ts'
import { folderNameOf, repositoriesFolder } from '../git/layout.ts'
import { JobQueue } from '../jobs/queue.ts'
import { planMeasuringOf } from '../pushes/plan-measuring.ts'
import { copyTree } from '../storage/copy-tree.ts'
import { filesFolder } from '../storage/open-storage.ts'
import { holdRemovals } from '../storage/removals.ts'
import { UsageError, type Invocation } from './command.ts'
import { copyToFolder, onDatabase } from './database-copy.ts'

/** A file system tells the time of a change only so exactly. */
const CLOCK_MS = 2_000

/** A copy of everything, from which a server can be started, of one that may be running. */
export async function runBackup(invocation: Invocation): Promise<void> {
  const { config, terminal } = invocation
  const to = resolve(invocation.required('to'))
  if (!relative(config.data, to).startsWith('..'))
    throw new UsageError('a copy cannot lie in what is copied')
  await makeEmpty(to)
  const release = holdRemovals(config)
  try {
    await copyAll(config, to)
  } finally {
    release()
  }
  terminal.note(`Everything in ${config.data} is copied to ${to}.`)
  if (config.storage.kind === 's3') terminal.note('Files in the bucket are not.')
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new UsageError(`${folder} is not empty`)
}

/** The database first: what it names is there until its removal is allowed again. */
async function copyAll(config: Config, to: string): Promise<void> {
  const began = Date.now() - CLOCK_MS
  if (config.database.url) await copyToFolder(config, to)
  else copySqlite(config, to)
  const moved = await copyRepositories(config, join(to, 'repositories'), began)
  await copyTree(filesFolder(config), join(to, 'files'))
  await copyTree(config.data, to, {
    isWanted: (name) =>
      !/^(codestead\.db|repositories$|files$|git$|adopt$|removals\.hold$)/.test(name),
  })
  await noteMoved(onDatabase({ ...config, data: to }, ''), moved)
}

/** Gives those whose refs may be newer than what the copied database says of them. */
async function copyRepositories(
  config: Config,
  to: string,
  began: number,
): Promise<readonly string[]> {
  const from = repositoriesFolder(config)
  const moved: string[] = []
  for (const shard of await readdir(from).catch(() => [])) {
    for (const entry of await readdir(join(from, shard))) {
      const copy = join(to, shard, entry)
      await copyLiveRepository(join(from, shard, entry), copy)
      if (await hasMovedSince(join(from, shard, entry), began)) moved.push(folderNameOf(entry))
    }
  }
  return moved
}

/** A server that starts from the copy records what was pushed while it was made. */
async function noteMoved(config: Config, folders: readonly string[]): Promise<void> {
  await withDatabase(config, async (db) => {
    const now = () => Math.floor(Date.now() / 1000)
    const jobs = new JobQueue(db, pino({ level: 'silent' }), now, config)
    await planMeasuringOf(jobs, db, folders)
  })
}
