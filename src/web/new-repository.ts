import { basePath, encodeSegment } from '../platform/config/urls.ts'
import type { Context } from '../platform/context.ts'
import { bindForm } from '../platform/http/binding.ts'
import { signedIn } from '../platform/http/call.ts'
import { createRepository } from '../repositories/repository/create.ts'
import { readNew } from '../repositories/repository/read-new.ts'
import { CreateRepoOption } from '../repositories/repository/schema.ts'
import { creationProblem } from './forms/problem.ts'
import type { Site } from './layout.ts'
import { formOf, pageOf } from './look.ts'
import { ownerOf, ownersFor } from './new-owner.ts'
import { newRepositoryPage } from './pages/new-repository.ts'
import type { PageServer } from './page-server.ts'

export function newRepositoryRoutes(server: PageServer, ctx: Context, site: Site): void {
  const show = pageOf(ctx, site, async ({ viewer, query }) => {
    const owners = await ownersFor(ctx, signedIn(viewer))
    const form = new URLSearchParams({ owner: query.text('owner') ?? '' })
    return newRepositoryPage(ctx, { owners, form })
  })
  server.get('/repo/create', show)

  const create = formOf(ctx, site, async ({ viewer, form }) => {
    try {
      const owner = await ownerOf(ctx, viewer, form.get('owner') ?? '')
      const wanted = readNew(ctx, bindForm(CreateRepoOption, form))
      const { repo } = await createRepository(ctx, viewer, owner, wanted)
      const path = `${encodeSegment(owner.name)}/${encodeSegment(repo.name)}`
      return { leadsTo: `${basePath(ctx.config)}/${path}` }
    } catch (error) {
      const problem = creationProblem(error)
      const owners = await ownersFor(ctx, viewer)
      const page = newRepositoryPage(ctx, { owners, form, problem })
      return { page, status: 422 }
    }
  })
  server.post('/repo/create', create)
}
