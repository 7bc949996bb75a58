import type { Static } from 'typebox'
import { apiUrl } from '../config/urls.ts'
import type { Context } from '../context.ts'
import { forbidden } from '../errors.ts'
import { created, noContent, ok } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { enterAsOwner, enterOrganization } from '../organizations/access.ts'
import { loadOrganization } from '../organizations/load.ts'
import { reaches } from '../access-level.ts'
import { unitLevel } from '../repositories/access.ts'
import { loadOfPath } from '../repositories/routes.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { createLabel, editLabel, loadLabel } from './labels.ts'
import { deleteLabel, findLabel, listLabels, type Label, type LabelOwner } from './queries.ts'
import {
  CreateLabelOption,
  EditLabelOption,
  issueCreateLabel,
  issueDeleteLabel,
  issueEditLabel,
  issueGetLabel,
  issueListLabels,
  orgCreateLabel,
  orgDeleteLabel,
  orgEditLabel,
  orgGetLabel,
  orgListLabels,
  type LabelBody,
} from './schema.ts'

/** Labels stay readable with issues and pull requests switched off. */
export function repositoryLabelRoutes(api: Api, ctx: Context): void {
  const labels = '/repos/:owner/:repo/labels'

  api.get(labels, issueListLabels, async (call) => {
    const view = await loadOfPath(ctx, call)
    return listAnswer(ctx, call, { repositoryId: view.repo.id }, addressOf(ctx, view))
  })

  api.post(labels, issueCreateLabel, async (call) => {
    const view = await loadWritable(ctx, call)
    const body = await call.body(CreateLabelOption)
    const label = await createLabel(ctx, { repositoryId: view.repo.id }, readNew(body))
    return created(present(label, addressOf(ctx, view)))
  })

  api.get(`${labels}/:id`, issueGetLabel, async (call) => {
    const view = await loadOfPath(ctx, call)
    const label = await loadLabel(ctx, { repositoryId: view.repo.id }, call.param('id'))
    return ok(present(label, addressOf(ctx, view)))
  })

  api.patch(`${labels}/:id`, issueEditLabel, async (call) => {
    const view = await loadWritable(ctx, call)
    const edit = readEdit(await call.body(EditLabelOption))
    const label = await loadLabel(ctx, { repositoryId: view.repo.id }, String(call.id('id')))
    return ok(present(await editLabel(ctx, label, edit), addressOf(ctx, view)))
  })

  api.delete(`${labels}/:id`, issueDeleteLabel, async (call) => {
    const view = await loadWritable(ctx, call)
    await remove(ctx, { repositoryId: view.repo.id }, call.id('id'))
    return noContent()
  })
}

export function organizationLabelRoutes(api: Api, ctx: Context): void {
  const labels = '/orgs/:org/labels'
  const addressOfOrganization = (name: string) => `${apiUrl(ctx.config)}/orgs/${name}/labels`

  api.get(labels, orgListLabels, async (call) => {
    const org = await loadOrganization(ctx, call.caller, call.param('org'))
    return listAnswer(ctx, call, { orgId: org.id }, addressOfOrganization(org.name))
  })

  api.post(labels, orgCreateLabel, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    const label = await createLabel(
      ctx,
      { orgId: org.id },
      readNew(await call.body(CreateLabelOption)),
    )
    return created(present(label, addressOfOrganization(org.name)))
  })

  api.get(`${labels}/:id`, orgGetLabel, async (call) => {
    const { org } = await enterOrganization(ctx, call)
    const label = await loadLabel(ctx, { orgId: org.id }, call.param('id'))
    return ok(present(label, addressOfOrganization(org.name)))
  })

  api.patch(`${labels}/:id`, orgEditLabel, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    const edit = readEdit(await call.body(EditLabelOption))
    const label = await loadLabel(ctx, { orgId: org.id }, String(call.id('id')))
    return ok(present(await editLabel(ctx, label, edit), addressOfOrganization(org.name)))
  })

  api.delete(`${labels}/:id`, orgDeleteLabel, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    await remove(ctx, { orgId: org.id }, call.id('id'))
    return noContent()
  })
}

async function listAnswer(ctx: Context, call: Call, owner: LabelOwner, address: string) {
  const direction = call.query.text('sort') === 'reversealphabetically' ? 'desc' : 'asc'
  const found = await listLabels(ctx.db, owner, direction, call.page)
  return call.list(found, (label) => present(label, address), { links: false })
}

/** One that does not exist is deleted already. */
async function remove(ctx: Context, owner: LabelOwner, id: number): Promise<void> {
  const label = await findLabel(ctx.db, owner, id)
  if (label) await deleteLabel(ctx.db, label.id)
}

async function loadWritable(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  call.signedIn()
  const { access, units } = view
  const writes = (['repo.issues', 'repo.pulls'] as const).some((unit) =>
    reaches(unitLevel(access, units, unit), 'write'),
  )
  if (!writes && !reaches(access.level, 'admin')) {
    throw forbidden('user should have a permission to write to a repo')
  }
  return view
}

function addressOf({ config }: Context, { owner, repo }: RepositoryView): string {
  return `${apiUrl(config)}/repos/${owner.name}/${repo.name}/labels`
}

function present(label: Label, address: string): Static<typeof LabelBody> {
  return {
    id: label.id,
    name: label.name,
    exclusive: label.isExclusive,
    is_archived: label.isArchived,
    color: label.color,
    description: label.description,
    url: `${address}/${label.id}`,
  }
}

function readNew(body: Static<typeof CreateLabelOption>) {
  return {
    name: body.name,
    color: body.color,
    description: body.description ?? '',
    isExclusive: body.exclusive ?? false,
    isArchived: body.is_archived ?? false,
  }
}

function readEdit(body: Static<typeof EditLabelOption>) {
  return {
    name: body.name,
    color: body.color,
    description: body.description,
    isExclusive: body.exclusive,
    isArchived: body.is_archived ?? false,
  }
}
