import {
  expressionBuilder,
  sql,
  type Expression,
  type ExpressionBuilder,
  type SqlBool,
} from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/context.ts'
import { contains } from '../../platform/db/like.ts'
import { isNamed } from '../../platform/db/named.ts'
import type { Schema } from '../../platform/db/schema.ts'
import { isOfFitting, type RepositoryCondition } from '../../repositories/repository/conditions.ts'
import { isReadableUnit } from '../../repositories/repository/visibility.ts'
import { readTerms, type SearchTerms } from './search-terms.ts'

/** A condition on `issue`. */
export type IssueCondition = (eb: IssueBuilder) => Expression<SqlBool>
type IssueBuilder = ExpressionBuilder<Schema, 'issue'>

const never: IssueCondition = () => sql<boolean>`1 = 0`

export type IssueState = 'open' | 'closed' | 'all'
/** Which kinds of issues are meant. */
export interface Kinds {
  readonly issues: boolean
  readonly pulls: boolean
}

/** What is asked of issues. */
export interface Wanted {
  readonly conditions: readonly IssueCondition[]
  /**
   * One more, which asks for the repository and the kind of an issue alone: all that share them are
   * counted at once.
   */
  readonly ofPlace?: IssueCondition
  /** No index tells all of it: the more issues there are, the longer it takes. */
  readonly isWide: boolean
}

/** What every list of issues can be narrowed by. */
export interface IssueFilter {
  readonly state: IssueState
  readonly keyword: string
  readonly since?: number | undefined
  readonly before?: number | undefined
  readonly createdBy?: number | undefined
  readonly assignedTo?: number | undefined
  readonly mentioning?: number | undefined
  readonly milestoneIds?: readonly number[] | undefined
}

export function filtersOf(filter: IssueFilter): readonly IssueCondition[] {
  const { since, before, createdBy, assignedTo, mentioning, milestoneIds, keyword } = filter
  const conditions: (IssueCondition | undefined)[] = [
    isInState(filter.state),
    keyword === '' ? undefined : fitsTerms(readTerms(keyword)),
    since === undefined ? undefined : (eb) => eb('issue.updated_at', '>=', since),
    before === undefined ? undefined : (eb) => eb('issue.updated_at', '<=', before),
    createdBy === undefined ? undefined : (eb) => eb('issue.author_id', '=', createdBy),
    assignedTo === undefined ? undefined : isLinkedTo('issue_assignee', assignedTo),
    mentioning === undefined ? undefined : isLinkedTo('issue_mention', mentioning),
    milestoneIds === undefined ? undefined : (eb) => eb('issue.milestone_id', 'in', milestoneIds),
  ]
  return conditions.filter((condition) => condition !== undefined)
}

function isInState(state: IssueState): IssueCondition | undefined {
  if (state === 'all') return undefined
  return (eb) => eb('issue.is_closed', '=', state === 'closed' ? 1 : 0)
}

function fitsTerms({ texts, number }: SearchTerms): IssueCondition {
  const conditions = texts.map(mentionsText)
  return (eb) => {
    const isFit = eb.and(conditions.map((condition) => condition(eb)))
    return number === undefined ? isFit : eb.or([eb('issue.number', '=', number), isFit])
  }
}

/** In the title, the text or a comment. */
function mentionsText(lower: string): IssueCondition {
  return (eb) =>
    eb.or([
      contains(sql.ref('issue.lower_text'), lower),
      eb.exists(
        eb
          .selectFrom('comment')
          .select('comment.id')
          .whereRef('comment.issue_id', '=', 'issue.id')
          .where('comment.kind', '=', 'comment')
          .where(contains(sql.ref('comment.lower_text'), lower)),
      ),
    ])
}

function isLinkedTo(link: 'issue_assignee' | 'issue_mention', accountId: number): IssueCondition {
  return (eb) =>
    eb(
      'issue.id',
      'in',
      eb.selectFrom(link).select(`${link}.issue_id`).where(`${link}.account_id`, '=', accountId),
    )
}

/** Waiting for a review by somebody, or by a team of theirs. */
export function awaitsReviewOf(accountId: number): IssueCondition {
  return (eb) =>
    eb(
      'issue.id',
      'in',
      eb
        .selectFrom('review')
        .select('review.issue_id')
        .where('review.state', '=', 'REQUEST_REVIEW')
        .where((inner) =>
          inner.or([
            inner('review.reviewer_id', '=', accountId),
            inner(
              'review.team_id',
              'in',
              inner
                .selectFrom('team_member')
                .select('team_member.team_id')
                .where('team_member.account_id', '=', accountId),
            ),
          ]),
        ),
    )
}

/** Somebody has handed in a review of it. */
export function isReviewedBy(accountId: number): IssueCondition {
  return (eb) =>
    eb(
      'issue.id',
      'in',
      eb
        .selectFrom('review')
        .select('review.issue_id')
        .where('review.reviewer_id', '=', accountId)
        .where('review.state', 'in', ['APPROVED', 'REQUEST_CHANGES', 'COMMENT']),
    )
}

/** Of one repository, the kinds that are asked for. */
export function isOfRepository(repositoryId: number, kinds: Kinds): IssueCondition {
  if (!kinds.issues && !kinds.pulls) return never
  return (eb) =>
    eb.and([
      eb('issue.repository_id', '=', repositoryId),
      ...(kinds.issues && kinds.pulls ? [] : [eb('issue.is_pull', '=', kinds.pulls ? 1 : 0)]),
    ])
}

/**
 * Labels with all of `names`; several labels of one name are as good as each other. Each issue of a
 * list is asked for them.
 */
export function hasAllLabels(labelIds: readonly number[], names: number): IssueCondition {
  return (eb) =>
    eb(
      eb
        .selectFrom('issue_label')
        .innerJoin('label', 'label.id', 'issue_label.label_id')
        .select(sql<number>`count(DISTINCT label.name)`.as('names'))
        .whereRef('issue_label.issue_id', '=', 'issue.id')
        .where('issue_label.label_id', 'in', labelIds),
      '=',
      names,
    )
}

/**
 * Has one of these labels. Where they are common, each issue of a list is asked for them; where
 * they are rare, the list is made of those that have them. Databases without statistics choose
 * wrongly.
 */
export function hasLabel(ids: readonly number[], isCommon: boolean): IssueCondition {
  return isCommon ? isGiven(ids) : hasAnyLabel(ids)
}

function isGiven(labelIds: readonly number[]): IssueCondition {
  return (eb) =>
    eb.exists(
      eb
        .selectFrom('issue_label')
        .select('issue_label.issue_id')
        .whereRef('issue_label.issue_id', '=', 'issue.id')
        .where('issue_label.label_id', 'in', labelIds),
    )
}

/** All of these labels, by their ids. */
export function hasAllLabelIds(ids: readonly number[]): IssueCondition {
  return (eb) =>
    eb(
      eb
        .selectFrom('issue_label')
        .select(eb.fn.countAll<number>().as('labels'))
        .whereRef('issue_label.issue_id', '=', 'issue.id')
        .where('issue_label.label_id', 'in', ids),
      '=',
      ids.length,
    )
}

function hasAnyLabel(labelIds: readonly number[]): IssueCondition {
  return (eb) =>
    eb(
      'issue.id',
      'in',
      eb
        .selectFrom('issue_label')
        .select('issue_label.issue_id')
        .where('issue_label.label_id', 'in', labelIds),
    )
}

/**
 * Has a label with one of these names. Those of organizations count where a repository fits that
 * theirs is.
 */
export function hasLabelNamed(names: readonly string[], fits: RepositoryCondition): IssueCondition {
  return (eb) =>
    eb(
      'issue.id',
      'in',
      eb
        .selectFrom('label')
        .innerJoin('issue_label', 'issue_label.label_id', 'label.id')
        .select('issue_label.issue_id')
        .where(isNamed('label.name', names))
        .where((inner) =>
          inner.or([inner('label.org_id', 'is', null), isOfOwnerWithAny(fits)(inner)]),
        ),
    )
}

/** A label of somebody who owns a repository that fits. */
export function isOfOwnerWithAny(fits: RepositoryCondition) {
  return (eb: ExpressionBuilder<Schema, 'label'>): Expression<SqlBool> =>
    eb.exists(
      eb
        .selectFrom('repository')
        .select('repository.id')
        .whereRef('repository.owner_id', '=', 'label.org_id')
        .where((inner) => fits(inner as never)),
    )
}

export function hasMilestoneTitled(titles: readonly string[]): IssueCondition {
  return (eb) =>
    eb(
      'issue.milestone_id',
      'in',
      eb.selectFrom('milestone').select('milestone.id').where(isNamed('milestone.title', titles)),
    )
}

export function isOwnedBy(ownerId: number): IssueCondition {
  return (eb) =>
    eb(
      'issue.repository_id',
      'in',
      eb.selectFrom('repository').select('repository.id').where('owner_id', '=', ownerId),
    )
}

/** In a repository that fits. */
export function isIn(condition: RepositoryCondition): IssueCondition {
  return (eb) =>
    eb.exists(
      eb
        .selectFrom('repository')
        .innerJoin('account as owner', 'owner.id', 'repository.owner_id')
        .select('repository.id')
        .whereRef('repository.id', '=', 'issue.repository_id')
        .where(condition),
    )
}

/** All that the caller may read anywhere, of the kinds that are asked for. */
export function isReadable(config: Config, caller: Caller, kinds: Kinds): IssueCondition {
  return () => isOfReadablePlace('issue', config, caller, kinds)
}

/** Of an issue, or of news that know where theirs is. */
export function isOfReadablePlace(
  table: 'issue' | 'notification',
  config: Config,
  caller: Caller,
  kinds: Kinds,
): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'issue' | 'notification'>()
  const isOf = (unit: 'repo.issues' | 'repo.pulls') =>
    isOfFitting(`${table}.repository_id`, isReadableUnit(config, caller, unit))
  return eb.or([
    ...(kinds.issues ? [eb.and([eb(`${table}.is_pull`, '=', 0), isOf('repo.issues')])] : []),
    ...(kinds.pulls ? [eb.and([eb(`${table}.is_pull`, '=', 1), isOf('repo.pulls')])] : []),
  ])
}
