import type { Context } from '../../platform/context.ts'
import type { Site } from '../layout.ts'
import { repositoryForm } from '../repository/form.ts'
import { repositoryPage } from '../repository/visit.ts'
import {
  showEditRelease,
  showNewRelease,
  takeEditRelease,
  takeFileDelete,
  takeNewRelease,
  takeReleaseDelete,
} from './change.ts'
import { assertMayChange, assertMayRelease } from './rights.ts'
import { takeFile } from './upload.ts'
import type { PageServer } from '../page-server.ts'

/** Releases are written here; they are shown with the other pages of a repository. */
export function releaseForms(server: PageServer, ctx: Context, site: Site): void {
  const releases = '/:owner/:repo/releases'
  const assets = `${releases}/:id/assets`
  const toRelease = { admit: assertMayRelease }
  const toChange = { admit: assertMayChange }
  server.get(`${releases}/new`, repositoryPage(ctx, site, showNewRelease))
  server.post(`${releases}/new`, repositoryForm(ctx, site, takeNewRelease, toRelease))
  server.get(`${releases}/edit/*`, repositoryPage(ctx, site, showEditRelease))
  server.post(`${releases}/edit/*`, repositoryForm(ctx, site, takeEditRelease, toRelease))
  server.post(`${releases}/delete/*`, repositoryForm(ctx, site, takeReleaseDelete, toChange))
  server.post(assets, takeFile(ctx, site))
  server.post(`${assets}/:attachment/delete`, repositoryForm(ctx, site, takeFileDelete, toChange))
}
