import { CompiledQuery, PostgresAdapter } from 'kysely'
import type { Executor } from './database.ts'

/**
 * A statement written out, for what nearly every request runs: building it anew each time would cost more than
 * running it. Parameters are `?`, as SQLite has them.
 */
export function statement<Row>(
  text: string,
): (db: Executor, ...parameters: readonly unknown[]) => Promise<readonly Row[]> {
  let count = 0
  const numbered = text.replace(/\?/g, () => `$${++count}`)
  return async (db, ...parameters) => {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    const query = CompiledQuery.raw(isPostgres ? numbered : text, [...parameters])
    const { rows } = await db.executeQuery<Row>(query)
    return rows
  }
}
