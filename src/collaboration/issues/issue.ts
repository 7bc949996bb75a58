import type { Row } from '../../platform/db/schema.ts'
import { invalidField } from '../../platform/errors.ts'
import { cutToColumns } from './columns.ts'

/** A repository as an issue names it. */
export interface Home {
  readonly id: number
  readonly name: string
  readonly ownerName: string
}

/** An issue, or what a pull request shares with one. */
export interface Issue {
  readonly id: number
  readonly repositoryId: number
  /** Counted in its repository. */
  readonly number: number
  readonly isPull: boolean
  /** Absent when the account is gone. */
  readonly authorId: number | undefined
  readonly title: string
  readonly body: string
  readonly ref: string
  readonly milestoneId: number | undefined
  readonly isClosed: boolean
  readonly closedAt: number
  /** 0: none. */
  readonly dueAt: number
  readonly isLocked: boolean
  readonly commentsCount: number
  readonly timeEstimate: number
  /** 0: not pinned. */
  readonly pinOrder: number
  readonly contentVersion: number
  readonly createdAt: number
  readonly updatedAt: number
}

export function toIssue(row: Omit<Row<'issue'>, 'lower_text' | 'lock_reason'>): Issue {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    number: row.number,
    isPull: row.is_pull === 1,
    authorId: row.author_id ?? undefined,
    title: row.title,
    body: row.body,
    ref: row.ref,
    milestoneId: row.milestone_id ?? undefined,
    isClosed: row.is_closed === 1,
    closedAt: row.closed_at,
    dueAt: row.due_at,
    isLocked: row.is_locked === 1,
    commentsCount: row.comments_count,
    timeEstimate: row.time_estimate,
    pinOrder: row.pin_order,
    contentVersion: row.content_version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const MAX_TITLE_BYTES = 255

/** A title as it is kept. */
export function readTitle(text: string): string {
  const title = text.trim()
  if (title === '') throw invalidField('Title', 'Required')
  if (Buffer.byteLength(title) <= MAX_TITLE_BYTES) return title
  return cutToColumns(title, MAX_TITLE_BYTES)
}

export function searchText(title: string, body: string): string {
  return `${title}\n${body}`.toLowerCase()
}
