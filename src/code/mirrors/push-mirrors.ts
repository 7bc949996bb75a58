import { randomBytes } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { AppError } from '../../platform/errors.ts'
import { isLocalPath, readRemoteAddress } from '../../platform/network/address.ts'
import { hostOf } from '../../platform/network/policy.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { chooseCredentials, sealCredentials, type GivenCredentials } from './credentials.ts'
import { nextSync, readInterval } from './interval.ts'
import {
  deletePushMirror,
  hasFollowing,
  insertPushMirror,
  listPushMirrors,
  markFollowing,
  type PushMirror,
} from './push-queries.ts'

export interface NewPushMirror {
  readonly address: string
  readonly credentials: GivenCredentials
  readonly interval: string
  readonly syncOnCommit: boolean
}

/** Nobody connects yet: whether the remote takes anything is found out at the first push. */
export async function addPushMirror(
  ctx: Context,
  repo: Repository,
  wanted: NewPushMirror,
): Promise<PushMirror> {
  if (!ctx.config.mirror.enabled) {
    throw new AppError('bad_request', 'Mirror feature is disabled')
  }
  const interval = await orBad(async () => readInterval(ctx.config, wanted.interval))
  const { url, credentials } = await readTarget(ctx, wanted)
  const now = ctx.now()
  return insertPushMirror(ctx.db, {
    repository_id: repo.id,
    remote_name: `remote_mirror_${randomBytes(8).toString('hex')}`,
    address: url.href,
    host: hostOf(url),
    credentials: sealCredentials(ctx.secrets, credentials),
    interval: interval.text,
    interval_seconds: interval.seconds,
    next_at: nextSync(now, interval, repo.id),
    sync_on_commit: wanted.syncOnCommit ? 1 : 0,
    created_at: now,
  })
}

export async function pushMirrorsOf(
  ctx: Context,
  repo: Repository,
  page: Page,
): Promise<PageOf<PushMirror>> {
  return listPushMirrors(ctx.db, repo.id, page)
}

/** If there is one of this name. */
export async function removePushMirror(
  ctx: Context,
  repo: Repository,
  name: string,
): Promise<void> {
  await deletePushMirror(ctx.db, repo.id, name)
}

async function readTarget(ctx: Context, { address, credentials: given }: NewPushMirror) {
  if (isLocalPath(address)) {
    throw new AppError('unauthenticated', 'You are not allowed to import local repositories.')
  }
  return orBad(async () => {
    const { url, ...inAddress } = readRemoteAddress(address)
    await ctx.outside.assertReachable(url)
    return { url, credentials: chooseCredentials(inAddress, given) }
  })
}

/** On these routes what is wrong with the input is a bad request. */
async function orBad<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error
    const { message, reason, subject } = error
    throw new AppError('bad_request', message, { cause: error, reason, subject })
  }
}

/** After the references of a repository have moved: those who want to hear of it at once do. */
export async function tellPushMirrors(ctx: Context, repositoryId: number): Promise<void> {
  // Looking is free; most repositories have none.
  if (!(await hasFollowing(ctx.db, repositoryId))) return
  await ctx.db.transaction().execute(async (tx) => {
    const ids = await markFollowing(tx, repositoryId)
    await ctx.jobs.enqueueAll(
      tx,
      'sync_push_mirror',
      ids.map((id) => ({ id })),
    )
  })
  ctx.jobs.wake()
}
