import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import {
  countStart,
  findIdentity,
  hasAnyAccount,
  type DatabaseIdentity,
} from '../../platform/db/identity.ts'
import { countFolders } from '../../repositories/repository/sweep.ts'
import type { FileStorage } from '../../platform/storage/file-storage.ts'
import { areTooMany } from '../../platform/sweeps/careful.ts'
import { readFolderMark, writeFolderMark, type FolderMark } from './folder-mark.ts'
import { placesOf, type Place } from './places.ts'
import { StartRefused } from './refusal.ts'

export interface ClaimOptions {
  /**
   * Commands look whether the data is that of the database; servers also leave word that they were
   * here.
   */
  readonly isServer: boolean
}

const HOW_TO_ADOPT =
  'If this really is the right database, look with "npm run admin -- adopt-database", and start again after "npm run admin -- adopt-database --yes"'

/**
 * Marks the data folder and the bucket as those of this database where they are new, and refuses to
 * go on where they belong to another one: to its sweeps all of it would be rubbish.
 */
export async function claimPlaces(
  config: Config,
  db: Database,
  files: FileStorage,
  { isServer }: ClaimOptions,
): Promise<void> {
  // Before the database is asked: others may start meanwhile, and it only ever knows of more
  // starts.
  const mark = await readFolderMark(config)
  const identity = await findIdentity(db)
  if (!identity) throw new Error('the database has no identity')
  if (mark) assertSame(config, mark, identity)
  const places = placesOf(config, files)
  const unmarked = await findUnmarked(places, mark, identity)
  await assertMayTake(config, db, unmarked)
  for (const place of unmarked) await place.write(identity.id)
  const starts = isServer ? await countStart(db) : identity.starts
  const names = [...(mark?.places ?? []), ...places.map(({ name }) => name)]
  if (isServer || !mark || unmarked.length > 0) {
    const latest = Math.max(starts, mark?.starts ?? 0)
    await writeFolderMark(config, { id: identity.id, starts: latest }, names)
  }
}

/** All of it belongs to this database from now on, whatever it belonged to before. */
export async function adoptPlaces(
  config: Config,
  files: FileStorage,
  identity: DatabaseIdentity,
): Promise<void> {
  const places = placesOf(config, files)
  for (const place of places) await place.write(identity.id)
  const names = places.map(({ name }) => name)
  await writeFolderMark(config, identity, names)
}

function assertSame({ data }: Config, mark: FolderMark, { id, starts }: DatabaseIdentity): void {
  if (mark.id !== id) {
    throw new StartRefused(
      `${data} belongs to another database (${mark.id}; this one is ${id}): look at database.url and the backup that was restored. ${HOW_TO_ADOPT}`,
    )
  }
  if (starts < mark.starts) {
    throw new StartRefused(
      `the database is older than ${data}: it knows of ${starts} starts, and the folder of ${mark.starts}, so what came since would be lost. Look at database.url and the backup that was restored. ${HOW_TO_ADOPT}`,
    )
  }
}

/** Fails where one belongs to another database, or is not there although it was. */
async function findUnmarked(
  places: readonly Place[],
  mark: FolderMark | undefined,
  { id }: DatabaseIdentity,
): Promise<readonly Place[]> {
  const unmarked: Place[] = []
  for (const place of places) {
    const found = await place.read()
    if (found === id) continue
    if (found !== undefined) {
      throw new StartRefused(
        `${place.title} belongs to another database (${found}; this one is ${id}). ${HOW_TO_ADOPT}`,
      )
    }
    if (mark?.places.includes(place.name)) {
      throw new StartRefused(
        `${place.title} is not there, or another one is in its place: is a disk not mounted? ${HOW_TO_ADOPT}`,
      )
    }
    unmarked.push(place)
  }
  return unmarked
}

/** What was made before there were marks is taken where the database names it. */
async function assertMayTake(
  config: Config,
  db: Database,
  unmarked: readonly Place[],
): Promise<void> {
  const filled: Place[] = []
  for (const place of unmarked) if (await place.isFilled()) filled.push(place)
  if (filled.length === 0) return
  const { total, known } = await countFolders(config, db)
  const isOurs = (await hasAnyAccount(db)) && !areTooMany({ strays: total - known, total })
  if (isOurs && (known > 0 || total === 0)) return
  const titles = filled.map(({ title }) => title).join(' and ')
  throw new StartRefused(
    `there is something in ${titles}, and the database names ${known} of ${total} repositories there: look at database.url. ${HOW_TO_ADOPT}`,
  )
}
