import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { listKeptRefs, type Ref } from '../../platform/git/list-refs.ts'
import { isRefName } from '../../platform/git/ref-name.ts'
import { ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Query } from '../../platform/http/query.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { loadCode } from '../../repositories/repository/routes.ts'
import { presentAnnotatedTag, presentBlob, presentReference, presentTree } from './git-present.ts'
import {
  GetAnnotatedTag,
  GetBlob,
  GetTree,
  repoListAllGitRefs,
  repoListGitRefs,
} from './git-schema.ts'
import { linksOf } from './present.ts'
import { loadBlob, loadTagObject, loadTree, type TreeOptions } from './tree.ts'
import { verifyTag } from './verification.ts'

/** Git's own objects and references. */
export function gitRoutes(api: Api, ctx: Context): void {
  const { config } = ctx
  const root = '/repos/:owner/:repo/git'

  api.get(`${root}/trees/:sha`, GetTree, async (call) => {
    const view = await loadCode(ctx, call)
    const options = readTreeOptions(call.query, config.api.default_git_trees_per_page)
    const tree = await loadTree(ctx, view.repo, call.param('sha'), options)
    return ok(presentTree(linksOf(config, view), tree), {
      'x-total-count': String(tree.total),
      'access-control-expose-headers': 'X-Total-Count',
    })
  })

  api.get(`${root}/blobs/:sha`, GetBlob, async (call) => {
    const view = await loadCode(ctx, call)
    const { default_max_blob_size } = config.api
    const blob = await loadBlob(ctx, view.repo, call.param('sha'), default_max_blob_size)
    return ok(presentBlob(linksOf(config, view), blob))
  })

  api.get(`${root}/refs`, repoListAllGitRefs, async (call) => {
    const view = await loadCode(ctx, call)
    const refs = await listPublicRefs(ctx, view.repo, '')
    return ok(refs.map((ref) => presentReference(linksOf(config, view), ref)))
  })

  api.get(`${root}/refs/*ref`, repoListGitRefs, async (call) => {
    const view = await loadCode(ctx, call)
    const refs = await listPublicRefs(ctx, view.repo, call.rest)
    if (refs.length === 0) throw notFound()
    return ok(refs.map((ref) => presentReference(linksOf(config, view), ref)))
  })

  api.get(`${root}/tags/:sha`, GetAnnotatedTag, async (call) => {
    const view = await loadCode(ctx, call)
    const tag = await loadTagObject(ctx, view.repo, call.param('sha'))
    return ok(
      presentAnnotatedTag(linksOf(config, view), tag, await verifyTag(ctx, call.caller, tag)),
    )
  })
}

/**
 * Those that a clone would be offered, as far as they begin with `prefix`: `heads/re` finds
 * `heads/release`.
 */
async function listPublicRefs(
  ctx: Context,
  repo: Repository,
  prefix: string,
): Promise<readonly Ref[]> {
  const above = prefix.slice(0, Math.max(0, prefix.lastIndexOf('/')))
  // A pattern of for-each-ref: none of its special characters passes as the name of a reference.
  const within = isRefName(above) ? `refs/${above}` : 'refs'
  const refs = await listKeptRefs(ctx.git, folderOf(ctx, repo), within)
  return refs.filter(
    ({ name }) =>
      name.startsWith(`refs/${prefix}`) && /^refs\/(?:heads|tags|pull|notes)\//.test(name),
  )
}

function readTreeOptions(query: Query, maxLimit: number): TreeOptions {
  const asked = query.integer('per_page') || query.integer('limit')
  return {
    recursive: query.boolean('recursive'),
    number: Math.min(Math.max(1, query.integer('page')), 1_000_000),
    limit: asked > 0 ? Math.min(asked, maxLimit) : maxLimit,
  }
}
