import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadForMembers, loadOrganization } from '../../identity/organizations/load.ts'
import { assertNotArchived, assertWrites } from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { loadVisibleAccount } from '../../identity/users/load.ts'
import { boardsIn, type Boards } from './boards.ts'
import { boardsOf, boardsToArrange } from './owners.ts'
import { presentProject, readNewProject, readProjectEdit } from './present.ts'
import type { Project } from './project.ts'
import {
  createProject,
  editProject,
  listProjects,
  loadProject,
  readsProjects,
  removeProject,
} from './projects.ts'
import {
  CreateProjectOption,
  EditProjectOption,
  ofCaller,
  ofOrganization,
  ofRepository,
  projectEndpoints,
  userListProjects,
  type Whose,
} from './schema.ts'
import { viewProject, viewProjects } from './view.ts'

/** Addresses at which boards are, and who gets at them there. */
export interface Address {
  readonly path: string
  readonly whose: Whose
  readonly look: (ctx: Context, call: Call) => Promise<Boards>
  readonly change: (ctx: Context, call: Call) => Promise<Boards>
}

export const addresses: readonly Address[] = [
  {
    path: '/repos/:owner/:repo/projects',
    whose: ofRepository,
    look: async (ctx, call) => boardsIn(ctx, await loadReading(ctx, call)),
    change: changeOfRepository,
  },
  {
    path: '/orgs/:org/projects',
    whose: ofOrganization,
    look: async (ctx, call) =>
      boardsOf(ctx, call.caller, await loadOrganization(ctx, call.caller, call.param('org'))),
    change: async (ctx, call) => {
      const org = await loadForMembers(ctx, call.caller, call.param('org'))
      return boardsToArrange(ctx, call.signedIn(), org)
    },
  },
  {
    path: '/user/projects',
    whose: ofCaller,
    look: async (ctx, call) => boardsOf(ctx, call.caller, call.signedIn().account),
    change: async (ctx, call) => boardsToArrange(ctx, call.signedIn(), call.signedIn().account),
  },
]

/** What is switched off or not for this caller does not exist. */
async function loadReading(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  if (!readsProjects(view)) throw notFound()
  return view
}

async function changeOfRepository(ctx: Context, call: Call): Promise<Boards> {
  const view = await loadReading(ctx, call)
  call.signedIn()
  assertWrites(view, 'repo.projects')
  assertNotArchived(view)
  return boardsIn(ctx, view)
}

export function projectRoutes(api: Api, ctx: Context): void {
  for (const address of addresses) addProjects(api, ctx, address)

  api.get('/users/:username/projects', userListProjects, async (call) => {
    const owner = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    return listOf(ctx, call, await boardsOf(ctx, call.caller, owner))
  })
}

function addProjects(api: Api, ctx: Context, { path, whose, look, change }: Address): void {
  const endpoints = projectEndpoints(whose)
  const present = async ({ caller }: Call, project: Project) => {
    const view = await viewProject(ctx.db, { config: ctx.config, caller }, project)
    return presentProject(ctx.config, caller, view)
  }

  api.get(path, endpoints.list, async (call) => listOf(ctx, call, await look(ctx, call)))

  api.post(path, endpoints.create, async (call) => {
    const { place } = await change(ctx, call)
    const wanted = readNewProject(await call.body(CreateProjectOption))
    return created(await present(call, await createProject(ctx, call.signedIn(), place, wanted)))
  })

  api.get(`${path}/:id`, endpoints.get, async (call) => {
    const { place } = await look(ctx, call)
    return ok(await present(call, await loadProject(ctx, place, call.id('id'))))
  })

  api.patch(`${path}/:id`, endpoints.edit, async (call) => {
    const { place } = await change(ctx, call)
    const edit = readProjectEdit(await call.body(EditProjectOption))
    const project = await loadProject(ctx, place, call.id('id'))
    return ok(await present(call, await editProject(ctx, project, edit)))
  })

  api.delete(`${path}/:id`, endpoints.remove, async (call) => {
    const { place } = await change(ctx, call)
    await removeProject(ctx, await loadProject(ctx, place, call.id('id')))
    return noContent()
  })
}

async function listOf(ctx: Context, call: Call, { place }: Boards) {
  const { config } = ctx
  const { caller } = call
  const found = await listProjects(ctx, place, call.query.state(), call.page)
  const views = await viewProjects(ctx.db, { config, caller }, found.items)
  return call.listOf(
    found,
    views.map((project) => presentProject(config, caller, project)),
  )
}
