import { isRefName } from '../../platform/git/ref-name.ts'
import { branchOf, type RefUpdate } from '../../platform/git/ref-update.ts'

const MAX_COMPONENT_BYTES = 255
const open = /^refs\/(?:heads|tags|notes)\//

/** Why this ref of a push may not move as wanted; the others of the push may. */
function refuseUpdate(
  keptBranch: string | undefined,
  { ref, after }: RefUpdate,
): string | undefined {
  if (!open.test(ref)) return `reserved ref: only branches, tags and notes can be pushed`
  const isDeletion = after === undefined
  // A bad name that came from elsewhere, by a mirror, can still be deleted.
  if (!isDeletion && !isNameAllowed(ref)) return `the name is not allowed`
  const isKept = keptBranch !== undefined && branchOf(ref) === keptBranch
  return isDeletion && isKept ? `the default branch cannot be deleted` : undefined
}

/** No component can be taken for an option, nor a branch for HEAD. */
export function isNameAllowed(ref: string): boolean {
  const name = ref.replace(open, '')
  if (!isRefName(name) || ref === 'refs/heads/HEAD') return false
  return name
    .split('/')
    .every((part) => !part.startsWith('-') && Buffer.byteLength(part) <= MAX_COMPONENT_BYTES)
}

/** The refused refs of a push, with the reason for each. */
export function refusals(
  /** What clones check out, if there is anything to check out. */
  keptBranch: string | undefined,
  updates: readonly RefUpdate[],
): ReadonlyMap<string, string> {
  return new Map(
    updates.flatMap((update) => {
      const reason = refuseUpdate(keptBranch, update)
      return reason === undefined ? [] : [[update.ref, `${update.ref}: ${reason}`]]
    }),
  )
}
