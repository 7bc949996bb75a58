import type { Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { presentIssue } from '../issues/present.ts'
import { viewIssues } from '../issues/view.ts'
import { findAllById } from '../../identity/users/load.ts'
import type { Boards } from './boards.ts'
import { issuesIn, moveIssue, placeIssue, takeOff } from './cards.ts'
import { cardEndpoints, columnEndpoints } from './column-schema.ts'
import type { Column } from './column.ts'
import {
  addColumn,
  columnsOf,
  editColumn,
  loadColumn,
  makeDefault,
  orderColumns,
  removeColumn,
} from './columns.ts'
import { presentColumn, readColumnEdit, readNewColumn } from './present.ts'
import type { Project } from './project.ts'
import { loadProject } from './projects.ts'
import { addresses, type Address } from './routes.ts'
import {
  CreateProjectColumnOption,
  EditProjectColumnOption,
  MoveProjectColumnsOption,
  MoveProjectIssueOption,
  type ProjectColumnBody,
} from './schema.ts'

export function projectColumnRoutes(api: Api, ctx: Context): void {
  for (const address of addresses) addColumns(api, ctx, address)
}

/** What stands in the columns; issues are named by their ids there. */
export function projectCardRoutes(api: Api, ctx: Context): void {
  for (const address of addresses) addCards(api, ctx, address)
}

function addColumns(api: Api, ctx: Context, address: Address): void {
  const { db } = ctx
  const endpoints = columnEndpoints(address.whose)
  const columns = `${address.path}/:id/columns`
  const present = async (call: Call, column: Column) =>
    (await presentColumns(ctx, call, [column]))[0] as ProjectColumnBody

  api.get(columns, endpoints.list, async (call) => {
    const all = await columnsOf(db, (await loadBoard(ctx, call, address.look)).project)
    const { offset, limit } = call.page
    const shown = await presentColumns(ctx, call, all.slice(offset, offset + limit))
    return call.listOf({ items: shown, total: all.length }, shown)
  })

  api.post(columns, endpoints.create, async (call) => {
    const { place } = await address.change(ctx, call)
    const wanted = readNewColumn(await call.body(CreateProjectColumnOption))
    const board = await loadProject(ctx, place, call.id('id'))
    return created(await present(call, await addColumn(ctx, call.signedIn(), board, wanted)))
  })

  api.post(`${columns}/move`, endpoints.order, async (call) => {
    const { place } = await address.change(ctx, call)
    const { column_ids } = await call.body(MoveProjectColumnsOption)
    await orderColumns(ctx, await loadProject(ctx, place, call.id('id')), column_ids)
    return noContent()
  })

  const column = `${columns}/:column`
  api.get(column, endpoints.get, async (call) => {
    const { project } = await loadBoard(ctx, call, address.look)
    return ok(await present(call, await loadColumn(db, project, call.id('column'))))
  })

  api.patch(column, endpoints.edit, async (call) => {
    const { place } = await address.change(ctx, call)
    const edit = readColumnEdit(await call.body(EditProjectColumnOption))
    const board = await loadProject(ctx, place, call.id('id'))
    const found = await loadColumn(db, board, call.id('column'))
    return ok(await present(call, await editColumn(ctx, found, edit)))
  })

  api.delete(column, endpoints.remove, async (call) => {
    const { project } = await loadBoard(ctx, call, address.change)
    await removeColumn(ctx, project, call.id('column'))
    return noContent()
  })

  api.post(`${column}/default`, endpoints.makeDefault, async (call) => {
    const { project } = await loadBoard(ctx, call, address.change)
    await makeDefault(ctx, project, call.id('column'))
    return noContent()
  })
}

function addCards(api: Api, ctx: Context, { path, whose, look, change }: Address): void {
  const { config, db } = ctx
  const endpoints = cardEndpoints(whose)
  const issues = `${path}/:id/columns/:column/issues`

  api.get(issues, endpoints.list, async (call) => {
    const { boards, project } = await loadBoard(ctx, call, look)
    const { id } = await loadColumn(db, project, call.id('column'))
    const found = await issuesIn(ctx, boards, id, call.page)
    const views = await viewIssues(db, found.items, { config, caller: call.caller })
    return call.listOf(
      found,
      views.map((issue) => presentIssue(config, call.caller, issue)),
    )
  })

  api.post(`${issues}/:issue`, endpoints.put, async (call) => {
    const { boards, project } = await loadBoard(ctx, call, change)
    const issue = await boards.loadNewIssue(call.id('issue'))
    await placeIssue(ctx, call.signedIn(), project, issue, call.id('column'))
    return { status: 201 as const }
  })

  api.delete(`${issues}/:issue`, endpoints.takeOff, async (call) => {
    const { boards, project } = await loadBoard(ctx, call, change)
    const issue = await boards.loadIssue(call.id('issue'))
    await takeOff(ctx, call.signedIn(), project, issue, call.id('column'))
    return noContent()
  })

  api.post(`${path}/:id/issues/:issue/move`, endpoints.move, async (call) => {
    const boards = await change(ctx, call)
    const { column_id, sorting } = await call.body(MoveProjectIssueOption)
    const board = await loadProject(ctx, boards.place, call.id('id'))
    const issue = await boards.loadIssue(call.id('issue'))
    await moveIssue(ctx, call.signedIn(), board, issue, { columnId: column_id, sorting })
    return noContent()
  })
}

async function loadBoard(
  ctx: Context,
  call: Call,
  enter: Address['look'],
): Promise<{ readonly boards: Boards; readonly project: Project }> {
  const boards = await enter(ctx, call)
  return { boards, project: await loadProject(ctx, boards.place, call.id('id')) }
}

async function presentColumns(
  ctx: Context,
  { caller }: Call,
  columns: readonly Column[],
): Promise<ProjectColumnBody[]> {
  const people = await findAllById(
    ctx.db,
    columns.flatMap(({ creatorId }) => creatorId ?? []),
  )
  return columns.map((column) => presentColumn(ctx.config, caller, column, people))
}
