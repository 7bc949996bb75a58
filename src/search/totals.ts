import { hash } from 'node:crypto'
import { isSiteAdmin, type Caller, type Context } from '../context.ts'
import type { RepositoryCondition } from '../repositories/conditions.ts'
import { countBeyond, countMatching, countWithin } from './queries.ts'
import { knownThroughMembership, ownedById, sharedIds, unionOf } from './sets.ts'
import type { Wanted } from './wanted.ts'

/** Exactly what the caller may see. It is kept until anything is committed: pages of one search ask again and again. */
export async function totalOf(
  ctx: Context,
  caller: Caller,
  wanted: Wanted,
  wide: boolean,
  conditions: readonly RepositoryCondition[],
): Promise<number> {
  const who = searcherOf(caller, wanted, wide)
  // Hashed: thousands of long questions are not worth their memory.
  const key = hash('sha256', `${who} ${JSON.stringify({ ...wanted, ...noOrder })}`)
  const { total } = await ctx.totals.get(key, async () => ({
    total: hasFilters(wanted)
      ? await countMatching(ctx.db, conditions)
      : await countVisible(ctx, caller, wide),
  }))
  return total
}

/** On whom the total depends: what is public is the same for all who do not ask for what they collaborate on. */
function searcherOf({ account }: Caller, { mode, accountId }: Wanted, wide: boolean): string {
  const isPersonal = mode === 'collaborative' && accountId === undefined
  const id = wide || isPersonal ? (account?.id ?? 0) : 'anybody'
  return `${id} ${wide} ${account?.isRestricted ?? false}`
}

/** What changes nothing about how many there are. */
const noOrder = { sort: undefined, direction: undefined, priorityOwnerId: undefined }
/** What narrows nothing by itself. */
const noFilter = { includePrivate: '', exclusive: '', isTopic: '', includeDescription: '' }

function hasFilters(wanted: Wanted): boolean {
  return Object.values({ ...wanted, ...noOrder, ...noFilter }).some(
    (value) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
}

/** What is open is counted as it comes and goes; only what somebody has beyond that is counted now. */
async function countVisible(
  { db, config }: Context,
  caller: Caller,
  wide: boolean,
): Promise<number> {
  const { account } = caller
  const closed = account?.isRestricted && config.security.require_sign_in === 'true'
  if (!wide || !account) return closed ? 0 : countWithin(db, 0)
  if (isSiteAdmin(caller)) return countWithin(db, 3)
  const open = account.isRestricted ? (closed ? -1 : 0) : 1
  const own = [ownedById(account.id), ...sharedIds(account.id)]
  const known = account.isRestricted ? [] : [knownThroughMembership(account.id)]
  return (await countWithin(db, open)) + (await countBeyond(db, unionOf([...own, ...known]), open))
}
