import type { Context } from '../../platform/context.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { findLanguages, type LanguageCount } from './queries.ts'

/** Most bytes first. */
export async function loadLanguages(
  ctx: Context,
  { id }: Repository,
): Promise<readonly LanguageCount[]> {
  return findLanguages(ctx.db, id)
}
