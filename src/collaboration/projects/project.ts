import type { Row } from '../../platform/db/schema.ts'

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

/** Where boards are: in a repository, or with an account for all of its repositories. */
export interface Place {
  readonly kind: 'repository' | 'account'
  readonly id: number
}

/** A board. */
export interface Project {
  readonly id: number
  readonly place: Place
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
    place: placeOf(row),
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

function placeOf({ repository_id, owner_id }: Row<'project'>): Place {
  if (repository_id !== null) return { kind: 'repository', id: repository_id }
  if (owner_id !== null) return { kind: 'account', id: owner_id }
  throw new Error('a project is in no place')
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.kind === other.kind && one.id === other.id
}
