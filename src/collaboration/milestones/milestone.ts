import type { Row } from '../../platform/db/schema.ts'

export interface Milestone {
  readonly id: number
  readonly repositoryId: number
  readonly title: string
  readonly description: string
  readonly isClosed: boolean
  readonly openIssuesCount: number
  readonly closedIssuesCount: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly closedAt: number
  /** 0: none. */
  readonly dueAt: number
}

export function toMilestone(row: Row<'milestone'>): Milestone {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    title: row.title,
    description: row.description,
    isClosed: row.is_closed === 1,
    openIssuesCount: row.open_issues_count,
    closedIssuesCount: row.closed_issues_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
    dueAt: row.due_at,
  }
}
