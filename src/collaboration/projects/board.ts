import type { Context } from '../../platform/context.ts'
import { issuesById } from '../issues/load.ts'
import { viewIssues, type IssueView } from '../issues/view.ts'
import type { Boards } from './boards.ts'
import { findBoard } from './card-queries.ts'
import type { Column } from './column.ts'
import { columnsOf } from './columns.ts'
import type { Project } from './project.ts'

export interface BoardColumn {
  readonly column: Column
  /** The first of them. */
  readonly items: readonly IssueView[]
  readonly total: number
}

const PER_COLUMN = 50

/** A whole board as the caller sees it: a fixed number of statements, whatever is on it. */
export async function viewBoard(
  ctx: Context,
  { isShown }: Boards,
  project: Project,
): Promise<readonly BoardColumn[]> {
  const cards = await findBoard(ctx.db, project.id, isShown, PER_COLUMN)
  const issues = await issuesById(
    ctx.db,
    cards.map(({ issueId }) => issueId),
  )
  const views = await viewIssues(ctx.db, [...issues.values()])
  const byId = new Map(views.map((one) => [one.issue.id, one]))
  return (await columnsOf(ctx.db, project)).map((column) => {
    const own = cards.filter(({ columnId }) => columnId === column.id)
    const items = own.flatMap(({ issueId }) => byId.get(issueId) ?? [])
    return { column, items, total: own[0]?.total ?? 0 }
  })
}
