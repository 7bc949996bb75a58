import { isSiteAdmin, type Caller } from '../../platform/context.ts'
import type { Account } from '../../identity/users/account.ts'
import type { SeenActors } from './queries.ts'

/** Somebody who hides their activity shows it to themselves and administrators only. */
export function actorsFor(caller: Caller): SeenActors | undefined {
  if (isSiteAdmin(caller)) return undefined
  return { visible: visibleTo(caller), ownId: caller.account?.id }
}

/**
 * Whether what this person does is kept from the caller, by `hideActivity` or by their visibility.
 */
export function isHidden(caller: Caller, { id, visibility, hideActivity }: Account): boolean {
  if (isSiteAdmin(caller) || caller.account?.id === id) return false
  return hideActivity || !visibleTo(caller).includes(visibility)
}

function visibleTo({ account }: Caller): SeenActors['visible'] {
  return account ? ['public', 'limited'] : ['public']
}
