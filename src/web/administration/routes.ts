import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { Site } from '../layout.ts'
import { formOf, ownPageOf, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import { assertAdministers } from './section.ts'
import { runTask, showServer } from './server.ts'
import { showSettings } from './settings.ts'

/** What administrators of the whole server see and set; for everybody else there is nothing here. */
export function administrationPages(server: FastifyInstance, ctx: Context, site: Site): void {
  const root = '/-/admin'
  const show = (path: string, page: (look: SignedInLook) => Promise<Shown>) =>
    server.get(
      root + path,
      ownPageOf(ctx, site, async (look) => {
        assertAdministers(look)
        return page(look)
      }),
    )
  const take = (path: string, act: (submitted: Submitted) => Promise<Shown>) =>
    server.post(
      root + path,
      formOf(ctx, site, async (submitted) => {
        assertAdministers(submitted)
        return act(submitted)
      }),
    )

  show('', showServer)
  take('/tasks/run', runTask)
  show('/settings', showSettings)
}
