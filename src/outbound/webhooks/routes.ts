import type { Context } from '../../platform/context.ts'
import { forbidden } from '../../platform/errors.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { enterAsOwner } from '../../identity/organizations/access.ts'
import { loadAdministered } from '../../repositories/repository/routes.ts'
import { createHook, editHook } from './change.ts'
import type { HookHome, Webhook } from '../../events/webhooks/hook.ts'
import {
  deliveriesOf,
  hooksOf,
  loadDeliveryOf,
  loadHookOf,
  removeHook,
  testHook,
} from './manage.ts'
import {
  presentDelivery,
  presentDeliveryDetails,
  presentHook,
  readHookEdit,
  readNewHook,
} from './present.ts'
import type { SystemKind } from './queries.ts'
import { redeliver } from '../../events/webhooks/redeliver.ts'
import {
  CreateHookOption,
  EditHookOption,
  organizationHooks,
  repoDeleteGitHook,
  repoEditGitHook,
  repoGetGitHook,
  repoListGitHooks,
  repositoryHooks,
  systemHooks,
  userHooks,
  type HookEndpoints,
} from './schema.ts'

type Enter = (call: Call) => Promise<HookHome>

export function webhookRoutes(api: Api, ctx: Context): void {
  const repository = '/repos/:owner/:repo/hooks'

  // Scripts that git runs on the server are not run here, so nobody is allowed to edit them.
  const refuse = async (call: Call) => {
    await loadAdministered(ctx, call)
    throw forbidden('must be allowed to edit Git hooks')
  }
  api.get(`${repository}/git`, repoListGitHooks, refuse)
  api.get(`${repository}/git/:name`, repoGetGitHook, refuse)
  api.patch(`${repository}/git/:name`, repoEditGitHook, refuse)
  api.delete(`${repository}/git/:name`, repoDeleteGitHook, refuse)

  addHooks(api, ctx, repository, repositoryHooks, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    return { kind: 'repository', id: repo.id }
  })
  addHooks(api, ctx, '/orgs/:org/hooks', organizationHooks, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    return { kind: 'organization', id: org.id }
  })
  addHooks(api, ctx, '/user/hooks', userHooks, async (call) => {
    return { kind: 'user', id: call.signedIn().account.id }
  })
  addHooks(api, ctx, '/admin/hooks', systemHooks, async () => ({ kind: 'system' }))
}

function addHooks(
  api: Api,
  ctx: Context,
  path: string,
  endpoints: HookEndpoints,
  enter: Enter,
): void {
  api.get(path, endpoints.list, async (call) => {
    const home = await enter(call)
    const found = await hooksOf(ctx, home, call.page, systemKindOf(call))
    return call.list(found, presentHook, { links: false })
  })

  api.post(path, endpoints.create, async (call) => {
    const home = await enter(call)
    const body = await call.body(CreateHookOption)
    return created(presentHook(await createHook(ctx, home, readNewHook(body))))
  })

  api.get(`${path}/:id`, endpoints.get, async (call) => {
    return ok(presentHook(await loadHook(ctx, call, enter)))
  })

  api.patch(`${path}/:id`, endpoints.edit, async (call) => {
    const home = await enter(call)
    const edit = readHookEdit(await call.body(EditHookOption))
    return ok(presentHook(await editHook(ctx, await loadOf(ctx, call, home), edit)))
  })

  api.delete(`${path}/:id`, endpoints.remove, async (call) => {
    await removeHook(ctx, await loadHook(ctx, call, enter))
    return noContent()
  })

  addDeliveries(api, ctx, path, endpoints, enter)
}

function addDeliveries(
  api: Api,
  ctx: Context,
  path: string,
  endpoints: HookEndpoints,
  enter: Enter,
): void {
  api.post(`${path}/:id/tests`, endpoints.test, async (call) => {
    const home = await enter(call)
    const hook = await loadOf(ctx, call, home)
    await testHook(ctx, call.signedIn(), home, hook)
    return noContent()
  })

  const deliveries = `${path}/:id/deliveries`

  api.get(deliveries, endpoints.deliveries, async (call) => {
    const hook = await loadHook(ctx, call, enter)
    const found = await deliveriesOf(ctx, call.caller, hook, call.page)
    return call.list(found, (delivery) => presentDelivery(hook, delivery))
  })

  api.get(`${deliveries}/:delivery`, endpoints.delivery, async (call) => {
    const { hook, delivery } = await loadDelivery(ctx, call, enter)
    return ok(presentDeliveryDetails(hook, delivery))
  })

  api.post(`${deliveries}/:delivery/redeliver`, endpoints.redeliver, async (call) => {
    const { hook, delivery } = await loadDelivery(ctx, call, enter)
    return created(presentDelivery(hook, await redeliver(ctx, hook, delivery)))
  })
}

async function loadHook(ctx: Context, call: Call, enter: Enter): Promise<Webhook> {
  return loadOf(ctx, call, await enter(call))
}

async function loadOf(ctx: Context, call: Call, home: HookHome): Promise<Webhook> {
  return loadHookOf(ctx, home, call.id('id'))
}

async function loadDelivery(ctx: Context, call: Call, enter: Enter) {
  const hook = await loadHook(ctx, call, enter)
  return { hook, delivery: await loadDeliveryOf(ctx, call.caller, hook, call.id('delivery')) }
}

/** Of the system's: those that hear of everything, unless others are asked for. */
function systemKindOf({ query }: Call): SystemKind {
  const kind = query.text('type') ?? ''
  return kind === 'default' || kind === 'all' ? kind : 'system'
}
