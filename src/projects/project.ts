import type { Row } from '../db/schema.ts'

export const cardTypes = ['text_only', 'images_and_text'] as const
export type CardType = (typeof cardTypes)[number]

/** The columns that a new project gets after the one where everything begins. */
export const templates = {
  none: [],
  basic_kanban: ['To Do', 'In Progress', 'Done'],
  bug_triage: ['Needs Triage', 'High Priority', 'Low Priority', 'Closed'],
} as const
export type Template = keyof typeof templates
export const templateNames = Object.keys(templates) as Template[]

export const FIRST_COLUMN = 'Backlog'

/** A board of a repository. */
export interface Project {
  readonly id: number
  readonly repositoryId: number
  /** Absent when the account is gone. */
  readonly creatorId: number | undefined
  readonly title: string
  readonly description: string
  readonly template: Template
  readonly cardType: CardType
  readonly isClosed: boolean
  readonly closedAt: number
  readonly createdAt: number
  readonly updatedAt: number
}

export function toProject(row: Row<'project'>): Project {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    creatorId: row.creator_id ?? undefined,
    title: row.title,
    description: row.description,
    template: row.template as Template,
    cardType: row.card_type as CardType,
    isClosed: row.is_closed === 1,
    closedAt: row.closed_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
