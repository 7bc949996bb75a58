import type { Row } from '../../platform/db/schema.ts'

/** A release attachment that arrives in parts, over more than one connection if need be. */
export interface ResumableUpload {
  readonly uuid: string
  readonly repositoryId: number
  readonly releaseId: number
  readonly accountId: number
  readonly name: string
  /** As the client says, if it does. */
  readonly sha256: string | undefined
  readonly length: number | undefined
  readonly received: number
  /** Keys of the storage, in order. */
  readonly parts: readonly string[]
  readonly expiresAt: number
}

export function toUpload(row: Row<'upload'>): ResumableUpload {
  return {
    uuid: row.uuid,
    repositoryId: row.repository_id,
    releaseId: row.release_id,
    accountId: row.account_id,
    name: row.name,
    sha256: row.sha256 || undefined,
    length: row.length ?? undefined,
    received: row.received,
    parts: JSON.parse(row.parts) as string[],
    expiresAt: row.expires_at,
  }
}
