import { readmitCaller } from '../../identity/auth/readmit.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, invalid } from '../../platform/errors.ts'
import type { Remote } from '../../platform/git/remote.ts'
import { GitError } from '../../platform/git/run.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { readRemoteAddress } from '../../platform/network/address.ts'
import { hostOf } from '../../platform/network/policy.ts'
import { assertNameFree, withNewFolder } from '../../repositories/repository/create.ts'
import { assertWithinLimit } from '../../repositories/repository/limit.ts'
import { insertNew, type NewEntry } from '../../repositories/repository/insert.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { newUnits } from '../../repositories/repository/units.ts'
import { isStorageFull } from '../../platform/storage/disk-room.ts'
import type { Account } from '../../identity/users/account.ts'
import { cloneInto, type Cloned } from './clone.ts'
import { connectTo } from './connect.ts'
import {
  chooseCredentials,
  sealCredentials,
  type Credentials,
  type GivenCredentials,
} from './credentials.ts'
import { defaultInterval, nextSync, readInterval, type Interval } from './interval.ts'
import { assertEndpointAllowed, sealEndpoint } from './lfs.ts'
import { complaintOf, limitsOf } from './limits.ts'
import { insertMirror } from './queries.ts'
import { mayImportFor, notOwner } from './owner.ts'
import { fetchFailed, withObjects } from './received.ts'
import { inTurn } from './slots.ts'
import { fetchWiki } from './wiki.ts'

export interface Migration {
  readonly address: string
  readonly credentials: GivenCredentials
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly isMirror: boolean
  /** Empty: what the server's settings say. */
  readonly interval: string
  readonly hasWiki: boolean
  readonly hasLfs: boolean
  /** Empty: where clients look by themselves. */
  readonly lfsEndpoint: string
}

/** Where it comes from, and how, once all of that is allowed. */
export interface Plan {
  readonly url: URL
  readonly credentials: Credentials
  readonly interval: Interval
}

/** Ends when everything has been fetched; then there is the whole repository, or nothing. */
export async function migrateRepository(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  wanted: Migration,
  signal: AbortSignal,
): Promise<Repository> {
  return inTurn(ctx, signal, async () => {
    const plan = planMigration(ctx, wanted)
    await assertWithinLimit(ctx, caller, owner)
    await assertNameFree(ctx, owner, wanted.name)
    const recheck = (tx: Executor) => assertStillOwns(tx, caller, owner)
    return bring(ctx, caller, owner, { wanted, plan, recheck }, signal)
  })
}

async function assertStillOwns(
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
): Promise<void> {
  const now = await readmitCaller(tx, caller)
  if (!(await mayImportFor({ db: tx }, now, owner))) throw notOwner()
}

/** Refuses whatever nobody has to ask the other server for. */
export function planMigration(ctx: Context, wanted: Migration): Plan {
  const { url, ...inAddress } = readRemoteAddress(wanted.address)
  ctx.outside.assertNameable(url)
  assertMigrationsAllowed(ctx, wanted)
  if (wanted.hasLfs) assertEndpointAllowed(ctx.outside, wanted.lfsEndpoint)
  const interval =
    wanted.interval === '' ? defaultInterval(ctx.config) : readInterval(ctx.config, wanted.interval)
  return { url, interval, credentials: chooseCredentials(inAddress, wanted.credentials) }
}

interface Brought {
  readonly wanted: Migration
  readonly plan: Plan
  /** What has to be so still when it is there. */
  readonly recheck: NonNullable<NewEntry['recheck']>
}

/** Brings it, and makes the repository when all of it is there. */
export async function bring(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  { wanted, plan, recheck }: Brought,
  signal: AbortSignal,
): Promise<Repository> {
  const { url, interval, credentials } = plan
  return withNewFolder(ctx, async (folder, path) => {
    const remote = await connectTo(ctx, url.href, credentials)
    const since = performance.now()
    const limits = () => limitsOf(ctx, signal, since)
    const whole = await cloneInto(ctx, path, remote, limits()).catch(refuse)
    const cloned = { ...whole, folder, address: url.href }
    const objectsOf = { path, remote, endpoint: wanted.lfsEndpoint, ownerId: owner.id }
    const wantsObjects = wanted.hasLfs ? objectsOf : undefined
    return withObjects(ctx, wantsObjects, limits(), async (objects) => {
      if (wanted.hasWiki) await fetchWiki(ctx, cloned, remote, { ...limits(), prune: false })
      const also: NewEntry['also'] = async (tx, repo) => {
        await objects.record(tx, repo)
        const mirror = newMirror(ctx, repo, wanted, { url, interval, remote })
        if (wanted.isMirror) await insertMirror(tx, mirror)
        await ctx.jobs.enqueue(tx, 'measure_repository', { id: repo.id })
      }
      const entry = describeNew(ctx, wanted, cloned)
      return insertNew(ctx, caller, owner, { ...entry, also, recheck })
    })
  })
}

function assertMigrationsAllowed({ config }: Context, { isMirror }: Migration): void {
  if (isMirror && !config.mirror.enabled) {
    throw forbidden('the site administrator has disabled the creation of new pull mirrors')
  }
  if (!config.repositories.migrations) {
    throw forbidden('the site administrator has disabled migrations')
  }
}

/** What the contract says to whoever asked for it. */
function refuse(error: unknown): never {
  if (!(error instanceof GitError) || isStorageFull(error)) throw error
  const words = complaintOf(error)
  const isRefused = /could not read (?:Username|Password)|Authentication failed/.test(words)
  if (!isRefused) throw fetchFailed(words, error)
  throw invalid(`Authentication failed: ${words}.`, { cause: error, reason: 'sign_in_failed' })
}

function describeNew(
  ctx: Context,
  wanted: Migration,
  cloned: Cloned & { readonly folder: string; readonly address: string },
): NewEntry {
  const { repositories } = ctx.config
  const units = wanted.isMirror ? repositories.default_mirror_units : repositories.default_units
  return {
    row: {
      name: wanted.name,
      folder: cloned.folder,
      description: wanted.description,
      original_url: cloned.address,
      is_private: wanted.isPrivate ? 1 : 0,
      is_mirror: wanted.isMirror ? 1 : 0,
      is_empty: cloned.branchCount === 0 ? 1 : 0,
      branch_count: cloned.branchCount,
      git_size: cloned.size,
      default_branch: cloned.defaultBranch,
      object_format: cloned.objectFormat,
    },
    units: newUnits(ctx.config, units),
    labels: [],
  }
}

function newMirror(
  ctx: Context,
  repo: Repository,
  { hasWiki, hasLfs, lfsEndpoint }: Migration,
  { url, interval, remote }: { url: URL; interval: Interval; remote: Remote },
): NewRow<'mirror'> {
  const now = ctx.now()
  const { username, password } = remote
  return {
    repository_id: repo.id,
    address: url.href,
    host: hostOf(url),
    credentials: sealCredentials(ctx.secrets, { username, password }),
    interval: interval.text,
    interval_seconds: interval.seconds,
    next_at: nextSync(now, interval, repo.id),
    updated_at: now,
    synced_at: now,
    has_wiki: hasWiki ? 1 : 0,
    has_lfs: hasLfs ? 1 : 0,
    lfs_endpoint: hasLfs ? sealEndpoint(ctx.secrets, lfsEndpoint) : '',
  }
}
