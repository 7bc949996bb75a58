import { AppError } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import { moveIssue, placeIssue, takeOff } from '../../collaboration/projects/cards.ts'
import {
  addColumn,
  columnsOf,
  editColumn,
  loadColumn,
  makeDefault,
  orderColumns,
  removeColumn,
} from '../../collaboration/projects/columns.ts'
import type { Project } from '../../collaboration/projects/project.ts'
import { renderBoard } from './board.ts'
import { boardPath, loadOfPage, type BoardsForm, type Done, type Naming } from './look.ts'

type Change = (submitted: BoardsForm, project: Project) => Promise<void>

/** The board again, as it is then. */
const onBoard =
  (change: Change) =>
  async (submitted: BoardsForm): Promise<Done> => {
    const project = await loadOfPage(submitted)
    await change(submitted, project)
    return { leadsTo: boardPath(submitted, project) }
  }

const columnOf = ({ param }: BoardsForm) => readInteger(param('column'))
const issueId = ({ param }: BoardsForm) => readInteger(param('issue'))

export const takeNewColumn = onBoard(async ({ ctx, viewer, form }, project) => {
  await addColumn(ctx, viewer, project, { title: titleIn(form), color: '' })
})

export const takeColumnEdit = onBoard(async (submitted, project) => {
  const { ctx, form } = submitted
  const column = await loadColumn(ctx.db, project, columnOf(submitted))
  const color = (form.get('color') ?? '').trim()
  await editColumn(ctx, column, { title: titleIn(form), color, sorting: undefined })
})

export const takeColumnOrder = onBoard(async (submitted, project) => {
  const { ctx, form } = submitted
  const { id } = await loadColumn(ctx.db, project, columnOf(submitted))
  const ids = (await columnsOf(ctx.db, project)).map((column) => column.id)
  const others = ids.filter((one) => one !== id)
  const position = readInteger(form.get('position') ?? '')
  const at = Math.min(Math.max(position, 1), ids.length) - 1
  await orderColumns(ctx, project, others.toSpliced(at, 0, id))
})

export const takeColumnDefault = onBoard((submitted, project) =>
  makeDefault(submitted.ctx, project, columnOf(submitted)),
)

export const takeColumnDelete = onBoard((submitted, project) =>
  removeColumn(submitted.ctx, project, columnOf(submitted)),
)

export async function takeNewCard(submitted: BoardsForm): Promise<Done> {
  const { ctx, viewer, form, boards, naming } = submitted
  const project = await loadOfPage(submitted)
  const columnId = readInteger(form.get('column') ?? '')
  const typed = (form.get('number') ?? '').trim()
  try {
    const { id } = await naming.find(typed)
    await placeIssue(ctx, viewer, project, await boards.loadNewIssue(id), columnId)
  } catch (error) {
    const problem = problemWith(error, naming)
    return renderBoard(submitted, project, { columnId, typed, problem })
  }
  return { leadsTo: boardPath(submitted, project) }
}

function problemWith(error: unknown, { unknown }: Naming): string {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'not_found') return unknown
  if (error.code === 'invalid') return 'Its repository has no projects but its own.'
  throw error
}

export const takeCardMove = onBoard(async (submitted, project) => {
  const { ctx, viewer, form, boards } = submitted
  const above = form.get('above') ?? ''
  await moveIssue(ctx, viewer, project, await boards.loadIssue(issueId(submitted)), {
    columnId: readInteger(form.get('column') ?? ''),
    aboveIssueId: above === '' ? undefined : readInteger(above),
  })
})

export const takeCardRemoval = onBoard(async (submitted, project) => {
  const { ctx, viewer, boards } = submitted
  await takeOff(ctx, viewer, project, await boards.loadIssue(issueId(submitted)))
})

/** The form itself asks for one that is neither empty nor longer. */
function titleIn(form: URLSearchParams): string {
  const title = (form.get('title') ?? '').trim()
  if (title === '' || title.length > 255) {
    throw new AppError('invalid', 'A column has a title of at most 255 characters.')
  }
  return title
}
