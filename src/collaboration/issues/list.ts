import type { Caller, Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import { isCommonLabel, usableLabels } from '../issue-labels/load.ts'
import { milestoneIdsOf } from '../milestones/tally.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { findByName } from '../../identity/users/load.ts'
import {
  filtersOf,
  hasAllLabels,
  hasLabel,
  isOfRepository,
  type IssueCondition,
  type IssueFilter,
  type Kinds,
  type Wanted,
} from './conditions.ts'
import { listIssues, type IssuePage } from './queries.ts'
import type { IssueQuestion, WideQuestion } from './question.ts'
import { readableKinds } from './rights.ts'
import { viewIssues, type IssueView } from './view.ts'

/** What is asked of the issues of one repository. */
export async function wantedIn(
  ctx: Context,
  view: RepositoryView,
  question: IssueQuestion,
): Promise<Wanted> {
  const { kinds, labels = [], milestones = [] } = question
  const readable = readableKinds(view)
  if (isRefused(kinds, readable)) throw notFound()
  const milestoneIds = await milestoneIdsOf(ctx.db, view.repo.id, milestones)
  const filter = {
    ...timesAndWords(question),
    createdBy: await findPerson(ctx, question.createdBy),
    assignedTo: await findPerson(ctx, question.assignedTo),
    mentioning: await findPerson(ctx, question.mentioning),
    milestoneIds: milestoneIds.length === 0 ? undefined : milestoneIds,
  }
  const shown = {
    issues: kinds.issues && readable.issues,
    pulls: kinds.pulls && readable.pulls,
  }
  const conditions = [
    isOfRepository(view.repo.id, shown),
    ...filtersOf(filter),
    ...(await labelledWith(ctx, view, labels)),
  ]
  return { conditions, isWide: filter.keyword !== '' }
}

/** A page of what is wanted. */
export async function listMatching(
  ctx: Context,
  wanted: Wanted,
  page: IssuePage,
  caller?: Caller,
): Promise<PageOf<IssueView>> {
  const { items, total } = await listIssues(ctx.db, wanted, page)
  await ctx.downloadCounts.flush()
  const seenBy = caller && { config: ctx.config, caller }
  return { items: await viewIssues(ctx.db, items, seenBy), total }
}

/** What is planned for a milestone, as far as the caller reads it. */
export async function listOfMilestone(
  ctx: Context,
  view: RepositoryView,
  milestoneId: number,
  page: Page,
): Promise<PageOf<IssueView>> {
  const planned = { state: 'all', keyword: '', milestoneIds: [milestoneId] } as const
  const conditions = [isOfRepository(view.repo.id, readableKinds(view)), ...filtersOf(planned)]
  return listMatching(ctx, { conditions, isWide: false }, page)
}

/** Who asks for one kind by name is told when it is not there for them. */
function isRefused(asked: Kinds, readable: Kinds): boolean {
  return (!asked.pulls && !readable.issues) || (!asked.issues && !readable.pulls)
}

async function labelledWith(
  ctx: Context,
  view: RepositoryView,
  names: readonly string[],
): Promise<readonly IssueCondition[]> {
  const labels = await usableLabels(ctx.db, view, { names })
  if (labels.length === 0) return []
  const ids = labels.map(({ id }) => id)
  const known = new Set(labels.map(({ name }) => name))
  if (known.size > 1) return [hasAllLabels(ids, known.size)]
  return [hasLabel(ids, await isCommonLabel(ctx.db, ids))]
}

/** What needs no look into the database. */
export function timesAndWords({ state, keyword = '', since, before }: WideQuestion): IssueFilter {
  return { state, keyword, since, before }
}

export async function findPerson(ctx: Context, name = ''): Promise<number | undefined> {
  if (name === '') return undefined
  const account = await findByName(ctx, name)
  if (!account) throw notFound(`user does not exist [uid: 0, name: ${name}]`)
  return account.id
}
