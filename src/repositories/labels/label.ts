import type { Row } from '../../platform/db/schema.ts'

export interface Label {
  readonly id: number
  readonly name: string
  readonly color: string
  readonly description: string
  readonly isExclusive: boolean
  readonly isArchived: boolean
  /** Of the organization that owns the repository, not of the repository. */
  readonly isOfOrganization: boolean
}

export function toLabel(row: Row<'label'>): Label {
  return {
    id: row.id,
    name: row.name,
    color: row.color,
    description: row.description,
    isExclusive: row.exclusive === 1,
    isArchived: row.is_archived === 1,
    isOfOrganization: row.org_id !== null,
  }
}

/**
 * Of `priority/high` it is `priority`: an issue has one of these at a time, where the label is
 * exclusive.
 */
export function scopeOf({ name, isExclusive }: Label): string | undefined {
  const end = name.lastIndexOf('/')
  return isExclusive && end > 0 && end < name.length - 1 ? name.slice(0, end) : undefined
}
