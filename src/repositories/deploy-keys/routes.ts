import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { loadAdministered } from '../repository/routes.ts'
import { addDeployKey } from './add.ts'
import { presentDeployKey, presentWithRepository, readNewDeployKey } from './present.ts'
import { deployKeysOf, removeDeployKey } from './manage.ts'
import { findDeployKey } from './queries.ts'
import {
  CreateDeployKeyOption,
  repoCreateKey,
  repoDeleteKey,
  repoGetKey,
  repoListKeys,
} from './schema.ts'

export function deployKeyRoutes(api: Api, ctx: Context): void {
  const { config } = ctx
  const keys = '/repos/:owner/:repo/keys'

  api.get(keys, repoListKeys, async (call) => {
    const view = await loadAdministered(ctx, call)
    const filter = {
      fingerprint: call.query.text('fingerprint') || undefined,
      keyId: call.query.integer('key_id') || undefined,
    }
    const found = await deployKeysOf(ctx, view.repo, filter, call.page)
    return call.list(found, (key) => presentWithRepository(config, view, key), { links: false })
  })

  api.post(keys, repoCreateKey, async (call) => {
    const view = await loadAdministered(ctx, call)
    const body = await call.body(CreateDeployKeyOption)
    const key = await addDeployKey(ctx, view.repo, readNewDeployKey(body))
    return created(presentDeployKey(config, view, key))
  })

  api.get(`${keys}/:id`, repoGetKey, async (call) => {
    const view = await loadAdministered(ctx, call)
    const key = await findDeployKey(ctx.db, view.repo.id, call.id('id'))
    if (!key) throw notFound()
    return ok(presentWithRepository(config, view, key))
  })

  api.delete(`${keys}/:id`, repoDeleteKey, async (call) => {
    const view = await loadAdministered(ctx, call)
    await removeDeployKey(ctx, view.repo, call.id('id'))
    return noContent()
  })
}
