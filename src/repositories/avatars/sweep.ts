import type { Context } from '../../platform/context.ts'
import { sweepFiles } from '../../platform/sweeps/files.ts'
import { AVATARS } from './change.ts'
import { findUsed } from './queries.ts'

/** A scheduled task: throws away pictures that a crash left to nobody. */
export async function sweepAvatars(ctx: Context): Promise<void> {
  await sweepFiles(ctx, AVATARS, findUsed)
}
