import { AppError } from '../../errors.ts'
import { readInteger } from '../../http/query.ts'
import type { Issue } from '../../issues/issue.ts'
import { loadIssue } from '../../issues/load.ts'
import { moveIssue, placeIssue, takeOff } from '../../projects/cards.ts'
import {
  addColumn,
  columnsOf,
  editColumn,
  loadColumn,
  makeDefault,
  orderColumns,
  removeColumn,
} from '../../projects/columns.ts'
import type { Project } from '../../projects/project.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { renderBoard } from './board.ts'
import { boardPath } from './form.ts'
import { loadOfPage } from './rights.ts'

type Change = (submitted: Submitted, project: Project) => Promise<void>

/** The board again, as it is then. */
const onBoard =
  (change: Change) =>
  async (submitted: Submitted): Promise<Done> => {
    const project = await loadOfPage(submitted)
    await change(submitted, project)
    return { leadsTo: boardPath(submitted, project) }
  }

const columnId = ({ param }: Submitted) => readInteger(param('column'))

export const takeNewColumn = onBoard(async ({ ctx, viewer, form }, project) => {
  await addColumn(ctx, viewer, project, { title: titleIn(form), color: '' })
})

export const takeColumnEdit = onBoard(async (submitted, project) => {
  const { ctx, form } = submitted
  const column = await loadColumn(ctx.db, project, columnId(submitted))
  const color = (form.get('color') ?? '').trim()
  await editColumn(ctx, column, { title: titleIn(form), color, sorting: undefined })
})

export const takeColumnOrder = onBoard(async (submitted, project) => {
  const { ctx, form } = submitted
  const { id } = await loadColumn(ctx.db, project, columnId(submitted))
  const ids = (await columnsOf(ctx.db, project)).map((column) => column.id)
  const others = ids.filter((one) => one !== id)
  const position = readInteger(form.get('position') ?? '')
  const at = Math.min(Math.max(position, 1), ids.length) - 1
  await orderColumns(ctx, project, others.toSpliced(at, 0, id))
})

export const takeColumnDefault = onBoard((submitted, project) =>
  makeDefault(submitted.ctx, project, columnId(submitted)),
)

export const takeColumnDelete = onBoard((submitted, project) =>
  removeColumn(submitted.ctx, project, columnId(submitted)),
)

export async function takeNewCard(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, form } = submitted
  const project = await loadOfPage(submitted)
  const column = readInteger(form.get('column') ?? '')
  const typed = (form.get('number') ?? '').trim()
  const issue = await loadNumbered(submitted, typed.replace(/^#/, '')).catch(absent)
  if (!issue) {
    const problem = 'There is no issue or pull request with this number.'
    return renderBoard(submitted, project, { columnId: column, typed, problem })
  }
  await placeIssue(ctx, viewer, project, issue, column)
  return { leadsTo: boardPath(submitted, project) }
}

function absent(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'not_found') throw error
}

export const takeCardMove = onBoard(async (submitted, project) => {
  const { ctx, form, param } = submitted
  const above = form.get('above') ?? ''
  await moveIssue(ctx, project, await loadNumbered(submitted, param('number')), {
    columnId: readInteger(form.get('column') ?? ''),
    aboveIssueId: above === '' ? undefined : (await loadNumbered(submitted, above)).id,
  })
})

export const takeCardRemoval = onBoard(async (submitted, project) => {
  const { ctx, viewer, param } = submitted
  await takeOff(ctx, viewer, project, await loadNumbered(submitted, param('number')))
})

async function loadNumbered({ ctx, view }: Submitted, number: string): Promise<Issue> {
  return loadIssue(ctx, view, readInteger(number))
}

/** The form itself asks for one that is neither empty nor longer. */
function titleIn(form: URLSearchParams): string {
  const title = (form.get('title') ?? '').trim()
  if (title === '' || title.length > 255) {
    throw new AppError('invalid', 'A column has a title of at most 255 characters.')
  }
  return title
}
