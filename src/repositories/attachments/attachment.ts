import type { Row } from '../../platform/db/schema.ts'

export interface Attachment {
  readonly id: number
  /** Random; addresses the file. */
  readonly uuid: string
  readonly repositoryId: number
  readonly issueId: number | undefined
  readonly commentId: number | undefined
  readonly releaseId: number | undefined
  readonly uploaderId: number | undefined
  readonly name: string
  readonly size: number
  readonly sha256: string
  readonly mediaType: string
  readonly downloadCount: number
  readonly createdAt: number
  readonly updatedAt: number
}

export function toAttachment(row: Row<'attachment'>): Attachment {
  return {
    id: row.id,
    uuid: row.uuid,
    repositoryId: row.repository_id,
    issueId: row.issue_id ?? undefined,
    commentId: row.comment_id ?? undefined,
    releaseId: row.release_id ?? undefined,
    uploaderId: row.uploader_id ?? undefined,
    name: row.name,
    size: row.size,
    sha256: row.sha256,
    mediaType: row.media_type,
    downloadCount: row.download_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
