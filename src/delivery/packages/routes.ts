import type { Context } from '../../platform/context.ts'
import type { PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import { noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadVisible } from '../../repositories/repository/load.ts'
import type { Account } from '../../identity/users/account.ts'
import { assertPublishesFor, loadPublisher } from './access.ts'
import type { PackageVersion } from './package.ts'
import {
  filesOf,
  linkPackage,
  listAllVersions,
  listVersions,
  loadVersion,
  removePackage,
  removeVersion,
} from './packages.ts'
import { presentPackage, presentPackageFile } from './present.ts'
import type { VersionFilter } from './queries.ts'
import * as endpoints from './schema.ts'
import { viewPackages } from './view.ts'

export function packageRoutes(api: Api, ctx: Context): void {
  const owner = '/packages/:owner'
  const name = `${owner}/:type/:name`
  const version = `${name}/:version`

  api.get('/admin/packages', endpoints.adminListPackages, async (call) =>
    listed(ctx, call, await listAllVersions(ctx, call.caller, filtersOf(call), call.page)),
  )

  api.get(owner, endpoints.listPackages, async (call) => {
    const { id } = await loadPublisher(ctx, call.caller, call.param('owner'))
    return listOf(ctx, call, { ownerId: id, ...filtersOf(call) })
  })

  api.get(name, endpoints.listPackageVersions, async (call) => {
    const { type, name: named, ownerId } = await loadOfPath(ctx, call)
    return listOf(ctx, call, { ownerId, type, name: named })
  })

  api.delete(name, endpoints.deletePackage, async (call) => {
    const found = await loadToChange(ctx, call)
    await removePackage(ctx, call.signedIn(), found)
    return noContent()
  })

  api.get(`${name}/-/latest`, endpoints.getLatestPackageVersion, async (call) =>
    ok(await present(ctx, call, await loadOfPath(ctx, call))),
  )

  api.post(`${name}/-/link/:repo`, endpoints.linkPackage, async (call) => {
    const found = await loadToChange(ctx, call)
    const path = { owner: call.param('owner'), repo: call.param('repo') }
    const { repo } = await loadVisible(ctx, call.caller, path)
    await linkPackage(ctx, found, repo)
    return { status: 201 as const }
  })

  api.post(`${name}/-/unlink`, endpoints.unlinkPackage, async (call) => {
    await linkPackage(ctx, await loadToChange(ctx, call), undefined)
    return { status: 201 as const }
  })

  api.get(version, endpoints.getPackage, async (call) =>
    ok(await present(ctx, call, await loadOfPath(ctx, call, call.param('version')))),
  )

  api.delete(version, endpoints.deletePackageVersion, async (call) => {
    const found = await loadToChange(ctx, call, call.param('version'))
    await removeVersion(ctx, call.signedIn(), found)
    return noContent()
  })

  api.get(`${version}/files`, endpoints.listPackageFiles, async (call) => {
    const files = await filesOf(ctx, await loadOfPath(ctx, call, call.param('version')))
    return ok(files.map(presentPackageFile))
  })
}

function filtersOf({ query }: Call): VersionFilter {
  return { type: query.text('type') || undefined, keyword: query.text('q') || undefined }
}

async function loadOfPath(ctx: Context, call: Call, version?: string): Promise<PackageVersion> {
  const owner = await loadPublisher(ctx, call.caller, call.param('owner'))
  return loadNamed(ctx, call, owner, version)
}

async function loadToChange(ctx: Context, call: Call, version?: string): Promise<PackageVersion> {
  const owner = await loadPublisher(ctx, call.caller, call.param('owner'))
  await assertPublishesFor(ctx, call.signedIn(), owner)
  return loadNamed(ctx, call, owner, version)
}

async function loadNamed(
  ctx: Context,
  call: Call,
  { id }: Account,
  version?: string,
): Promise<PackageVersion> {
  const path = { ownerId: id, type: call.param('type'), name: call.param('name') }
  return loadVersion(ctx, path, version)
}

async function present(ctx: Context, { caller }: Call, version: PackageVersion) {
  const [view] = await viewPackages(ctx, caller, [version])
  // Its owner has been deleted meanwhile, and it with them.
  if (!view) throw notFound()
  return presentPackage(ctx.config, caller, view)
}

async function listOf(ctx: Context, call: Call, filter: VersionFilter) {
  return listed(ctx, call, await listVersions(ctx, filter, call.page))
}

async function listed(ctx: Context, call: Call, found: PageOf<PackageVersion>) {
  const views = await viewPackages(ctx, call.caller, found.items)
  return call.listOf(
    found,
    views.map((view) => presentPackage(ctx.config, call.caller, view)),
  )
}
