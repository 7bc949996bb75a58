import { sweepFiles } from '../../platform/sweeps/files.ts'
import type { Context } from '../../platform/context.ts'
import { PACKAGE_FILES } from './package.ts'
import { findKnownFiles } from './queries.ts'

/** A scheduled task: removes files that a crash left without a record. */
export async function sweepPackages(ctx: Context): Promise<void> {
  await sweepFiles(ctx, PACKAGE_FILES, findKnownFiles)
}
