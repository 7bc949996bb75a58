import { sql } from 'kysely'
import type { Executor } from '../../src/platform/db/database.ts'
import { testDialect } from './databases.ts'

/**
 * Until `request` waits for what a transaction has, or is answered after all. SQLite has one writer
 * anyway.
 */
export async function untilItWaits(db: Executor, request: Promise<unknown>): Promise<void> {
  if (testDialect === 'sqlite') return
  const state = { answered: false }
  const settle = () => (state.answered = true)
  request.then(settle, settle)
  for (let waiting = 0; waiting === 0 && !state.answered;) {
    const { rows } = await sql<{ waiting: number }>`
      SELECT count(*) AS waiting FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`.execute(db)
    waiting = rows[0]?.waiting ?? 0
  }
}
