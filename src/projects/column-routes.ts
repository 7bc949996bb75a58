import type { Context } from '../context.ts'
import { created, noContent, ok } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import type { Issue } from '../issues/issue.ts'
import { loadIssueById } from '../issues/load.ts'
import { presentIssue } from '../issues/present.ts'
import { viewIssues } from '../issues/view.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { findAllById } from '../users/load.ts'
import { issuesIn, moveIssue, placeIssue, takeOff } from './cards.ts'
import {
  repoAddIssueToProjectColumn,
  repoCreateProjectColumn,
  repoDeleteProjectColumn,
  repoEditProjectColumn,
  repoGetProjectColumn,
  repoListProjectColumnIssues,
  repoListProjectColumns,
  repoMoveProjectColumns,
  repoMoveProjectIssue,
  repoRemoveIssueFromProjectColumn,
  repoSetDefaultProjectColumn,
} from './column-schema.ts'
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
import { loadBoards, loadWritableBoards } from './routes.ts'
import {
  CreateProjectColumnOption,
  EditProjectColumnOption,
  MoveProjectColumnsOption,
  MoveProjectIssueOption,
  type ProjectColumnBody,
} from './schema.ts'

export function projectColumnRoutes(api: Api, ctx: Context): void {
  const { db } = ctx
  const project = '/repos/:owner/:repo/projects/:id'
  const columns = `${project}/columns`
  const present = async (call: Call, column: Column) =>
    (await presentColumns(ctx, call, [column]))[0] as ProjectColumnBody

  api.get(columns, repoListProjectColumns, async (call) => {
    const all = await columnsOf(db, (await loadBoard(ctx, call)).project)
    const { offset, limit } = call.page
    const shown = await presentColumns(ctx, call, all.slice(offset, offset + limit))
    return call.listOf({ items: shown, total: all.length }, shown)
  })

  api.post(columns, repoCreateProjectColumn, async (call) => {
    const view = await loadWritableBoards(ctx, call)
    const wanted = readNewColumn(await call.body(CreateProjectColumnOption))
    const board = await loadProject(ctx, view, call.id('id'))
    return created(await present(call, await addColumn(ctx, call.signedIn(), board, wanted)))
  })

  api.post(`${columns}/move`, repoMoveProjectColumns, async (call) => {
    const view = await loadWritableBoards(ctx, call)
    const { column_ids } = await call.body(MoveProjectColumnsOption)
    await orderColumns(ctx, await loadProject(ctx, view, call.id('id')), column_ids)
    return noContent()
  })

  const column = `${columns}/:column`
  api.get(column, repoGetProjectColumn, async (call) => {
    const board = await loadBoard(ctx, call)
    return ok(await present(call, await loadColumn(db, board.project, call.id('column'))))
  })

  api.patch(column, repoEditProjectColumn, async (call) => {
    const view = await loadWritableBoards(ctx, call)
    const edit = readColumnEdit(await call.body(EditProjectColumnOption))
    const board = await loadProject(ctx, view, call.id('id'))
    const found = await loadColumn(db, board, call.id('column'))
    return ok(await present(call, await editColumn(ctx, found, edit)))
  })

  api.delete(column, repoDeleteProjectColumn, async (call) => {
    await removeColumn(ctx, (await loadWritableBoard(ctx, call)).project, call.id('column'))
    return noContent()
  })

  api.post(`${column}/default`, repoSetDefaultProjectColumn, async (call) => {
    await makeDefault(ctx, (await loadWritableBoard(ctx, call)).project, call.id('column'))
    return noContent()
  })
}

/** What stands in the columns; issues are named by their ids there. */
export function projectCardRoutes(api: Api, ctx: Context): void {
  const { config, db } = ctx
  const project = '/repos/:owner/:repo/projects/:id'
  const issues = `${project}/columns/:column/issues`

  api.get(issues, repoListProjectColumnIssues, async (call) => {
    const board = await loadBoard(ctx, call)
    const { id } = await loadColumn(db, board.project, call.id('column'))
    const found = await issuesIn(ctx, board.view, id, call.page)
    const views = await viewIssues(db, found.items, { config, caller: call.caller })
    return call.listOf(
      found,
      views.map((issue) => presentIssue(config, call.caller, issue)),
    )
  })

  api.post(`${issues}/:issue`, repoAddIssueToProjectColumn, async (call) => {
    const board = await loadWritableBoard(ctx, call)
    const issue = await loadIssueOn(ctx, call, board.view)
    await placeIssue(ctx, call.signedIn(), board.project, issue, call.id('column'))
    return { status: 201 as const }
  })

  api.delete(`${issues}/:issue`, repoRemoveIssueFromProjectColumn, async (call) => {
    const board = await loadWritableBoard(ctx, call)
    const issue = await loadIssueOn(ctx, call, board.view)
    await takeOff(ctx, call.signedIn(), board.project, issue, call.id('column'))
    return noContent()
  })

  api.post(`${project}/issues/:issue/move`, repoMoveProjectIssue, async (call) => {
    const view = await loadWritableBoards(ctx, call)
    const { column_id, sorting } = await call.body(MoveProjectIssueOption)
    const board = await loadProject(ctx, view, call.id('id'))
    const issue = await loadIssueOn(ctx, call, view)
    await moveIssue(ctx, board, issue, { columnId: column_id, sorting })
    return noContent()
  })
}

interface Board {
  readonly view: RepositoryView
  readonly project: Project
}

async function loadBoard(ctx: Context, call: Call): Promise<Board> {
  const view = await loadBoards(ctx, call)
  return { view, project: await loadProject(ctx, view, call.id('id')) }
}

async function loadWritableBoard(ctx: Context, call: Call): Promise<Board> {
  const view = await loadWritableBoards(ctx, call)
  return { view, project: await loadProject(ctx, view, call.id('id')) }
}

async function loadIssueOn(ctx: Context, call: Call, view: RepositoryView): Promise<Issue> {
  return loadIssueById(ctx, view, call.id('issue'))
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
