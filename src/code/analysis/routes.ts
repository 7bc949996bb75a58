import type { Context } from '../../platform/context.ts'
import { ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { loadCode } from '../../repositories/repository/routes.ts'
import { loadLanguages } from './load.ts'
import { repoGetLanguages, repoGetLicenses } from './schema.ts'

export function analysisRoutes(api: Api, ctx: Context): void {
  api.get('/repos/:owner/:repo/languages', repoGetLanguages, async (call) => {
    const { repo } = await loadCode(ctx, call)
    const counts = await loadLanguages(ctx, repo)
    return ok(Object.fromEntries(counts.map(({ language, bytes }) => [language, bytes])))
  })

  api.get('/repos/:owner/:repo/licenses', repoGetLicenses, async (call) => {
    const { repo } = await loadCode(ctx, call)
    return ok([...repo.licenses])
  })
}
