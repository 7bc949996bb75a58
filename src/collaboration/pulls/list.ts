import { sql } from 'kysely'
import type { Context } from '../../platform/context.ts'
import type { OrderKey } from '../../platform/db/keyset.ts'
import { mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import { AppError } from '../../platform/errors.ts'
import type { Query } from '../../platform/http/query.ts'
import {
  filtersOf,
  hasAllLabelIds,
  isOfRepository,
  type IssueCondition,
  type IssueState,
} from '../issues/conditions.ts'
import type { Issue } from '../issues/issue.ts'
import { issuesById } from '../issues/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { findByName } from '../../identity/users/load.ts'
import { listPullIssues } from './queries.ts'

type Column = 'created_at' | 'updated_at' | 'closed_at' | 'comments_count' | 'id'
type Direction = 'asc' | 'desc'

/** Pull requests have no priority: by it they come as by default. */
const orders: Readonly<Record<string, readonly OrderKey[]>> = {
  oldest: [key('created_at', 'asc'), key('id', 'asc')],
  recentupdate: [key('updated_at', 'desc'), key('created_at', 'desc'), key('id', 'desc')],
  leastupdate: [key('updated_at', 'asc'), key('created_at', 'asc'), key('id', 'asc')],
  recentclose: [key('closed_at', 'desc'), key('created_at', 'desc'), key('id', 'desc')],
  mostcomment: [key('comments_count', 'desc'), key('created_at', 'desc'), key('id', 'desc')],
  leastcomment: [key('comments_count', 'asc'), key('created_at', 'desc'), key('id', 'desc')],
}
const newest = [key('created_at', 'desc'), key('id', 'desc')]

function key(column: Column, direction: Direction): OrderKey {
  return { by: sql.ref(`issue.${column}`), kind: 'number', direction }
}

export async function listPulls(
  ctx: Context,
  view: RepositoryView,
  query: Query,
  page: Page,
): Promise<PageOf<Issue>> {
  const sort = query.text('sort') ?? ''
  const keys = Object.hasOwn(orders, sort) ? (orders[sort] ?? newest) : newest
  const found = await listPullIssues(ctx.db, await conditionsOf(ctx, view, query), keys, page)
  const issues = await issuesById(
    ctx.db,
    found.items.map(({ id }) => id),
  )
  const items = found.items.flatMap(({ id }) => issues.get(id) ?? [])
  return { ...mapPage(found, ({ id }) => id), items }
}

async function conditionsOf(
  ctx: Context,
  { repo }: RepositoryView,
  query: Query,
): Promise<readonly IssueCondition[]> {
  const milestoneId = query.integer('milestone')
  const labels = readLabels(query)
  const base = query.text('base_branch') ?? ''
  return [
    isOfRepository(repo.id, { issues: false, pulls: true }),
    ...filtersOf({
      state: readState(query),
      keyword: '',
      createdBy: await readPoster(ctx, query),
      milestoneIds: milestoneId > 0 ? [milestoneId] : undefined,
    }),
    ...(labels.length > 0 ? [hasAllLabelIds(labels)] : []),
    ...(base === '' ? [] : [isOnto(base)]),
  ]
}

function isOnto(branch: string): IssueCondition {
  return (eb) =>
    eb.exists(
      eb
        .selectFrom('pull_request')
        .select('pull_request.id')
        .whereRef('pull_request.issue_id', '=', 'issue.id')
        .where('pull_request.base_branch', '=', branch),
    )
}

function readState(query: Query): IssueState {
  const state = query.text('state')
  return state === 'open' || state === 'closed' ? state : 'all'
}

/** Repeated or separated by commas; what is no number is passed over. */
function readLabels(query: Query): readonly number[] {
  const texts = query.all('labels').flatMap((text) => text.split(','))
  return [...new Set(texts.filter((text) => /^\d{1,15}$/.test(text)).map(Number))]
}

async function readPoster(ctx: Context, query: Query): Promise<number | undefined> {
  const name = query.text('poster') ?? ''
  if (name === '') return undefined
  const account = await findByName(ctx, name)
  if (account) return account.id
  throw new AppError('bad_request', `user does not exist [uid: 0, name: ${name}]`)
}
