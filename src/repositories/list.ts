import type { Context } from '../context.ts'
import type { Answer } from '../http/answer.ts'
import type { Call } from '../http/call.ts'
import { presentRepository } from './present.ts'
import { listRepositories, type ListFilter } from './queries.ts'
import type { RepositoryBody } from './schema.ts'
import { viewRepositories } from './view.ts'
import { isVisibleRepository } from './visibility.ts'

/** A page of the repositories that `filter` leaves over, among those that the caller may see unless it says otherwise. */
export async function listOf(
  ctx: Context,
  call: Call,
  filter: Omit<ListFilter, 'visible'> & Partial<Pick<ListFilter, 'visible'>>,
): Promise<Answer<RepositoryBody[]>> {
  const visible = isVisibleRepository(ctx.config, call.caller)
  const found = await listRepositories(ctx.db, { visible, ...filter }, call.page)
  const views = await viewRepositories(ctx, call.caller, found.items)
  const body = views.map((view) => presentRepository(ctx.config, view, { language: true }))
  return call.listOf(found, body)
}
