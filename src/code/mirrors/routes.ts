import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import { loadAdministered, loadWritableCode } from '../../repositories/repository/routes.ts'
import { asOwner, viewRepository } from '../../repositories/repository/view.ts'
import { migrateRepository } from './migrate.ts'
import { loadNewOwner } from './owner.ts'
import { presentPushMirror, readMigration, readNewPushMirror } from './present.ts'
import { addPushMirror, pushMirrorsOf, removePushMirror } from './push-mirrors.ts'
import { findPushMirrorByName } from './push-queries.ts'
import { syncAllNow } from './push-sync.ts'
import { queueSync } from './queue.ts'
import {
  CreatePushMirrorOption,
  MigrateRepoOptions,
  repoAddPushMirror,
  repoDeletePushMirror,
  repoGetPushMirrorByRemoteName,
  repoListPushMirrors,
  repoMigrate,
  repoMirrorSync,
  repoPushMirrorSync,
} from './schema.ts'

export function mirrorRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  api.post('/repos/migrate', repoMigrate, async (call) => {
    const caller = call.signedIn()
    const body = await call.body(MigrateRepoOptions)
    const wanted = { name: body.repo_owner ?? '', id: body.uid ?? 0 }
    const owner = await loadNewOwner(ctx, caller, wanted)
    const repo = await migrateRepository(ctx, caller, owner, readMigration(config, body), call.gone)
    return created(presentRepository(config, asOwner(await viewRepository(ctx, caller, repo))))
  })

  api.post('/repos/:owner/:repo/mirror-sync', repoMirrorSync, async (call) => {
    const { repo } = await loadWritableCode(ctx, call)
    await queueSync(ctx, repo)
    return { status: 200 }
  })
}

export function pushMirrorRoutes(api: Api, ctx: Context): void {
  const mirrors = '/repos/:owner/:repo/push_mirrors'

  api.get(mirrors, repoListPushMirrors, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    const found = await pushMirrorsOf(ctx, repo, call.page)
    return call.list(found, (mirror) => presentPushMirror(repo, mirror))
  })

  api.post(mirrors, repoAddPushMirror, async (call) => {
    const view = await loadAdministered(ctx, call)
    assertNotArchived(view)
    const body = await call.body(CreatePushMirrorOption)
    const mirror = await addPushMirror(ctx, view.repo, readNewPushMirror(body))
    return ok(presentPushMirror(view.repo, mirror))
  })

  api.get(`${mirrors}/:name`, repoGetPushMirrorByRemoteName, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    const mirror = await findPushMirrorByName(ctx.db, repo.id, call.param('name'))
    if (!mirror) throw notFound()
    return ok(presentPushMirror(repo, mirror))
  })

  api.delete(`${mirrors}/:name`, repoDeletePushMirror, async (call) => {
    const view = await loadAdministered(ctx, call)
    assertNotArchived(view)
    await removePushMirror(ctx, view.repo, call.param('name'))
    return noContent()
  })

  api.post('/repos/:owner/:repo/push_mirrors-sync', repoPushMirrorSync, async (call) => {
    const view = await loadAdministered(ctx, call)
    assertNotArchived(view)
    await syncAllNow(ctx, view.repo, call.gone)
    return { status: 200 }
  })
}
