import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { created, noContent, ok } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { assertNotArchived, assertWrites } from '../repositories/load.ts'
import { loadOfPath } from '../repositories/routes.ts'
import type { RepositoryView } from '../repositories/view.ts'
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
  repoCreateProject,
  repoDeleteProject,
  repoEditProject,
  repoGetProject,
  repoListProjects,
} from './schema.ts'
import { viewProject, viewProjects } from './view.ts'

export function projectRoutes(api: Api, ctx: Context): void {
  const projects = '/repos/:owner/:repo/projects'
  const present = async ({ caller }: Call, project: Project) =>
    presentProject(ctx.config, caller, await viewProject(ctx.db, project))

  api.get(projects, repoListProjects, async (call) => {
    const view = await loadBoards(ctx, call)
    const found = await listProjects(ctx, view, call.query.state(), call.page)
    const views = await viewProjects(ctx.db, found.items)
    return call.listOf(
      found,
      views.map((project) => presentProject(ctx.config, call.caller, project)),
    )
  })

  api.post(projects, repoCreateProject, async (call) => {
    const view = await loadWritableBoards(ctx, call)
    const wanted = readNewProject(await call.body(CreateProjectOption))
    const project = await createProject(ctx, call.signedIn(), view, wanted)
    return created(await present(call, project))
  })

  api.get(`${projects}/:id`, repoGetProject, async (call) => {
    const view = await loadBoards(ctx, call)
    return ok(await present(call, await loadProject(ctx, view, call.id('id'))))
  })

  api.patch(`${projects}/:id`, repoEditProject, async (call) => {
    const view = await loadWritableBoards(ctx, call)
    const edit = readProjectEdit(await call.body(EditProjectOption))
    const project = await loadProject(ctx, view, call.id('id'))
    return ok(await present(call, await editProject(ctx, project, edit)))
  })

  api.delete(`${projects}/:id`, repoDeleteProject, async (call) => {
    const view = await loadWritableBoards(ctx, call)
    await removeProject(ctx, await loadProject(ctx, view, call.id('id')))
    return noContent()
  })
}

/** What is switched off or not for this caller does not exist. */
export async function loadBoards(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  if (!readsProjects(view)) throw notFound()
  return view
}

export async function loadWritableBoards(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadBoards(ctx, call)
  call.signedIn()
  assertWrites(view, 'repo.projects')
  assertNotArchived(view)
  return view
}
