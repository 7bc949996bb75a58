import { loadConfig } from '../../src/platform/config/config.ts'
import { withDatabase } from '../../src/platform/db/database.ts'
import type { Machine } from './terminal.ts'

/** Nothing is swept on the first day of a database. */
export async function endFirstDay({ environment }: Machine): Promise<void> {
  await withDatabase(loadConfig(environment), async (db) => {
    await db.updateTable('database_identity').set({ sweeps_from: 0 }).execute()
  })
}
