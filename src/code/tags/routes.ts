import { linksOf } from '../commits/present.ts'
import type { Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { loadCode, loadWritableCode } from '../../repositories/repository/routes.ts'
import { presentTag } from './present.ts'
import {
  CreateTagOption,
  repoCreateTag,
  repoDeleteTag,
  repoGetTag,
  repoListTags,
} from './schema.ts'
import { createTag, deleteTag, listTags, loadTag } from './tags.ts'

export function tagRoutes(api: Api, ctx: Context): void {
  const all = '/repos/:owner/:repo/tags'
  const one = `${all}/*tag`

  api.get(all, repoListTags, async (call) => {
    const view = await loadCode(ctx, call)
    const links = linksOf(ctx.config, view)
    return call.list(await listTags(ctx, view.repo, call.page), (tag) =>
      presentTag(links, tag, call.page.limit),
    )
  })

  api.get(one, repoGetTag, async (call) => {
    const view = await loadCode(ctx, call)
    return ok(presentTag(linksOf(ctx.config, view), await loadTag(ctx, view.repo, call.rest)))
  })

  api.post(all, repoCreateTag, async (call) => {
    const view = await loadWritableCode(ctx, call)
    const body = await call.body(CreateTagOption)
    await createTag(ctx, call.signedIn(), view, {
      name: body.tag_name,
      message: body.message ?? '',
      target: body.target ?? '',
    })
    return created(
      presentTag(linksOf(ctx.config, view), await loadTag(ctx, view.repo, body.tag_name)),
    )
  })

  api.delete(one, repoDeleteTag, async (call) => {
    const view = await loadWritableCode(ctx, call)
    await deleteTag(ctx, call.signedIn(), view, call.rest)
    return noContent()
  })
}
