import type { Config } from '../../platform/config/config.ts'
import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import {
  isOfOrganization,
  isSharedWith,
  isThroughTeam,
  type RepositoryCondition,
} from '../repository/conditions.ts'
import { lacksSecondFactor } from '../../identity/users/second-factor.ts'
import { isAmong, knownThroughMembership, ownedById, sharedIds, type SetFilter } from './sets.ts'
import type { Wanted } from './wanted.ts'

/** What a caller may see. */
export interface Sight {
  /** Whether private repositories come into question at all. */
  readonly isWide: boolean
  /** Everything up to this reach is open to them; -1 where nothing is. */
  readonly open: number
  /** Beyond that, what is theirs. */
  readonly own: SetFilter | undefined
}

const EVERYTHING = 3

/**
 * Somebody who asks for their own sees all of it; a search that is not wide is of what is public to
 * the world.
 */
export function sightOf(
  config: Config,
  caller: Caller,
  { includePrivate, accountId }: Wanted,
): Sight {
  if (lacksSecondFactor({ config }, caller)) return { isWide: false, open: -1, own: undefined }
  const { account } = caller
  const isWide = account !== undefined && includePrivate && !caller.publicOnly
  const isClosed = account?.isRestricted === true && config.security.require_sign_in === 'true'
  if (isWide && (isSiteAdmin(caller) || accountId === account.id)) {
    return { isWide, open: EVERYTHING, own: undefined }
  }
  if (!account || !(isWide || isClosed)) return { isWide, open: 0, own: undefined }
  const open = isClosed ? -1 : account.isRestricted ? 0 : 1
  return { isWide, open, own: ownOf(account) }
}

/**
 * What is theirs: owned, shared with them, or public of an organization that only its members know.
 */
function ownOf({ id, isRestricted }: { id: number; isRestricted: boolean }): SetFilter {
  return {
    ids: [ownedById(id), ...sharedIds(id), ...(isRestricted ? [] : [knownThroughMembership(id)])],
    fits: (eb) =>
      eb.or([
        eb('repository.owner_id', '=', id),
        ...(isRestricted
          ? []
          : [eb.and([eb('repository.reach', '=', 2), isOfOrganization(id)(eb)])]),
        isSharedWith(id)(eb),
        isThroughTeam(id)(eb),
      ]),
  }
}

/**
 * Few people have so many repositories of their own that looking for each in all of them is slower
 * than asking it.
 */
export async function visibleIn(
  { db, setSizes }: Context,
  sight: Sight,
): Promise<readonly RepositoryCondition[]> {
  const { open, own } = sight
  if (open === EVERYTHING) return []
  if (!own) return [isOpen(sight)]
  const isOwn = (await setSizes.isSmall(own.ids)) ? await isAmong(db, own) : own.fits
  return [(eb) => eb.or([isOpen(sight)(eb), isOwn(eb)]), ...narrow(sight)]
}

export function isOpen({ open }: Sight): RepositoryCondition {
  return (eb) => eb('repository.reach', '<=', open)
}

/** The caller's own beyond what is open. */
export function isBeyondOpen(sight: Sight): readonly RepositoryCondition[] {
  return [(eb) => eb('repository.reach', '>', sight.open), ...narrow(sight)]
}

function narrow({ isWide }: Sight): readonly RepositoryCondition[] {
  return isWide ? [] : [(eb) => eb('repository.reach', '=', 0)]
}
