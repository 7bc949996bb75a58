import { sql, type Expression, type SqlBool } from 'kysely'
import type { Database } from '../db/database.ts'
import { contains } from '../db/like.ts'
import {
  isOfOrganization,
  isOfTeam,
  isSharedWith,
  isThroughTeam,
  type RepositoryBuilder,
  type RepositoryCondition,
} from '../repositories/conditions.ts'
import {
  isSmall,
  keywordIds,
  knownThroughMembership,
  ownedById,
  ownedIds,
  sharedIds,
  starredIds,
  teamIds,
  topicIds,
  unionOf,
  type IdSet,
} from './sets.ts'
import type { Wanted } from './wanted.ts'

export interface Searcher {
  /** Whether private repositories come into question at all. */
  readonly wide: boolean
  readonly callerId: number
}

/** The same filters said in two ways, each the faster one for its use. */
export interface Filters {
  /**
   * For a page. Where a filter leaves few repositories the search starts from those; where it leaves many, it walks
   * through all in the order asked for, and looks whether each one fits.
   */
  readonly forPage: readonly RepositoryCondition[]
  /** For the total, which has to look at all that a filter leaves anyway. */
  readonly forTotal: readonly RepositoryCondition[]
}

/** All filters but visibility. */
export async function filtersOf(
  db: Database,
  wanted: Wanted,
  searcher: Searcher,
): Promise<Filters> {
  const plain = [...flagFilters(wanted), ...modeFilters(wanted), ...detailFilters(wanted)]
  const sets = setFilters(db, wanted, searcher)
  const small = await Promise.all(sets.map(({ ids }) => isSmall(db, ids)))
  return {
    forPage: [...plain, ...sets.map((set, place) => (small[place] ? isIn(set) : set.fits))],
    forTotal: [...plain, ...sets.map(isIn)],
  }
}

interface SetFilter {
  /** Of which a repository must be in one. */
  readonly ids: readonly IdSet[]
  /** The same, asked of a single repository. */
  readonly fits: RepositoryCondition
  /** Whether `ids` may hold more than what fits. */
  readonly isRough?: boolean
}

function isIn({ ids, fits, isRough }: SetFilter): RepositoryCondition {
  const condition = sql<SqlBool>`repository.id IN (${unionOf(ids)})`
  return isRough ? (eb) => eb.and([condition, fits(eb)]) : () => condition
}

function setFilters(db: Database, wanted: Wanted, searcher: Searcher): readonly SetFilter[] {
  const { owner, topics, teamId, starredBy, keywords } = wanted
  return [
    ...ownerFilters(wanted, searcher),
    ...(owner === '' ? [] : [{ ids: [ownedIds(owner)], fits: isOwnedByName(owner) }]),
    ...topics.map((topic) => ({ ids: [topicIds(topic)], fits: hasExactTopic(topic) })),
    ...(teamId === undefined ? [] : [{ ids: teamIds(teamId), fits: isOfTeam(teamId) }]),
    ...(starredBy === undefined
      ? []
      : [{ ids: [starredIds(starredBy)], fits: isStarredBy(starredBy) }]),
    ...(keywords.length === 0
      ? []
      : [
          {
            ids: keywordIds(db, wanted),
            fits: matches(wanted),
            isRough: wanted.path !== undefined,
          },
        ]),
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
      isRough: true,
    },
  ]
}

function idsShared(accountId: number): readonly IdSet[] {
  return [...sharedIds(accountId), knownThroughMembership(accountId)]
}

/** Not their own, but shared with them. A search of what is public leaves out where they are members without showing it. */
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

function hasExactTopic(topic: string): RepositoryCondition {
  return (eb) => hasTopic(eb, sql<boolean>`topic.name = ${topic}`)
}

/** One of the alternatives is in the name, a topic or, if asked for, the description. */
function matches({ keywords, isTopic, includeDescription, path }: Wanted): RepositoryCondition {
  const name = sql.ref('repository.lower_name')
  return (eb) => {
    if (isTopic) return eb.or(keywords.map((word) => hasExactTopic(word)(eb)))
    const anywhere = keywords.flatMap((word) => [
      contains(name, word),
      hasTopic(eb, contains(sql.ref('topic.name'), word)),
      ...(includeDescription ? [contains(sql.ref('repository.lower_description'), word)] : []),
    ])
    if (!path) return eb.or(anywhere)
    const byPath = [
      contains(sql.ref('repository.owner_name'), path.owner),
      contains(name, path.name),
    ]
    return eb.or([...anywhere, eb.and(byPath)])
  }
}

function hasTopic(eb: RepositoryBuilder, condition: Expression<SqlBool>): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('repository_topic')
      .innerJoin('topic', 'topic.id', 'repository_topic.topic_id')
      .select('topic.id')
      .whereRef('repository_topic.repository_id', '=', 'repository.id')
      .where(condition),
  )
}
