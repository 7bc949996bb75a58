import pino from 'pino'
import { closeContext, openContext } from '../../src/server/open-context.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { anonymous } from '../../src/platform/context.ts'
import { Query } from '../../src/platform/http/query.ts'
import { search } from '../../src/repositories/search/search.ts'
import { readWanted } from '../../src/repositories/search/wanted.ts'

const PER_PAGE = 30

/**
 * The cursor at which `page` begins in each descending order, of those orders that have as many
 * pages.
 */
export async function findCursors(
  config: Config,
  sorts: readonly string[],
  page: number,
): Promise<ReadonlyMap<string, string>> {
  const ctx = await openContext(config, pino({ level: 'silent' }))
  const cursors = new Map<string, string>()
  try {
    for (const sort of sorts) {
      const wanted = readWanted(new Query({ sort, order: 'desc' }))
      const before = { number: 1, limit: PER_PAGE * (page - 1), offset: 0, cursor: '' }
      const { cursor } = await search(ctx, anonymous, wanted, before)
      if (cursor?.next !== undefined) cursors.set(sort, cursor.next)
    }
  } finally {
    await closeContext(ctx)
  }
  return cursors
}
