import { isSiteAdmin, type Caller } from '../context.ts'
import type { Account } from '../users/account.ts'
import type { ActorCondition } from './queries.ts'

/** Somebody who hides their activity shows it to themselves and administrators only. */
export function isHiddenFrom(caller: Caller): ActorCondition | undefined {
  if (isSiteAdmin(caller)) return undefined
  const visible = visibleTo(caller)
  return (eb) =>
    eb.and([
      eb('account.id', '<>', caller.account?.id ?? 0),
      eb.or([eb('account.visibility', 'not in', visible), eb('account.hide_activity', '=', 1)]),
    ])
}

/** The same of one person. */
export function isHidden(caller: Caller, { id, visibility, hideActivity }: Account): boolean {
  if (isSiteAdmin(caller) || caller.account?.id === id) return false
  return hideActivity || !visibleTo(caller).includes(visibility)
}

function visibleTo({ account }: Caller): readonly ('public' | 'limited' | 'private')[] {
  return account ? ['public', 'limited'] : ['public']
}
