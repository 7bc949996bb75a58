import type { Executor } from '../../platform/db/database.ts'
import { copyLabelRows } from './queries.ts'

/** The labels of one repository for another. */
export async function copyLabels(tx: Executor, fromId: number, toId: number): Promise<void> {
  await copyLabelRows(tx, fromId, toId)
}
