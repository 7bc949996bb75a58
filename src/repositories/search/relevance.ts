import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/db/database.ts'
import { contains, isLiterally, startsWith } from '../../platform/db/like.ts'
import type { RepositoryCondition } from '../repository/conditions.ts'
import { anyOf, textIds, type KeywordFilter } from './keywords.ts'
import type { Question } from './search.ts'
import { isAmong, type IdSet, type SetFilter } from './sets.ts'
import type { Wanted } from './wanted.ts'

const name = sql.ref('repository.lower_name')
const LAST_CHARACTER = '\u{10ffff}'

interface Rank {
  readonly test: (value: RawBuilder<unknown>, word: string) => RawBuilder<SqlBool>
  readonly ids: (db: Database, word: string) => IdSet
}

/** A name that is the word, one that begins with it, one that contains it. */
const ranks: readonly Rank[] = [
  {
    test: isLiterally,
    ids: (_db, word) => sql`SELECT id FROM repository WHERE lower_name = ${word}`,
  },
  {
    test: startsWith,
    ids: (_db, word) => sql`SELECT id FROM repository
      WHERE lower_name >= ${word} AND lower_name < ${word + LAST_CHARACTER}`,
  },
  { test: contains, ids: (db, word) => textIds(db, word, 'name') },
]

/** How near a repository comes to what was asked for: 0 is nearest. */
export function rankOf(words: readonly string[]): RawBuilder<unknown> {
  const cases = ranks.map(({ test }, rank) => sql`WHEN ${named(words, test)} THEN ${sql.lit(rank)}`)
  return sql`CASE ${sql.join(cases, sql` `)} ELSE ${sql.lit(ranks.length)} END`
}

function named(words: readonly string[], test: Rank['test']): RawBuilder<SqlBool> {
  return anyOf(words, (word) => test(name, word))
}

/** The repositories of one rank. */
export type Step = readonly RepositoryCondition[]

/**
 * Of a common word, each rank by itself, so that a page is found without looking at everything that
 * has the word. Absent where few are left, which are sorted as they are.
 */
export async function rankedSteps(
  { db, setSizes }: Context,
  wanted: Wanted,
  { visible, filters }: Question,
): Promise<readonly Step[] | undefined> {
  const { keyword, others, isNarrow } = filters
  if (wanted.sort !== 'relevance' || !keyword || isNarrow) return undefined
  if (wanted.path || wanted.priorityOwnerId !== undefined) return undefined
  const sets = [...ranks.keys()].map((rank) => namesOfRank(db, wanted.keywords, rank))
  const chosen = await Promise.all(
    [...sets, outsideNames(wanted.keywords, keyword)].map(async (set) =>
      (await setSizes.isSmall(set.ids)) ? isAmong(db, set) : set.fits,
    ),
  )
  return chosen.map((condition) => [...visible, ...others, condition, keyword.fits])
}

/** Those of one rank, and none of the rank before it. */
function namesOfRank(db: Database, words: readonly string[], rank: number): SetFilter {
  const [before, here] = [ranks[rank - 1], ranks[rank]]
  return {
    ids: words.flatMap((word) => here?.ids(db, word) ?? []),
    fits: (eb) =>
      eb.and([
        ...(here ? [named(words, here.test)] : []),
        ...(before ? [eb.not(named(words, before.test))] : []),
      ]),
    isRough: true,
  }
}

function outsideNames(words: readonly string[], { outsideName }: KeywordFilter): SetFilter {
  const ids =
    outsideName.length === 0 ? [sql<{ id: number }>`SELECT 0 AS id WHERE 1 = 0`] : outsideName
  return { ids, fits: (eb) => eb.not(named(words, contains)), isRough: true }
}
