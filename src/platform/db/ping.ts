import { sql } from 'kysely'
import type { Executor } from './database.ts'

/** Whether the database answers, within a time after which nobody would wait for it. */
export async function isAnswering(db: Executor, withinMs: number): Promise<boolean> {
  const { promise: tooLate, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), withinMs)
  const answer = sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
