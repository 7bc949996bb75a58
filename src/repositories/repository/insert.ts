import { recordActivity } from '../../events/activity/record.ts'
import type { LabelTemplate } from '../repository-defaults/label-sets.ts'
import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { holdOrganization } from '../../identity/organizations/hold.ts'
import { assertWithinQuota } from './quota.ts'
import type { Account } from '../../identity/users/account.ts'
import { copyDefaultWebhooks } from '../../events/webhooks/copy.ts'
import { announceRepository } from './webhook-events.ts'
import { reaches } from '../../platform/access-level.ts'
import { findWatchingMembers, insertWatches } from './audience-queries.ts'
import { assertStillWithinLimit } from './limit.ts'
import {
  addToForksCount,
  findRepositoryById,
  insertLabels,
  insertRepository,
  nameTaken,
} from './queries.ts'
import { findTeamAccess, upsertCollaboration } from './relation-queries.ts'
import { mayReuse } from './redirects.ts'
import { insertUnits } from './unit-queries.ts'
import type { Repository } from './repository.ts'
import type { Units } from './units.ts'

type EntryRow = Omit<
  NewRow<'repository'>,
  'owner_id' | 'lower_name' | 'lower_description' | 'created_at' | 'updated_at' | 'fork_of'
> & { readonly fork_of?: number }

/** A repository whose directory is made and filled: what its row says, and what begins with it. */
export interface NewEntry {
  readonly row: EntryRow
  readonly units: Units
  readonly labels: readonly LabelTemplate[]
  /** What has to be so still, in the same transaction. */
  readonly recheck?: (tx: Executor) => Promise<void>
  /** What its row has to say by then instead, of a fork by what its base is. */
  readonly lateRow?: (tx: Executor) => Promise<Partial<EntryRow>>
  /** What else begins with it, in the same transaction. */
  readonly also?: (tx: Executor, repo: Repository) => Promise<void>
}

/** In one transaction: from now on it is there, whole. An owner who is gone by now is not found. */
export async function insertNew(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  entry: NewEntry,
): Promise<Repository> {
  const made = await insertWhole(ctx, caller, owner, entry)
  ctx.jobs.wake()
  return made
}

async function insertWhole(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  entry: NewEntry,
): Promise<Repository> {
  return ctx.db.transaction().execute(async (tx) => {
    const now = ctx.now()
    // First of all, as by whoever takes somebody out of it: nobody watches or administrates what
    // they have left.
    if (owner.kind === 'organization') await holdOrganization(ctx, tx, owner.id)
    // Counting it holds the base: nobody publishes or conceals that until its fork is there to
    // follow.
    if (entry.row.fork_of !== undefined) await addToForksCount(tx, entry.row.fork_of, 1)
    await entry.recheck?.(tx)
    await assertStillWithinLimit(ctx, tx, caller, owner)
    await assertWithinQuota(ctx, tx, { ownerId: owner.id }, entry.row.git_size ?? 0)
    if (!(await mayReuse(ctx, tx, caller, owner.id, entry.row.name))) throw nameTaken()
    const row = { ...entry.row, ...(await entry.lateRow?.(tx)) }
    const repo = await insertRepository(tx, {
      ...row,
      fork_of: entry.row.fork_of ?? null,
      owner_id: owner.id,
      lower_name: entry.row.name.toLowerCase(),
      lower_description: (entry.row.description ?? '').toLowerCase(),
      created_at: now,
      updated_at: now,
      owner_name: owner.name.toLowerCase(),
      reach: reachOf(row.is_private, owner),
    })
    await insertUnits(tx, repo.id, entry.units)
    await insertLabels(
      tx,
      entry.labels.map((label) => labelRow(repo.id, label)),
    )
    await admitCreator(tx, caller, owner, repo, now)
    await insertWatches(tx, repo.id, await watchersOf(ctx, tx, caller, owner), now)
    await copyDefaultWebhooks(ctx, tx, repo.id)
    await entry.also?.(tx, repo)
    await recordActivity(tx, {
      repositoryId: repo.id,
      accountId: caller.account.id,
      kind: 'create_repo',
      isPrivate: repo.isPrivate,
      at: now,
    })
    await announceRepository(ctx, tx, caller.account, repo.id, 'created')
    return (await findRepositoryById(tx, repo.id)) ?? repo
  })
}

/** What the database will find too: told with the row, it need not change every index again. */
function reachOf(isPrivate: 0 | 1 | undefined, { visibility }: Account): number {
  return isPrivate === 1 ? 3 : ['public', 'limited', 'private'].indexOf(visibility)
}

function labelRow(repositoryId: number, label: LabelTemplate) {
  return {
    repository_id: repositoryId,
    org_id: null,
    name: label.name,
    color: label.color,
    description: label.description,
    exclusive: label.exclusive ? (1 as const) : (0 as const),
    exclusive_order: label.exclusiveOrder,
  }
}

/**
 * Who may create in an organization without administrating there administrates at least what they
 * created.
 */
async function admitCreator(
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
  repo: Repository,
  now: number,
): Promise<void> {
  if (owner.kind !== 'organization' || isSiteAdmin(caller)) return
  const teams = await findTeamAccess(tx, [repo.id], [caller.account.id])
  if (teams.some(({ level }) => reaches(level, 'admin'))) return
  await upsertCollaboration(tx, {
    repository_id: repo.id,
    account_id: caller.account.id,
    access: 'admin',
    created_at: now,
  })
}

async function watchersOf(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
): Promise<readonly number[]> {
  if (!ctx.config.repositories.auto_watch) return []
  const members = owner.kind === 'organization' ? await findWatchingMembers(tx, owner.id) : []
  return [...new Set([caller.account.id, ...members])]
}
