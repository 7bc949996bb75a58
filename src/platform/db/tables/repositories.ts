import type { Generated } from 'kysely'
import type { AccessLevel, Flag, ObjectFormat } from '../columns.ts'

/** Repositories and what hangs on them as a whole. */
export interface RepositoryTables {
  repository: RepositoryTable
  repository_tally: RepositoryTallyTable
  repository_redirect: RepositoryRedirectTable
  reserved_name: ReservedNameTable
  repository_unit: RepositoryUnitTable
  collaboration: CollaborationTable
  star: StarTable
  watch: WatchTable
  topic: TopicTable
  repository_topic: RepositoryTopicTable
  repository_transfer: RepositoryTransferTable
  repository_removal: RepositoryRemovalTable
  repository_language: RepositoryLanguageTable
  repository_language_total: RepositoryLanguageTotalTable
  repository_archive: RepositoryArchiveTable
  deploy_key: DeployKeyTable
  deploy_key_identity: DeployKeyIdentityTable
}

interface RepositoryTable {
  id: Generated<number>
  owner_id: number
  name: string
  lower_name: string
  /** Random name of its directory: made and filled before there is a row, never changed. */
  folder: string
  description: Generated<string>
  /** For searching: SQLite's own lower() knows ASCII only. */
  lower_description: Generated<string>
  website: Generated<string>
  original_url: Generated<string>
  default_branch: string
  object_format: Generated<ObjectFormat>
  trust_model: Generated<string>
  is_private: Generated<Flag>
  is_empty: Generated<Flag>
  is_template: Generated<Flag>
  is_mirror: Generated<Flag>
  is_archived: Generated<Flag>
  archived_at: Generated<number>
  fork_of: number | null
  is_fork: Generated<Flag>
  /** In bytes. */
  git_size: Generated<number>
  /** How often `git_size` was written, and `branch_count`. */
  size_version: Generated<number>
  branch_version: Generated<number>
  lfs_size: Generated<number>
  language: Generated<string>
  /** JSON list of identifiers. */
  licenses: Generated<string>
  avatar: Generated<string>
  stars_count: Generated<number>
  forks_count: Generated<number>
  watchers_count: Generated<number>
  branch_count: Generated<number>
  open_issues_count: Generated<number>
  open_pulls_count: Generated<number>
  releases_count: Generated<number>
  /** Of the newest issue or pull request: no number is given twice, deleted ones included. */
  last_issue_number: Generated<number>
  created_at: number
  updated_at: number
  /**
   * Who sees it; kept by the database: 0 everybody, 1 the signed-in, 2 those who know its owner, 3
   * it is private.
   */
  reach: Generated<number>
  /** In lower case; kept by the database. */
  owner_name: Generated<string>
}

/** Repositories by reach, in slots that are added up. */
interface RepositoryTallyTable {
  reach: number
  slot: number
  repositories: number
}

interface RepositoryRedirectTable {
  owner_id: number
  lower_name: string
  repository_id: number
}

interface ReservedNameTable {
  lower_name: string
  /** Who may have it back. */
  account_id: number | null
  reserved_until: number
}

interface RepositoryUnitTable {
  repository_id: number
  unit: string
  /** JSON, by the kind of unit. */
  settings: Generated<string>
}

interface CollaborationTable {
  repository_id: number
  account_id: number
  access: AccessLevel
  created_at: number
}

interface StarTable {
  id: Generated<number>
  repository_id: number
  account_id: number
  created_at: number
}

interface WatchTable {
  id: Generated<number>
  repository_id: number
  account_id: number
  created_at: number
}

interface TopicTable {
  id: Generated<number>
  name: string
  repo_count: Generated<number>
  created_at: number
  updated_at: number
}

interface RepositoryTopicTable {
  repository_id: number
  topic_id: number
}

interface RepositoryTransferTable {
  repository_id: number
  offered_by_id: number
  recipient_id: number
  /** JSON list. */
  team_ids: Generated<string>
  /** The recipient reads the repository only because of the offer. */
  granted_read: Generated<Flag>
  created_at: number
}

/** A repository that is to be deleted with all that its owner had when it was asked for. */
interface RepositoryRemovalTable {
  repository_id: number
  /** At that time: what somebody else owns by now stays. */
  owner_id: number
}

interface RepositoryLanguageTable {
  repository_id: number
  language: string
  bytes: number
}

interface RepositoryLanguageTotalTable {
  repository_id: number
  tree_id: string
  rules: string
  /** JSON object: bytes by language. */
  totals: string
}

interface RepositoryArchiveTable {
  id: Generated<number>
  repository_id: number
  commit_id: string
  format: string
  prefix: string
  /** Names its file. */
  uuid: string
  size: number
  sha256: string
  created_at: number
  used_at: number
}

interface DeployKeyTable {
  id: Generated<number>
  repository_id: number
  title: string
  content: string
  fingerprint: string
  read_only: Generated<Flag>
  created_at: number
  last_used_at: Generated<number>
}

/** The number of a key that serves as a deploy key, whichever repositories have it. */
interface DeployKeyIdentityTable {
  id: Generated<number>
  fingerprint: string
}
