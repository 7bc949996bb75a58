import type { Context } from '../../context.ts'
import type { Site } from '../layout.ts'
import type { PageServer } from '../page-server.ts'
import { repositoryForm, type Done, type Submitted } from '../repository/form.ts'
import { repositoryPage, type Show } from '../repository/visit.ts'
import { showBoard } from './board.ts'
import {
  takeCardMove,
  takeCardRemoval,
  takeColumnDefault,
  takeColumnDelete,
  takeColumnEdit,
  takeColumnOrder,
  takeNewCard,
  takeNewColumn,
} from './changes.ts'
import {
  showNewProject,
  showProjectEdit,
  takeNewProject,
  takeProjectDelete,
  takeProjectEdit,
  takeProjectState,
} from './form.ts'
import { showProjects } from './list.ts'
import { assertMayArrange } from './rights.ts'

export function projectPages(server: PageServer, ctx: Context, site: Site): void {
  const show = (path: string, page: Show) =>
    server.get(`/:owner/:repo/projects${path}`, repositoryPage(ctx, site, page))
  const take = (path: string, act: (submitted: Submitted) => Promise<Done>) =>
    server.post(
      `/:owner/:repo/projects${path}`,
      repositoryForm(ctx, site, act, { admit: assertMayArrange }),
    )

  show('', showProjects)
  show('/new', showNewProject)
  take('/new', takeNewProject)
  show('/:id', showBoard)
  show('/:id/edit', showProjectEdit)
  take('/:id/edit', takeProjectEdit)
  take('/:id/state', takeProjectState)
  take('/:id/delete', takeProjectDelete)
  take('/:id/columns/new', takeNewColumn)
  take('/:id/columns/:column/edit', takeColumnEdit)
  take('/:id/columns/:column/order', takeColumnOrder)
  take('/:id/columns/:column/default', takeColumnDefault)
  take('/:id/columns/:column/delete', takeColumnDelete)
  take('/:id/cards/new', takeNewCard)
  take('/:id/cards/:number/move', takeCardMove)
  take('/:id/cards/:number/remove', takeCardRemoval)
}
