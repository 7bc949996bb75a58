import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../platform/context.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'

/**
 * Fewer new refs, in a repository that has not many, cost no process to count those that are there.
 */
const FEW_REFS = 50
const MANY_PACKED_BYTES = 1024 * 1024

/** Why there is no room for the new refs of a push: all others read the whole list of them. */
export async function refusalForRoom(
  { git, config }: Context,
  folder: string,
  updates: readonly RefUpdate[],
): Promise<string | undefined> {
  const { max_refs: most } = config.repositories
  const added = updates.filter(({ before }) => before === undefined).length
  if (added === 0 || (added < FEW_REFS && !(await hasManyRefs(folder)))) return undefined
  const lines = await git.text(folder, ['for-each-ref', `--count=${most}`, '--format=x'])
  const present = lines === '' ? 0 : lines.split('\n').length
  return present + added > most ? `a repository has room for ${most} refs` : undefined
}

/** Git packs them now and then. */
async function hasManyRefs(folder: string): Promise<boolean> {
  const packed = await stat(join(folder, 'packed-refs')).catch(() => undefined)
  return packed !== undefined && packed.size > MANY_PACKED_BYTES
}
