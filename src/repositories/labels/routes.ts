import type { Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { enterAsOwner, enterOrganization } from '../../identity/organizations/access.ts'
import { loadOrganization } from '../../identity/organizations/load.ts'
import { assertWritesTracker } from '../repository/load.ts'
import { loadOfPath } from '../repository/routes.ts'
import type { RepositoryView } from '../repository/view.ts'
import { createLabel, editLabel, listLabels, loadLabel, removeLabel } from './labels.ts'
import { presentLabel, readLabelEdit, readNewLabel, type LabelHome } from './present.ts'
import type { LabelOrder, LabelOwner } from './queries.ts'
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
} from './schema.ts'

/** Labels stay readable with issues and pull requests switched off. */
export function repositoryLabelRoutes(api: Api, ctx: Context): void {
  const labels = '/repos/:owner/:repo/labels'

  api.get(labels, issueListLabels, async (call) => {
    const view = await loadOfPath(ctx, call)
    return listAnswer(ctx, call, { repositoryId: view.repo.id }, homeOf(view))
  })

  api.post(labels, issueCreateLabel, async (call) => {
    const view = await loadWritable(ctx, call)
    const body = await call.body(CreateLabelOption)
    const label = await createLabel(ctx, { repositoryId: view.repo.id }, readNewLabel(body))
    return created(presentLabel(ctx.config, homeOf(view), label))
  })

  api.get(`${labels}/:id`, issueGetLabel, async (call) => {
    const view = await loadOfPath(ctx, call)
    const label = await loadLabel(ctx, { repositoryId: view.repo.id }, call.param('id'))
    return ok(presentLabel(ctx.config, homeOf(view), label))
  })

  api.patch(`${labels}/:id`, issueEditLabel, async (call) => {
    const view = await loadWritable(ctx, call)
    const edit = readLabelEdit(await call.body(EditLabelOption))
    const label = await loadLabel(ctx, { repositoryId: view.repo.id }, String(call.id('id')))
    return ok(presentLabel(ctx.config, homeOf(view), await editLabel(ctx, label, edit)))
  })

  api.delete(`${labels}/:id`, issueDeleteLabel, async (call) => {
    const view = await loadWritable(ctx, call)
    await removeLabel(ctx, { repositoryId: view.repo.id }, call.id('id'))
    return noContent()
  })
}

export function organizationLabelRoutes(api: Api, ctx: Context): void {
  const labels = '/orgs/:org/labels'
  const homeOfOrganization = (name: string) => ({ ownerName: name, repositoryName: '' })

  api.get(labels, orgListLabels, async (call) => {
    const org = await loadOrganization(ctx, call.caller, call.param('org'))
    return listAnswer(ctx, call, { orgId: org.id }, homeOfOrganization(org.name))
  })

  api.post(labels, orgCreateLabel, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    const label = await createLabel(
      ctx,
      { orgId: org.id },
      readNewLabel(await call.body(CreateLabelOption)),
    )
    return created(presentLabel(ctx.config, homeOfOrganization(org.name), label))
  })

  api.get(`${labels}/:id`, orgGetLabel, async (call) => {
    const { org } = await enterOrganization(ctx, call)
    const label = await loadLabel(ctx, { orgId: org.id }, call.param('id'))
    return ok(presentLabel(ctx.config, homeOfOrganization(org.name), label))
  })

  api.patch(`${labels}/:id`, orgEditLabel, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    const edit = readLabelEdit(await call.body(EditLabelOption))
    const label = await loadLabel(ctx, { orgId: org.id }, String(call.id('id')))
    return ok(
      presentLabel(ctx.config, homeOfOrganization(org.name), await editLabel(ctx, label, edit)),
    )
  })

  api.delete(`${labels}/:id`, orgDeleteLabel, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    await removeLabel(ctx, { orgId: org.id }, call.id('id'))
    return noContent()
  })
}

const orders: Readonly<Record<string, LabelOrder>> = {
  mostissues: 'most_issues',
  leastissues: 'least_issues',
  reversealphabetically: 'name_reversed',
}

async function listAnswer(ctx: Context, call: Call, owner: LabelOwner, home: LabelHome) {
  const sort = call.query.text('sort') ?? ''
  const order = (Object.hasOwn(orders, sort) ? orders[sort] : undefined) ?? 'name'
  const found = await listLabels(ctx, owner, order, call.page)
  return call.list(found, (label) => presentLabel(ctx.config, home, label), { links: false })
}

async function loadWritable(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  call.signedIn()
  assertWritesTracker(view)
  return view
}

function homeOf({ owner, repo }: RepositoryView): LabelHome {
  return { ownerName: owner.name, repositoryName: repo.name }
}
