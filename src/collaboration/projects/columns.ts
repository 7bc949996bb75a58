import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { changeBoards } from './boards.ts'
import { moveCards } from './card-queries.ts'
import {
  deleteColumn,
  findColumns,
  insertColumns,
  sortColumns,
  updateColumn,
} from './column-queries.ts'
import { MAX_COLUMNS, type Column } from './column.ts'
import type { Project } from './project.ts'

/** From left to right. */
export async function columnsOf(db: Executor, { id }: Project): Promise<readonly Column[]> {
  return findColumns(db, id)
}

export async function loadColumn(db: Executor, project: Project, id: number): Promise<Column> {
  const column = (await columnsOf(db, project)).find((one) => one.id === id)
  if (!column) throw notFound()
  return column
}

export interface NewColumn {
  readonly title: string
  readonly color: string
}

/** To the right of the others. */
export async function addColumn(
  ctx: Context,
  { account }: SignedInCaller,
  project: Project,
  { title, color }: NewColumn,
): Promise<Column> {
  assertColor(color)
  return changeBoards(ctx, project.place, async (tx) => {
    const columns = await columnsOf(tx, project)
    if (columns.length >= MAX_COLUMNS) throw invalid(`a project has at most ${MAX_COLUMNS} columns`)
    const [made] = await insertColumns(tx, [
      {
        project_id: project.id,
        creator_id: account.id,
        title,
        color,
        sorting: Math.max(-1, ...columns.map(({ sorting }) => sorting)) + 1,
        created_at: ctx.now(),
        updated_at: ctx.now(),
      },
    ])
    if (!made) throw new Error('the new column is missing')
    return made
  })
}

export interface ColumnEdit {
  readonly title: string | undefined
  readonly color: string | undefined
  readonly sorting: number | undefined
}

export async function editColumn(
  ctx: Context,
  { id }: Column,
  { title, color, sorting }: ColumnEdit,
): Promise<Column> {
  if (color !== undefined) assertColor(color)
  if (sorting !== undefined) assertSorting(sorting)
  const edited = await updateColumn(ctx.db, id, { title, color, sorting, updated_at: ctx.now() })
  if (!edited) throw notFound()
  return edited
}

function assertColor(color: string): void {
  if (!/^(?:#[0-9a-f]{6})?$/i.test(color)) throw invalid(`invalid color: ${color}`)
}

function assertSorting(sorting: number): void {
  if (sorting < -128 || sorting > 127) throw invalid('sorting must be between -128 and 127')
}

/** What is in it goes to where everything begins. */
export async function removeColumn(ctx: Context, project: Project, id: number): Promise<void> {
  await changeBoards(ctx, project.place, async (tx) => {
    const { isDefault } = await loadColumn(tx, project, id)
    if (isDefault) throw invalid('the default column cannot be deleted')
    await moveCards(tx, id, (await defaultColumn(tx, project)).id)
    await deleteColumn(tx, id)
  })
}

/** `ids` are those of all columns, from left to right. */
export async function orderColumns(
  ctx: Context,
  project: Project,
  ids: readonly number[],
): Promise<void> {
  await changeBoards(ctx, project.place, async (tx) => {
    const columns = await columnsOf(tx, project)
    const given = new Set(ids)
    const isEach = columns.length === ids.length && columns.every(({ id }) => given.has(id))
    if (!isEach) throw invalid('column_ids must name each column of the project once')
    await sortColumns(tx, project.id, ids)
  })
}

export async function makeDefault(ctx: Context, project: Project, id: number): Promise<void> {
  await changeBoards(ctx, project.place, async (tx) => {
    await loadColumn(tx, project, id)
    await updateColumn(tx, (await defaultColumn(tx, project)).id, { is_default: 0 })
    await updateColumn(tx, id, { is_default: 1, updated_at: ctx.now() })
  })
}

async function defaultColumn(db: Executor, project: Project): Promise<Column> {
  const column = (await columnsOf(db, project)).find(({ isDefault }) => isDefault)
  if (!column) throw notFound()
  return column
}
