import type { Generated } from 'kysely'

/** What is kept about commits and files beside git. */
export interface CodeTables {
  branch_protection: BranchProtectionTable
  tag_protection: TagProtectionTable
  commit_status: CommitStatusTable
  lfs_file: LfsFileTable
  lfs_object: LfsObjectTable
  lfs_lock: LfsLockTable
}

interface BranchProtectionTable {
  id: Generated<number>
  repository_id: number
  /** Of a branch, or a glob. */
  name: string
  priority: number
  /** JSON; people and teams by id. */
  settings: Generated<string>
  created_at: number
  updated_at: number
}

interface TagProtectionTable {
  id: Generated<number>
  repository_id: number
  pattern: string
  /** JSON list. */
  account_ids: Generated<string>
  /** JSON list. */
  team_ids: Generated<string>
  created_at: number
  updated_at: number
}

interface CommitStatusTable {
  id: Generated<number>
  repository_id: number
  commit_id: string
  /** Counted up for each commit: what the API calls the id. */
  number: number
  state: string
  context: Generated<string>
  target_url: Generated<string>
  description: Generated<string>
  creator_id: number | null
  created_at: number
  updated_at: number
}

/** Bytes of Git LFS, stored once however many repositories have them. */
interface LfsFileTable {
  /** SHA-256 of the bytes, in hexadecimal. */
  oid: string
  size: number
  /** Name of the stored file. */
  uuid: string
  created_at: number
}

/** That a repository has these bytes: nobody else gets them by knowing their name. */
interface LfsObjectTable {
  repository_id: number
  oid: string
  size: number
  created_at: number
}

interface LfsLockTable {
  id: Generated<number>
  repository_id: number
  account_id: number
  path: string
  locked_at: number
}
