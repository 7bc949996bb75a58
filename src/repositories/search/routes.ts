import type { Context } from '../../platform/context.ts'
import type { Api } from '../../platform/http/api.ts'
import { presentRepository } from '../repository/present.ts'
import { viewRepositories } from '../repository/view.ts'
import { repoSearch } from './schema.ts'
import { search } from './search.ts'
import { readWanted } from './wanted.ts'

export function searchRoutes(api: Api, ctx: Context): void {
  api.get('/repos/search', repoSearch, async (call) => {
    const found = await search(ctx, call.caller, readWanted(call.query), call.page)
    const views = await viewRepositories(ctx, call.caller, found.items)
    const data = views.map((view) => presentRepository(ctx.config, view, { language: true }))
    return call.listOf(found, { ok: true, data })
  })
}
