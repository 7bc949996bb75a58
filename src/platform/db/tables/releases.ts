import type { Generated } from 'kysely'
import type { Flag } from '../columns.ts'

/** Releases, attachments, and uploads on their way. */
export interface ReleaseTables {
  release: ReleaseTable
  attachment: AttachmentTable
  upload: UploadTable
}

interface ReleaseTable {
  id: Generated<number>
  repository_id: number
  /** Gone with the account. */
  author_id: number | null
  tag_name: string
  lower_tag_name: string
  /** What the tag is made at; as it was sent. */
  target: Generated<string>
  title: Generated<string>
  note: Generated<string>
  is_draft: Generated<Flag>
  is_prerelease: Generated<Flag>
  /** A release was deleted here and left its tag: the number stays with the tag. */
  is_tag: Generated<Flag>
  /** Of the tagged commit; of a draft, when it was saved. */
  created_at: number
  /** 0: not published. */
  published_at: Generated<number>
  updated_at: number
}

interface AttachmentTable {
  id: Generated<number>
  /** Random: names the stored file too. */
  uuid: string
  repository_id: number
  issue_id: number | null
  comment_id: number | null
  release_id: number | null
  uploader_id: number | null
  name: string
  size: number
  sha256: string
  /** As a browser is told, found out from the first bytes. */
  media_type: string
  download_count: Generated<number>
  created_at: number
  updated_at: number
}

/** A release attachment that arrives in parts. */
interface UploadTable {
  uuid: string
  repository_id: number
  release_id: number
  account_id: number
  name: string
  /** As the client says; empty when it does not. */
  sha256: Generated<string>
  /** As the client says. */
  length: number | null
  received: Generated<number>
  /** JSON list of the names of stored files. */
  parts: Generated<string>
  expires_at: number
}
