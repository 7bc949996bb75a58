import type { Row } from '../../platform/db/schema.ts'

/** More do not fit on a screen. */
export const MAX_COLUMNS = 20

export interface Column {
  readonly id: number
  readonly projectId: number
  /** Absent when the account is gone. */
  readonly creatorId: number | undefined
  readonly title: string
  /** Empty: none. */
  readonly color: string
  /** Where what is put on the board comes first. */
  readonly isDefault: boolean
  readonly sorting: number
  readonly createdAt: number
  readonly updatedAt: number
}

export function toColumn(row: Row<'project_column'>): Column {
  return {
    id: row.id,
    projectId: row.project_id,
    creatorId: row.creator_id ?? undefined,
    title: row.title,
    color: row.color,
    isDefault: row.is_default === 1,
    sorting: row.sorting,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
