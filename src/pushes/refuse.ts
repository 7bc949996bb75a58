import type { SignedInCaller } from '../context.ts'
import { isRefName } from '../git/ref-name.ts'
import { branchOf, type RefUpdate } from '../git/ref-update.ts'
import type { RepositoryView } from '../repositories/view.ts'

const MAX_COMPONENT_BYTES = 255
const open = /^refs\/(?:heads|tags|notes)\//

/** Why this ref of a push may not move as wanted; the others of the push may. Protection of branches belongs here. */
export function refuseUpdate(
  { repo }: RepositoryView,
  _caller: SignedInCaller,
  { ref, after }: RefUpdate,
): string | undefined {
  if (!open.test(ref)) return `reserved ref: only branches, tags and notes can be pushed`
  const isDeletion = after === undefined
  // A bad name that came from elsewhere, by a mirror, can still be deleted.
  if (!isDeletion && !isNameAllowed(ref)) return `the name is not allowed`
  if (isDeletion && branchOf(ref) === repo.defaultBranch && !repo.isEmpty) {
    return `the default branch cannot be deleted`
  }
  return undefined
}

/** No component can be taken for an option, nor a branch for HEAD. */
function isNameAllowed(ref: string): boolean {
  const name = ref.replace(open, '')
  if (!isRefName(name) || ref === 'refs/heads/HEAD') return false
  return name
    .split('/')
    .every((part) => !part.startsWith('-') && Buffer.byteLength(part) <= MAX_COMPONENT_BYTES)
}

/** The refused refs of a push, with the reason for each. */
export function refusals(
  view: RepositoryView,
  caller: SignedInCaller,
  updates: readonly RefUpdate[],
): ReadonlyMap<string, string> {
  return new Map(
    updates.flatMap((update) => {
      const reason = refuseUpdate(view, caller, update)
      return reason === undefined ? [] : [[update.ref, `${update.ref}: ${reason}`]]
    }),
  )
}
