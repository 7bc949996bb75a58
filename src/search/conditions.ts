import { sql, type Expression, type SqlBool } from 'kysely'
import { contains } from '../db/like.ts'
import {
  isOfOrganization,
  isOfTeam,
  isSharedWith,
  isThroughTeam,
  type RepositoryBuilder,
  type RepositoryCondition,
} from '../repositories/conditions.ts'
import type { Wanted } from './wanted.ts'

/** All filters but visibility, each a condition of its own. */
export function filtersOf(
  wanted: Wanted,
  { wide, callerId }: { wide: boolean; callerId: number },
): readonly RepositoryCondition[] {
  return [
    ...flagFilters(wanted),
    ...modeFilters(wanted),
    ...ownerFilters(wanted, wide, callerId),
    ...(wanted.teamId === undefined ? [] : [isOfTeam(wanted.teamId)]),
    ...(wanted.starredBy === undefined ? [] : [starredBy(wanted.starredBy)]),
    ...(wanted.keywords.length === 0 ? [] : [matches(wanted)]),
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

/** Whose repositories: what somebody owns, what they collaborate on, or both. */
function ownerFilters(
  { accountId, exclusive, mode }: Wanted,
  wide: boolean,
  callerId: number,
): readonly RepositoryCondition[] {
  const owned =
    (id: number): RepositoryCondition =>
    (eb) =>
      eb('repository.owner_id', '=', id)
  if (mode === 'collaborative') {
    const collaborated = collaboratedBy(accountId ?? callerId, wide)
    return accountId !== undefined && exclusive ? [collaborated, owned(accountId)] : [collaborated]
  }
  if (accountId === undefined) return []
  if (exclusive) return [owned(accountId)]
  return [(eb) => eb.or([owned(accountId)(eb), collaboratedBy(accountId, wide)(eb)])]
}

/** Not their own, but shared with them. In a search of what is public, a membership that is not shown does not count. */
function collaboratedBy(id: number, wide: boolean): RepositoryCondition {
  const membership = { onlyShown: !wide }
  return (eb) =>
    eb.and([
      eb('repository.owner_id', '<>', id),
      eb.or([
        isSharedWith(id)(eb),
        isThroughTeam(id, membership)(eb),
        eb.and([
          eb('repository.is_private', '=', 0),
          eb('owner.visibility', '=', 'private'),
          isOfOrganization(id, membership)(eb),
        ]),
      ]),
    ])
}

function starredBy(id: number): RepositoryCondition {
  return (eb) =>
    eb.exists(
      eb
        .selectFrom('star')
        .select('star.repository_id')
        .whereRef('star.repository_id', '=', 'repository.id')
        .where('star.account_id', '=', id),
    )
}

/** One of the alternatives is in the name, a topic or, if asked for, the description. */
function matches({ keywords, isTopic, includeDescription, path }: Wanted): RepositoryCondition {
  const name = sql.ref('repository.lower_name')
  return (eb) => {
    if (isTopic)
      return eb.or(keywords.map((word) => hasTopic(eb, sql<boolean>`topic.name = ${word}`)))
    const anywhere = keywords.flatMap((word) => [
      contains(name, word),
      hasTopic(eb, contains(sql.ref('topic.name'), word)),
      ...(includeDescription ? [contains(sql.ref('repository.lower_description'), word)] : []),
    ])
    if (!path) return eb.or(anywhere)
    const byPath = [contains(sql.ref('owner.lower_name'), path.owner), contains(name, path.name)]
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
