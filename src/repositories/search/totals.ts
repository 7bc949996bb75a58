import { hash } from 'node:crypto'
import type { Caller, Context } from '../../platform/context.ts'
import { isIndexed } from './keywords.ts'
import { countMany, countMatching, countWithin, countWorded } from './queries.ts'
import type { Question } from './search.ts'
import { isIn } from './sets.ts'
import { isBeyondOpen, isOpen } from './sight.ts'
import type { Wanted } from './wanted.ts'

/**
 * Exactly what the caller may see: what is open to all of their kind, which is counted for all of
 * them together, and what they have beyond. It is kept until anything is committed: pages of one
 * search ask again and again.
 */
export async function totalOf(
  ctx: Context,
  caller: Caller,
  wanted: Wanted,
  question: Question,
): Promise<number> {
  const { open, own, isWide } = question.sight
  const asked = `${isWide} ${JSON.stringify({ ...wanted, ...noOrder })}`
  const callerId = caller.account?.id ?? 0
  const isPersonal = wanted.mode === 'collaborative' && wanted.accountId === undefined
  const ofAll = await kept(ctx, `${open} ${isPersonal ? callerId : 'all'} ${asked}`, () =>
    countOpen(ctx, wanted, question),
  )
  if (!own) return ofAll
  return ofAll + (await kept(ctx, `own ${callerId} ${asked}`, () => countOwn(ctx, question)))
}

/** Hashed: thousands of long questions are not worth their memory. */
async function kept(
  { totals }: Context,
  question: string,
  count: () => Promise<number>,
): Promise<number> {
  const find = async () => ({ total: await count() })
  return (await totals.get(hash('sha256', question), find)).total
}

/**
 * What is open is counted as it comes and goes, and how many have a word, the text index of SQLite
 * says by itself.
 */
async function countOpen(
  { db }: Context,
  wanted: Wanted,
  { sight, filters }: Question,
): Promise<number> {
  if (sight.open < 0) return 0
  if (!hasFilters(wanted)) return countWithin(db, sight.open)
  if (db.dialect === 'sqlite' && filters.keyword && !filters.isNarrow && isOnlyWords(wanted)) {
    return countWorded(db, wanted, sight.open, filters.keyword.inTopics)
  }
  if (filters.isNarrow) return countMatching(db, [isOpen(sight), ...filters.forPage])
  return countMany(db, [isOpen(sight), ...filters.forTotal])
}

/**
 * Of a few that fit, each is asked whether it is the caller's; else the caller's are asked whether
 * they fit.
 */
async function countOwn({ db }: Context, { sight, visible, filters }: Question): Promise<number> {
  const own = sight.own && !filters.isNarrow ? [isIn(sight.own)] : visible
  return countMatching(db, [...isBeyondOpen(sight), ...own, ...filters.forPage])
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

function isOnlyWords(wanted: Wanted): boolean {
  const { keywords, isTopic } = wanted
  return !isTopic && keywords.every(isIndexed) && !hasFilters({ ...wanted, keywords: [] })
}
