import type { Caller, Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { RepositoryCondition } from '../repository/conditions.ts'
import type { Repository } from '../repository/repository.ts'
import { filtersOf, type Filters } from './conditions.ts'
import { searchByRank, searchRepositories, type PageConditions } from './queries.ts'
import { rankedSteps } from './relevance.ts'
import { sightOf, visibleIn, type Sight } from './sight.ts'
import { totalOf } from './totals.ts'
import type { Wanted } from './wanted.ts'

/** A page of what the caller may see of what they asked for, and how much there is of it. */
export async function search(
  ctx: Context,
  caller: Caller,
  wanted: Wanted,
  page: Page,
): Promise<PageOf<Repository>> {
  const question = await questionOf(ctx, caller, wanted)
  const countAll = () => totalOf(ctx, caller, wanted, question)
  const steps = await rankedSteps(ctx, wanted, question)
  if (steps) return searchByRank(ctx.db, steps, page, countAll)
  return searchRepositories(ctx.db, wanted, conditionsOf(question), page, countAll)
}

/** What is asked for and what the caller may see of it, in the words of the database. */
export interface Question {
  readonly sight: Sight
  readonly visible: readonly RepositoryCondition[]
  readonly filters: Filters
}

export async function questionOf(ctx: Context, caller: Caller, wanted: Wanted): Promise<Question> {
  const sight = sightOf(ctx.config, caller, wanted)
  const searcher = { wide: sight.isWide, callerId: caller.account?.id ?? 0 }
  return {
    sight,
    visible: await visibleIn(ctx, sight),
    filters: await filtersOf(ctx, wanted, searcher),
  }
}

/** For a page in an order that has an index, or of few repositories. */
export function conditionsOf({ visible, filters }: Question): PageConditions {
  const { forPage } = filters
  return { conditions: [...visible, ...forPage], hasOnePlan: forPage.length === 0 }
}
