import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { notFound } from '../../platform/errors.ts'
import type { EditGroup } from '../../repositories/repository/edit-group.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import {
  changeCredentials,
  sealCredentials,
  speaksOfCredentials,
  unsealCredentials,
  type GivenCredentials,
} from './credentials.ts'
import { readInterval } from './interval.ts'
import { findMirror, updateMirror, type Mirror } from './queries.ts'

/** `undefined` leaves a field as it is. */
export interface MirrorEdit {
  readonly interval?: string | undefined
  readonly enablePrune?: boolean | undefined
  readonly credentials: GivenCredentials
}

export const mirrorEdit: EditGroup<MirrorEdit> = { mentions: mentionsMirror, apply: editMirror }

/** What is no mirror is left alone. */
async function editMirror(
  ctx: Context,
  tx: Executor,
  repo: Repository,
  edit: MirrorEdit,
): Promise<void> {
  if (!repo.isMirror || !mentionsMirror(edit)) return
  const settings = readSettings(ctx, edit)
  await lock(ctx.db.dialect, tx, 'repository', repo.id)
  const mirror = await findMirror(tx, repo.id)
  if (!mirror) throw notFound()
  const secret = changeSecret(ctx, mirror, edit.credentials)
  await updateMirror(tx, repo.id, { ...settings, ...secret })
}

function mentionsMirror({ interval, enablePrune, credentials }: MirrorEdit): boolean {
  return interval !== undefined || enablePrune !== undefined || speaksOfCredentials(credentials)
}

/** Whether what is gone at its origin goes here, too. */
export async function prunesMirror(ctx: Context, repo: Repository): Promise<boolean> {
  return (await findMirror(ctx.db, repo.id))?.enable_prune === 1
}

function readSettings(
  ctx: Context,
  { interval: text, enablePrune }: MirrorEdit,
): Changes<'mirror'> {
  const prune: Changes<'mirror'> =
    enablePrune === undefined ? {} : { enable_prune: enablePrune ? 1 : 0 }
  if (text === undefined) return prune
  const interval = readInterval(ctx.config, text)
  return {
    ...prune,
    interval: interval.text,
    interval_seconds: interval.seconds,
    next_at: interval.seconds === 0 ? 0 : ctx.now() + interval.seconds,
  }
}

function changeSecret(
  { secrets }: Context,
  mirror: Mirror,
  given: GivenCredentials,
): Changes<'mirror'> {
  if (!speaksOfCredentials(given)) return {}
  const old = unsealCredentials(secrets, mirror.credentials)
  return { credentials: sealCredentials(secrets, changeCredentials(old, given)) }
}
