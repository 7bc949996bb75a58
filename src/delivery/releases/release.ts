import type { Row } from '../../platform/db/schema.ts'

export interface Release {
  readonly id: number
  readonly repositoryId: number
  readonly authorId: number | undefined
  readonly tagName: string
  readonly target: string
  readonly title: string
  readonly note: string
  readonly isDraft: boolean
  readonly isPrerelease: boolean
  /** A tag whose release was deleted: not shown as a release. */
  readonly isTag: boolean
  readonly createdAt: number
  /** Absent for drafts. */
  readonly publishedAt: number | undefined
  readonly updatedAt: number
}

export function toRelease(row: Row<'release'>): Release {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    authorId: row.author_id ?? undefined,
    tagName: row.tag_name,
    target: row.target,
    title: row.title,
    note: row.note,
    isDraft: row.is_draft === 1,
    isPrerelease: row.is_prerelease === 1,
    isTag: row.is_tag === 1,
    createdAt: row.created_at,
    publishedAt: row.published_at === 0 ? undefined : row.published_at,
    updatedAt: row.updated_at,
  }
}
