import type { Context } from '../../platform/context.ts'
import type { Site } from '../layout.ts'
import { formOf, pageOf } from '../look.ts'
import type { PageServer } from '../page-server.ts'
import { repositoryForm } from '../repository/form.ts'
import { repositoryPage } from '../repository/visit.ts'
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
import { assertMayArrange, formIn, pageIn } from './in-repository.ts'
import { showProjects } from './list.ts'
import { formOfOwner, pageOfOwner } from './of-owner.ts'

const pages = { '': showProjects, '/:id': showBoard }

/** For those who may change boards. */
const pagesWithForms = { '/new': showNewProject, '/:id/edit': showProjectEdit }

const forms = {
  '/new': takeNewProject,
  '/:id/edit': takeProjectEdit,
  '/:id/state': takeProjectState,
  '/:id/delete': takeProjectDelete,
  '/:id/columns/new': takeNewColumn,
  '/:id/columns/:column/edit': takeColumnEdit,
  '/:id/columns/:column/order': takeColumnOrder,
  '/:id/columns/:column/default': takeColumnDefault,
  '/:id/columns/:column/delete': takeColumnDelete,
  '/:id/cards/new': takeNewCard,
  '/:id/cards/:issue/move': takeCardMove,
  '/:id/cards/:issue/remove': takeCardRemoval,
}

/** Boards of repositories, and of people and organizations. */
export function projectPages(server: PageServer, ctx: Context, site: Site): void {
  const inRepository = '/:owner/:repo/projects'
  const ofOwner = '/:owner/-/projects'
  for (const [path, page] of Object.entries(pages)) {
    server.get(inRepository + path, repositoryPage(ctx, site, pageIn(page)))
    server.get(ofOwner + path, pageOf(ctx, site, pageOfOwner(page)))
  }
  for (const [path, page] of Object.entries(pagesWithForms)) {
    server.get(inRepository + path, repositoryPage(ctx, site, pageIn(page, assertMayArrange)))
    server.get(ofOwner + path, pageOf(ctx, site, pageOfOwner(page, { isForArranging: true })))
  }
  const admitted = { admit: assertMayArrange }
  for (const [path, act] of Object.entries(forms)) {
    server.post(inRepository + path, repositoryForm(ctx, site, formIn(act), admitted))
    server.post(ofOwner + path, formOf(ctx, site, formOfOwner(act)))
  }
}
