import type { Context } from '../../platform/context.ts'
import type { PageOf } from '../../platform/db/page.ts'
import type { Answer } from '../../platform/http/answer.ts'
import type { Call } from '../../platform/http/call.ts'
import { listSeen, type SeenFilter } from './list-seen.ts'
import { presentRepository } from './present.ts'
import type { RepositoryBody } from './schema.ts'
import type { RepositoryView } from './view.ts'

/** A page of repositories for the caller. */
export async function listOf(
  ctx: Context,
  call: Call,
  filter: SeenFilter,
): Promise<Answer<RepositoryBody[]>> {
  return presentList(ctx, call, await listSeen(ctx, call.caller, filter, call.page))
}

export function presentList(
  ctx: Context,
  call: Call,
  found: PageOf<RepositoryView>,
): Answer<RepositoryBody[]> {
  return call.list(found, (view) => presentRepository(ctx.config, view, { language: true }))
}
