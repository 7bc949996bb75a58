import { isSiteAdmin, type Context } from '../../platform/context.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { reaches } from '../../platform/access-level.ts'
import { overallLevel } from '../repository/collaboration.ts'
import { assertAdministers } from '../repository/load.ts'
import { loadOfPath } from '../repository/routes.ts'
import { presentUser } from '../../identity/users/present.ts'
import { listAssignees, listReviewers } from './candidates.ts'
import {
  addCollaborator,
  collaboratorsOf,
  findNamed,
  loadNamed,
  removeCollaborator,
  unknownUser,
} from './collaborate.ts'
import { isCollaborator } from './queries.ts'
import {
  AddCollaboratorOption,
  repoAddCollaborator,
  repoCheckCollaborator,
  repoDeleteCollaborator,
  repoGetAssignees,
  repoGetRepoPermissions,
  repoGetReviewers,
  repoListCollaborators,
} from './schema.ts'

export function collaboratorRoutes(api: Api, ctx: Context): void {
  const { config } = ctx
  const collaborator = '/repos/:owner/:repo/collaborators/:collaborator'

  api.get('/repos/:owner/:repo/collaborators', repoListCollaborators, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    call.signedIn()
    const found = await collaboratorsOf(ctx, repo, call.page)
    return call.list(found, ({ person }) => presentUser(config, call.caller, person))
  })

  api.get(collaborator, repoCheckCollaborator, async (call) => {
    const { repo } = await loadOfPath(ctx, call)
    call.signedIn()
    const person = await loadNamed(ctx, call.caller, repo, call.param('collaborator'))
    if (!(await isCollaborator(ctx.db, repo.id, person.id))) throw notFound()
    return noContent()
  })

  api.put(collaborator, repoAddCollaborator, async (call) => {
    const view = await loadOfPath(ctx, call)
    call.signedIn()
    assertAdministers(view)
    const { permission } = await call.optionalBody(AddCollaboratorOption)
    await addCollaborator(
      ctx,
      view,
      await loadNamed(ctx, call.caller, view.repo, call.param('collaborator')),
      permission || 'write',
    )
    return noContent()
  })

  api.delete(collaborator, repoDeleteCollaborator, async (call) => {
    const view = await loadOfPath(ctx, call)
    call.signedIn()
    assertAdministers(view)
    await removeCollaborator(
      ctx,
      view,
      await loadNamed(ctx, call.caller, view.repo, call.param('collaborator')),
    )
    return noContent()
  })

  api.get(`${collaborator}/permission`, repoGetRepoPermissions, async (call) => {
    const view = await loadOfPath(ctx, call)
    const caller = call.signedIn()
    const name = call.param('collaborator')
    const own = caller.account.name.toLowerCase() === name.toLowerCase()
    if (!own && !isSiteAdmin(caller) && !reaches(view.access.level, 'admin')) {
      throw forbidden(
        'Only admins can query all permissions, repo admins can query all repo permissions, collaborators can query only their own',
      )
    }
    const person = await findNamed(ctx, caller, view.repo, name)
    if (!person) throw notFound(unknownUser(name))
    const level = await overallLevel(ctx, view.repo, person)
    const user = presentUser(config, caller, person)
    return ok({ permission: level, role_name: level, user })
  })
}

export function candidateRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.get('/repos/:owner/:repo/assignees', repoGetAssignees, async (call) => {
    const view = await loadOfPath(ctx, call)
    call.signedIn()
    const people = await listAssignees(ctx, view)
    return ok(people.map((person) => presentUser(config, call.caller, person)))
  })

  api.get('/repos/:owner/:repo/reviewers', repoGetReviewers, async (call) => {
    const view = await loadOfPath(ctx, call)
    const caller = call.signedIn()
    const all = await listReviewers(ctx, view)
    if (!isSiteAdmin(caller) && all.every(({ id }) => id !== caller.account.id)) {
      throw forbidden('doer has no permission to get reviewers')
    }
    return ok(all.map((person) => presentUser(config, caller, person)))
  })
}
