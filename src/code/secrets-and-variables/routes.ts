import type { Context } from '../../platform/context.ts'
import { noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { enterAsOwner } from '../../identity/organizations/access.ts'
import { assertOwns } from '../../repositories/repository/remove.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import { presentSecret, presentVariable } from './present.ts'
import { listValues, type Holder } from './queries.ts'
import {
  CreateOrUpdateSecretOption,
  CreateVariableOption,
  UpdateVariableOption,
  valueEndpoints,
  type Family,
} from './schema.ts'
import { addVariable, editVariable, loadValue, putSecret, removeValue } from './values.ts'

type LoadHolder = (call: Call) => Promise<Holder>

/** Kept for whoever runs workflows: repositories, organizations and people each have their own. */
export function actionValueRoutes(api: Api, ctx: Context): void {
  const ofRepository: Family = {
    title: 'Repo',
    scope: ['repository'],
    access: 'visible',
    publicOnly: 'public',
  }
  addFamily(api, ctx, '/repos/:owner/:repo/actions', ofRepository, async (call) => {
    const view = await loadOfPath(ctx, call)
    call.signedIn()
    assertOwns(view)
    return { repositoryId: view.repo.id }
  })

  const ofOrganization: Family = {
    title: 'Org',
    scope: ['organization'],
    access: 'visible',
    publicOnly: 'public',
  }
  addFamily(api, ctx, '/orgs/:org/actions', ofOrganization, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    return { accountId: org.id }
  })

  const ofCaller: Family = {
    title: 'User',
    scope: ['user'],
    access: 'signed-in',
    publicOnly: 'refused',
  }
  addFamily(api, ctx, '/user/actions', ofCaller, async (call) => ({
    accountId: call.signedIn().account.id,
  }))
}

function addFamily(api: Api, ctx: Context, base: string, family: Family, load: LoadHolder): void {
  const endpoints = valueEndpoints(family)
  addSecrets(api, ctx, `${base}/secrets`, endpoints, load)
  addVariables(api, ctx, `${base}/variables`, endpoints, load)
}

type Endpoints = ReturnType<typeof valueEndpoints>

function addSecrets(
  api: Api,
  ctx: Context,
  base: string,
  endpoints: Endpoints,
  load: LoadHolder,
): void {
  api.get(base, endpoints.listSecrets, async (call) => {
    const found = await listValues(ctx.db, 'secret', await load(call), call.page)
    return call.list(found, presentSecret)
  })

  api.put(`${base}/:name`, endpoints.putSecret, async (call) => {
    const holder = await load(call)
    const { data, description = '' } = await call.body(CreateOrUpdateSecretOption)
    const isNew = await putSecret(ctx, holder, call.param('name'), { content: data, description })
    return { status: isNew ? 201 : 204 }
  })

  api.delete(`${base}/:name`, endpoints.deleteSecret, async (call) => {
    await removeValue(ctx, 'secret', await load(call), call.param('name'))
    return noContent()
  })
}

function addVariables(
  api: Api,
  ctx: Context,
  base: string,
  endpoints: Endpoints,
  load: LoadHolder,
): void {
  api.get(base, endpoints.listVariables, async (call) => {
    const found = await listValues(ctx.db, 'variable', await load(call), call.page)
    return call.list(found, presentVariable)
  })

  api.get(`${base}/:name`, endpoints.getVariable, async (call) => {
    const holder = await load(call)
    return ok(presentVariable(await loadValue(ctx, 'variable', holder, call.param('name'))))
  })

  api.post(`${base}/:name`, endpoints.createVariable, async (call) => {
    const holder = await load(call)
    const { value: content, description = '' } = await call.body(CreateVariableOption)
    await addVariable(ctx, holder, call.param('name'), { content, description })
    return { status: 201 }
  })

  api.put(`${base}/:name`, endpoints.updateVariable, async (call) => {
    const holder = await load(call)
    const { name = '', value: content, description } = await call.body(UpdateVariableOption)
    await editVariable(ctx, holder, call.param('name'), { name, content, description })
    return noContent()
  })

  api.delete(`${base}/:name`, endpoints.deleteVariable, async (call) => {
    await removeValue(ctx, 'variable', await load(call), call.param('name'))
    return noContent()
  })
}
