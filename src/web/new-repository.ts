import type { FastifyInstance } from 'fastify'
import { basePath, encodeSegment } from '../config/urls.ts'
import type { Context, SignedInCaller } from '../context.ts'
import { AppError } from '../errors.ts'
import { bindForm } from '../http/binding.ts'
import { signedIn } from '../http/call.ts'
import { listMemberships } from '../organizations/memberships.ts'
import { createRepository } from '../repositories/create.ts'
import { loadForCreation, mayCreateFor } from '../repositories/may-create.ts'
import { readNew } from '../repositories/read-new.ts'
import { CreateRepoOption } from '../repositories/schema.ts'
import type { Account } from '../users/account.ts'
import type { Site } from './layout.ts'
import { formOf, pageOf } from './look.ts'
import { creationProblem, newRepositoryPage } from './pages/new-repository.ts'

const MAX_ORGANIZATIONS = 100

export function newRepositoryRoutes(server: FastifyInstance, ctx: Context, site: Site): void {
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
      if (!(error instanceof AppError) || error.retryAfter !== undefined) throw error
      const owners = await ownersFor(ctx, viewer)
      const page = newRepositoryPage(ctx, { owners, form, problem: creationProblem(error) })
      return { page, status: 422 }
    }
  })
  server.post('/repo/create', create)
}

async function ownerOf(ctx: Context, viewer: SignedInCaller, name: string): Promise<Account> {
  const { account } = viewer
  const isOwn = name === '' || name.toLowerCase() === account.name.toLowerCase()
  return isOwn ? account : loadForCreation(ctx, viewer, name)
}

/** The viewer, and the organizations in which they may create. */
async function ownersFor(ctx: Context, viewer: SignedInCaller): Promise<readonly Account[]> {
  const page = { number: 1, limit: MAX_ORGANIZATIONS, offset: 0 }
  const { items } = await listMemberships(ctx, viewer, viewer.account, page)
  const allowed = await Promise.all(items.map((org) => mayCreateFor(ctx, viewer, org)))
  return [viewer.account, ...items.filter((_org, at) => allowed[at])]
}
