import { sql, type SqlBool } from 'kysely'
import type { Context } from '../../platform/context.ts'
import { contains } from '../../platform/db/like.ts'
import {
  isOfOrganization,
  isOfTeam,
  isSharedWith,
  isThroughTeam,
  type RepositoryBuilder,
  type RepositoryCondition,
} from '../repository/conditions.ts'
import { hasExactTopic, keywordFilter, type KeywordFilter } from './keywords.ts'
import {
  isAmong,
  isIn,
  knownThroughMembership,
  ownedById,
  ownedIds,
  sharedIds,
  starredIds,
  teamIds,
  topicIds,
  type IdSet,
  type SetFilter,
} from './sets.ts'
import type { Wanted } from './wanted.ts'

export interface Searcher {
  /** Whether private repositories come into question at all. */
  readonly wide: boolean
  readonly callerId: number
}

/** All filters but visibility. */
export interface Filters {
  /**
   * For a page. Where a filter leaves few repositories the search starts from those; where it
   * leaves many, it walks through all in the order asked for, and looks whether each one fits.
   */
  readonly forPage: readonly RepositoryCondition[]
  /** For the total, which has to look at all that a filter leaves anyway. */
  readonly forTotal: readonly RepositoryCondition[]
  /** Whether some filter leaves few. */
  readonly isNarrow: boolean
  /** The filter by keyword, and all others as for a page. */
  readonly keyword: KeywordFilter | undefined
  readonly others: readonly RepositoryCondition[]
}

export async function filtersOf(
  { db, setSizes }: Context,
  wanted: Wanted,
  searcher: Searcher,
): Promise<Filters> {
  const plain = [...flagFilters(wanted), ...modeFilters(wanted), ...detailFilters(wanted)]
  const keyword = wanted.keywords.length === 0 ? undefined : await keywordFilter(db, wanted)
  const sets = setFilters(wanted, searcher)
  const all = keyword ? [...sets, keyword] : sets
  const small = await Promise.all(all.map(({ ids }) => setSizes.isSmall(ids)))
  const ofPage = await Promise.all(
    all.map(async (set, place) => (small[place] ? isAmong(db, set) : set.fits)),
  )
  return {
    forPage: [...plain, ...ofPage],
    forTotal: [...plain, ...sets.map(isIn), ...(keyword ? [ofTotal(keyword)] : [])],
    isNarrow: small.includes(true),
    keyword,
    others: [...plain, ...ofPage.slice(0, sets.length)],
  }
}

/** What no index leads to is found while looking at everything. */
function ofTotal(keyword: KeywordFilter): RepositoryCondition {
  return keyword.isIndexed ? isIn(keyword) : keyword.fits
}

function setFilters(wanted: Wanted, searcher: Searcher): readonly SetFilter[] {
  const { owner, topics, teamId, starredBy } = wanted
  return [
    ...ownerFilters(wanted, searcher),
    ...(owner === '' ? [] : [{ ids: [ownedIds(owner)], fits: isOwnedByName(owner) }]),
    ...topics.map((topic) => ({ ids: [topicIds(topic)], fits: hasExactTopic(topic) })),
    ...(teamId === undefined ? [] : [{ ids: teamIds(teamId), fits: isOfTeam(teamId) }]),
    ...(starredBy === undefined
      ? []
      : [{ ids: [starredIds(starredBy)], fits: isStarredBy(starredBy) }]),
  ]
}

function flagFilters({
  isPrivate,
  isTemplate,
  isArchived,
}: Wanted): readonly RepositoryCondition[] {
  const flags = [
    ['repository.is_private', isPrivate],
    ['repository.is_template', isTemplate],
    ['repository.is_archived', isArchived],
  ] as const
  return flags.flatMap(([column, value]) =>
    value === undefined ? [] : [(eb: RepositoryBuilder) => eb(column, '=', value ? 1 : 0)],
  )
}

function modeFilters({ mode }: Wanted): readonly RepositoryCondition[] {
  if (mode === undefined) return []
  if (mode === 'fork') return [(eb) => eb('repository.is_fork', '=', 1)]
  if (mode === 'mirror') return [(eb) => eb('repository.is_mirror', '=', 1)]
  const noMirror: RepositoryCondition = (eb) => eb('repository.is_mirror', '=', 0)
  return mode === 'source' ? [noMirror, (eb) => eb('repository.is_fork', '=', 0)] : [noMirror]
}

function detailFilters({
  language,
  license,
  updatedSince,
}: Wanted): readonly RepositoryCondition[] {
  return [
    ...(language === '' ? [] : [() => sql<SqlBool>`lower(repository.language) = ${language}`]),
    ...(license === ''
      ? []
      : [() => contains(sql`lower(repository.licenses)`, JSON.stringify(license))]),
    ...(updatedSince === undefined
      ? []
      : [(eb: RepositoryBuilder) => eb('repository.updated_at', '>=', updatedSince)]),
  ]
}

/** Whose repositories: what somebody owns, what they collaborate on, or both. */
function ownerFilters(
  { accountId, exclusive, mode }: Wanted,
  { wide, callerId }: Searcher,
): readonly SetFilter[] {
  const owned = (id: number): SetFilter => ({
    ids: [ownedById(id)],
    fits: (eb) => eb('repository.owner_id', '=', id),
  })
  if (mode === 'collaborative') {
    const collaborated = collaboratedBy(accountId ?? callerId, wide)
    return accountId !== undefined && exclusive ? [collaborated, owned(accountId)] : [collaborated]
  }
  if (accountId === undefined) return []
  if (exclusive) return [owned(accountId)]
  const collaborated = collaboratedBy(accountId, wide)
  return [
    {
      ids: [ownedById(accountId), ...idsShared(accountId)],
      fits: (eb) => eb.or([owned(accountId).fits(eb), collaborated.fits(eb)]),
      isRough: !wide,
    },
  ]
}

function idsShared(accountId: number): readonly IdSet[] {
  return [...sharedIds(accountId), knownThroughMembership(accountId)]
}

/**
 * Not their own, but shared with them. A search of what is public leaves out where they are members
 * without showing it.
 */
function collaboratedBy(id: number, wide: boolean): SetFilter {
  const fits: RepositoryCondition = (eb) =>
    eb.and([
      eb('repository.owner_id', '<>', id),
      eb.or([
        isSharedWith(id)(eb),
        isThroughTeam(id)(eb),
        eb.and([eb('repository.reach', '=', 2), isOfOrganization(id)(eb)]),
      ]),
      ...(wide ? [] : [eb.not(isOfOrganization(id, { onlyHidden: true })(eb))]),
    ])
  return { ids: idsShared(id), fits, isRough: true }
}

function isStarredBy(id: number): RepositoryCondition {
  return (eb) =>
    eb.exists(
      eb
        .selectFrom('star')
        .select('star.repository_id')
        .whereRef('star.repository_id', '=', 'repository.id')
        .where('star.account_id', '=', id),
    )
}

function isOwnedByName(name: string): RepositoryCondition {
  return (eb) => eb('repository.owner_name', '=', name)
}
