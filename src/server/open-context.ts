import { totalmem } from 'node:os'
import type { FastifyBaseLogger as Logger } from 'fastify'
import { aboveParts } from './above-parts.ts'
import { DownloadCounts } from '../repositories/attachments/download-counts.ts'
import { LastUse } from '../identity/auth/last-use.ts'
import { Passwords } from '../identity/auth/passwords.ts'
import type { Secrets } from '../identity/auth/secrets.ts'
import { SignInLimits } from '../identity/auth/sign-in-limits.ts'
import { cacheMemory } from '../platform/caches/cache-memory.ts'
import type { Config } from '../platform/config/config.ts'
import type { Context } from '../platform/context.ts'
import { openDatabase, type Database } from '../platform/db/database.ts'
import { makeIdentity } from '../platform/db/identity.ts'
import { migrate } from '../platform/db/migrate.ts'
import { GroupedWrites } from '../platform/db/grouped-writes.ts'
import { SharedClock } from '../platform/db/shared-clock.ts'
import { VersionedCache } from '../platform/db/versioned-cache.ts'
import { prepareGit } from '../platform/git/environment.ts'
import { closeObjects } from '../platform/git/object-pool.ts'
import { Git } from '../platform/git/run.ts'
import { Quiet } from '../platform/quiet.ts'
import { readNight } from '../platform/jobs/nightly.ts'
import { JobQueue } from '../platform/jobs/queue.ts'
import { Schedule } from '../platform/jobs/schedule.ts'
import { Mailer } from '../outbound/mail/mailer.ts'
import { Outside } from '../platform/network/outside.ts'
import { SetSizes } from '../repositories/search/set-sizes.ts'
import { TextIndex } from '../repositories/search/text-index.ts'
import { claimPlaces } from './startup/claim-places.ts'
import { assertFinished } from './startup/assert-finished.ts'
import { openSecrets } from './startup/open-secrets.ts'
import type { FileStorage } from '../platform/storage/file-storage.ts'
import { openStorage, roomOf } from '../platform/storage/open-storage.ts'
import { readOnlyWhile } from '../platform/storage/read-only.ts'
import { StoragePresence } from '../platform/storage/presence.ts'

export interface ContextOptions {
  readonly now?: () => number
  /** A server, whose starts are counted, and not a command. */
  readonly isServer?: boolean
}

/**
 * Opens and migrates the database, and puts together what runs on it. Nothing else wires anything.
 */
export async function openContext(
  config: Config,
  log: Logger,
  options: ContextOptions = {},
): Promise<Context> {
  assertFinished(config)
  cacheMemory.limit = cacheLimit(config)
  const outside = new Outside(config)
  const db = await openDatabase(config, options)
  const clock = new SharedClock(db, options.now)
  const { now } = clock
  const quiet = new Quiet(db)
  const isQuiet = () => quiet.isQuiet
  const { files, secrets } = await prepare(config, db, clock, quiet, options).catch(
    async (error: unknown) => {
      await db.destroy()
      throw error
    },
  )
  return {
    config,
    db,
    groupedWrites: new GroupedWrites(db),
    log,
    secrets,
    clock,
    above: aboveParts,
    now,
    passwords: new Passwords(config, (text) => secrets.hash('remembered-password', text)),
    signInLimits: new SignInLimits(config, db, secrets, log, now),
    tokenCache: new VersionedCache('tokens', db),
    grantCache: new VersionedCache('grants', db),
    accountCache: new VersionedCache('accounts', db),
    repositoryCache: new VersionedCache('repositories', db),
    surroundings: db.dialect === 'sqlite' ? new VersionedCache('surroundings', db) : undefined,
    totals: new VersionedCache('totals', db),
    setSizes: new SetSizes(db),
    textIndex: new TextIndex(db, log),
    lastUse: new LastUse(db, log),
    quiet,
    schedule: new Schedule(db, log, now, isQuiet, readNight(config.jobs.nightly_at)),
    jobs: new JobQueue(db, log, now, config, isQuiet),
    git: new Git(prepareGit(config), config.git.memory),
    outside,
    mailer: new Mailer(config),
    files,
    room: roomOf(config, now),
    presence: new StoragePresence(config, files),
    downloadCounts: new DownloadCounts(db, log),
  }
}

const MiB = 1024 * 1024

/** A container may have less than the machine. */
function cacheLimit({ server }: Config): number {
  if (server.cache_memory > 0) return server.cache_memory
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(Math.max(memory / 32, 16 * MiB), 64 * MiB)
}

async function prepare(
  config: Config,
  db: Database,
  clock: SharedClock,
  quiet: Quiet,
  { isServer = false }: ContextOptions,
): Promise<{ readonly files: FileStorage; readonly secrets: Secrets }> {
  await clock.adjust()
  await migrate(db, clock.now())
  const identity = await makeIdentity(db, clock.now())
  await quiet.look()
  const secrets = await openSecrets(config, db, identity)
  const files = await openStorage(config, { isGuarded: true })
  try {
    await claimPlaces(config, db, files, { isServer })
  } catch (error) {
    await files.close()
    throw error
  }
  // That of a copy may be the bucket of its original.
  const isShared = config.storage.kind === 's3'
  return { files: isShared ? readOnlyWhile(files, () => quiet.isQuiet) : files, secrets }
}

export async function closeContext(ctx: Context): Promise<void> {
  ctx.clock.stop()
  ctx.quiet.stop()
  await ctx.schedule.stop()
  await ctx.jobs.stop()
  await ctx.mailer.close()
  await ctx.lastUse.flush()
  await ctx.downloadCounts.flush()
  await ctx.textIndex.stop()
  await closeObjects(ctx.git)
  await ctx.files.close()
  await ctx.db.destroy()
}
