import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { dropFiles } from '../../repositories/attachments/drop.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { Slots } from '../../platform/git/slots.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import type { PartOfRepositories } from '../../repositories/repository/part.ts'
import { forNoRequest } from '../../platform/concurrency/request-work.ts'
import { limitBytes } from '../../platform/storage/bytes.ts'
import { UploadError } from '../../platform/storage/upload-error.ts'
import { sweepFiles } from '../../platform/sweeps/files.ts'
import {
  deleteArchives,
  deleteArchivesOf,
  findArchive,
  findKnownArchives,
  insertArchive,
  listByUse,
  noteUse,
  type ArchiveName,
  type KeptArchive,
} from './archive-queries.ts'

export type { KeptArchive } from './archive-queries.ts'

export const ARCHIVES = 'archives'
/** Whoever waits longer gets an archive that is packed for them alone. */
const PATIENCE_MS = 20_000
/** Of how many archives it is known that somebody has asked for them. */
const MAX_ASKED = 1_000
const USE_NOTED_EVERY = 3_600
const limits = { atOnce: 4, waiting: 64, patienceMs: 60_000 }

export interface WantedArchive extends ArchiveName {
  readonly pack: () => AsyncIterable<Uint8Array>
}

/** What one server knows of archives that are not kept yet. */
class Packings {
  readonly places = new Slots(limits)
  /** By name; false for one that cannot be kept. */
  readonly #asked = new Map<string, boolean>()
  readonly #running = new Map<string, Promise<KeptArchive | undefined>>()

  /** Whether somebody has asked before, and it can be kept. */
  isAskedAgain(name: string): boolean {
    const known = this.#asked.get(name)
    this.#note(name, known ?? true)
    return known === true
  }

  async share(
    name: string,
    pack: () => Promise<KeptArchive | undefined>,
  ): Promise<KeptArchive | undefined> {
    const running = this.#running.get(name)
    if (running) return running
    const begun = forNoRequest(pack).finally(() => this.#running.delete(name))
    this.#running.set(name, begun)
    return begun
  }

  giveUp(name: string): void {
    this.#note(name, false)
  }

  #note(name: string, canBeKept: boolean): void {
    this.#asked.delete(name)
    this.#asked.set(name, canBeKept)
    const [oldest] = this.#asked.keys()
    if (oldest !== undefined && this.#asked.size > MAX_ASKED) this.#asked.delete(oldest)
  }
}

const packingsOf = keptBy((_ctx: Context) => new Packings())

export function archiveKey(uuid: string): string {
  return `${ARCHIVES}/${uuid.slice(0, 2)}/${uuid}`
}

/**
 * An archive from the storage. One that is asked for again is packed once for all who ask, and
 * kept; nothing where it is asked for the first time, is too large, or takes too long to wait for.
 */
export async function keptArchive(
  ctx: Context,
  wanted: WantedArchive,
): Promise<KeptArchive | undefined> {
  if (ctx.config.archives.max_room === 0) return undefined
  const known = await findArchive(ctx.db, wanted)
  if (known) return used(ctx, known)
  const packings = packingsOf(ctx)
  const { repository_id: id, commit_id: commit, format, prefix } = wanted
  const name = JSON.stringify([id, commit, format, prefix])
  if (!packings.isAskedAgain(name)) return undefined
  const packed = packings.share(name, () => tryToKeep(ctx, packings, name, wanted))
  const over = new AbortController()
  const patience = pause(PATIENCE_MS, undefined, { signal: over.signal, ref: false })
  try {
    return await Promise.race([packed, patience.catch(() => undefined)])
  } finally {
    over.abort()
  }
}

/** What the storage has lost is packed again. */
export async function forgetArchive(ctx: Context, { id }: KeptArchive): Promise<void> {
  await deleteArchives(ctx.db, [id])
}

/** In the transaction that removes a repository: its files follow by a job. */
async function dropArchives(ctx: Context, tx: Executor, repositoryId: number): Promise<void> {
  const uuids = await deleteArchivesOf(tx, repositoryId)
  await dropFiles(ctx, tx, uuids.map(archiveKey))
}

export const archivesOfRepositories: PartOfRepositories = {
  beforeRemoval: (ctx, tx, { id }) => dropArchives(ctx, tx, id),
}

/** A scheduled task: throws away archives that a crash left without a record. */
export async function sweepArchives(ctx: Context): Promise<void> {
  await sweepFiles(ctx, ARCHIVES, findKnownArchives)
}

async function used(ctx: Context, archive: KeptArchive): Promise<KeptArchive> {
  const now = ctx.now()
  if (now - archive.used_at >= USE_NOTED_EVERY) await noteUse(ctx.db, archive.id, now)
  return archive
}

async function tryToKeep(
  ctx: Context,
  packings: Packings,
  name: string,
  wanted: WantedArchive,
): Promise<KeptArchive | undefined> {
  try {
    return await keep(ctx, packings, wanted)
  } catch (error) {
    // What is too large stays so; anything else may be over when somebody asks again.
    if (error instanceof UploadError && error.failure === 'too_large') packings.giveUp(name)
    ctx.log.warn({ err: error, repository: wanted.repository_id }, 'an archive was not kept')
    return undefined
  }
}

async function keep(
  ctx: Context,
  { places }: Packings,
  { pack, ...name }: WantedArchive,
): Promise<KeptArchive | undefined> {
  const leave = await places.take(new AbortController().signal)
  try {
    await ctx.room.assertLeft()
    const uuid = randomUUID()
    const content = limitBytes(pack(), ctx.config.archives.max_room)
    const { size, sha256 } = await ctx.files.putNew(archiveKey(uuid), content)
    const now = ctx.now()
    const archive = { ...name, uuid, size, sha256, created_at: now, used_at: now }
    if (!(await isRecorded(ctx, archive))) await ctx.files.remove(archiveKey(uuid))
    await makeRoom(ctx)
    return await findArchive(ctx.db, name)
  } finally {
    leave()
  }
}

/** Not where another node was faster, or the repository is gone. */
async function isRecorded(ctx: Context, archive: Omit<KeptArchive, 'id'>): Promise<boolean> {
  try {
    return await insertArchive(ctx.db, archive)
  } catch (error) {
    await ctx.files.remove(archiveKey(archive.uuid))
    throw error
  }
}

/** The longest unused go first. */
async function makeRoom(ctx: Context): Promise<void> {
  const isTooMuch = await ctx.db.transaction().execute(async (tx) => {
    const all = await listByUse(tx)
    let left = all.reduce((sum, { size }) => sum + size, 0)
    const gone: number[] = []
    for (const { id, size } of all) {
      if (left <= ctx.config.archives.max_room) break
      gone.push(id)
      left -= size
    }
    const uuids = await deleteArchives(tx, gone)
    await dropFiles(ctx, tx, uuids.map(archiveKey))
    return gone.length > 0
  })
  if (isTooMuch) ctx.jobs.wake()
}
