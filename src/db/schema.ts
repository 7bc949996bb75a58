import type { Generated, Insertable, Selectable, Updateable } from 'kysely'

/** Booleans are 0 or 1, times are whole seconds since 1970, on both databases. */
export type Flag = 0 | 1

export type Visibility = 'public' | 'limited' | 'private'
export type AccountKind = 'person' | 'organization'
export type AccessLevel = 'none' | 'read' | 'write' | 'admin' | 'owner'

export interface AccountTable {
  id: Generated<number>
  kind: AccountKind
  name: string
  lower_name: string
  full_name: Generated<string>
  /** For searching: SQLite's own lower() knows ASCII only. */
  lower_full_name: Generated<string>
  /** A person's primary address; an organization's contact address. */
  email: Generated<string>
  password_hash: Generated<string>
  visibility: Generated<Visibility>
  is_active: Generated<Flag>
  is_admin: Generated<Flag>
  is_restricted: Generated<Flag>
  prohibit_login: Generated<Flag>
  must_change_password: Generated<Flag>
  description: Generated<string>
  website: Generated<string>
  location: Generated<string>
  language: Generated<string>
  theme: Generated<string>
  diff_view_style: Generated<string>
  hide_email: Generated<Flag>
  hide_activity: Generated<Flag>
  login_name: Generated<string>
  source_id: Generated<number>
  /** -1: what the server's settings say. */
  max_repo_creation: Generated<number>
  allow_create_organization: Generated<Flag>
  allow_git_hook: Generated<Flag>
  allow_import_local: Generated<Flag>
  repo_admin_change_team_access: Generated<Flag>
  followers_count: Generated<number>
  following_count: Generated<number>
  starred_repos_count: Generated<number>
  /** Sealed; empty while there is no second factor. */
  totp_secret: Generated<string>
  /** Name of its stored picture; empty when there is none. */
  avatar: Generated<string>
  /** The last time step whose code was used: each works once. */
  totp_last_step: Generated<number>
  created_at: number
  updated_at: number
  last_login_at: Generated<number>
}

export interface AccountRedirectTable {
  lower_name: string
  account_id: number
}

export interface EmailAddressTable {
  id: Generated<number>
  account_id: number
  address: string
  lower_address: string
  is_primary: Flag
  is_activated: Flag
}

export interface FollowTable {
  follower_id: number
  followed_id: number
  created_at: number
}

export interface BlockTable {
  blocker_id: number
  blocked_id: number
  created_at: number
}

export interface AccessTokenTable {
  id: Generated<number>
  account_id: number
  name: string
  /** Keyed hash of the token: it is random, so a fast one is enough. */
  hash: string
  last_eight: string
  /** Normalised, separated by commas. */
  scopes: string
  created_at: number
  last_used_at: Generated<number>
}

export interface PublicKeyTable {
  id: Generated<number>
  account_id: number
  title: string
  content: string
  fingerprint: string
  read_only: Flag
  created_at: number
  last_used_at: Generated<number>
}

export interface GpgKeyTable {
  id: Generated<number>
  account_id: number
  /** The key that this one is a subkey of. */
  primary_id: number | null
  key_id: string
  content: string
  /** JSON list of the addresses in its user ids. */
  emails: string
  can_sign: Flag
  can_encrypt_comms: Flag
  can_encrypt_storage: Flag
  can_certify: Flag
  is_verified: Flag
  created_at: number
  expires_at: number
}

export interface OAuth2ApplicationTable {
  id: Generated<number>
  account_id: number
  name: string
  client_id: string
  secret_hash: string
  confidential_client: Flag
  skip_secondary_authorization: Flag
  /** JSON list. */
  redirect_uris: string
  created_at: number
}

export interface TeamTable {
  id: Generated<number>
  org_id: number
  name: string
  lower_name: string
  description: Generated<string>
  /** `none` while the levels are per unit. */
  access: AccessLevel
  includes_all_repositories: Flag
  can_create_org_repo: Flag
  visibility: Visibility
}

export interface TeamUnitTable {
  team_id: number
  unit: string
  access: AccessLevel
}

export interface TeamMemberTable {
  team_id: number
  account_id: number
}

export interface OrganizationMemberTable {
  org_id: number
  account_id: number
  is_public: Flag
}

export type ObjectFormat = 'sha1' | 'sha256'

export interface RepositoryTable {
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
  /** Who sees it; kept by the database: 0 everybody, 1 the signed-in, 2 those who know its owner, 3 it is private. */
  reach: Generated<number>
  /** In lower case; kept by the database. */
  owner_name: Generated<string>
}

/** Repositories by reach, in slots that are added up. */
export interface RepositoryTallyTable {
  reach: number
  slot: number
  repositories: number
}

export interface RepositoryRedirectTable {
  owner_id: number
  lower_name: string
  repository_id: number
}

export interface ReservedNameTable {
  lower_name: string
  /** Who may have it back. */
  account_id: number | null
  reserved_until: number
}

export interface RepositoryUnitTable {
  repository_id: number
  unit: string
  /** JSON, by the kind of unit. */
  settings: Generated<string>
}

export interface CollaborationTable {
  repository_id: number
  account_id: number
  access: AccessLevel
  created_at: number
}

export interface TeamRepositoryTable {
  team_id: number
  repository_id: number
}

export interface StarTable {
  id: Generated<number>
  repository_id: number
  account_id: number
  created_at: number
}

export interface WatchTable {
  id: Generated<number>
  repository_id: number
  account_id: number
  created_at: number
}

export interface TopicTable {
  id: Generated<number>
  name: string
  repo_count: Generated<number>
  created_at: number
  updated_at: number
}

export interface RepositoryTopicTable {
  repository_id: number
  topic_id: number
}

export interface LabelTable {
  id: Generated<number>
  /** Of a repository or of an organization. */
  repository_id: number | null
  org_id: number | null
  name: string
  color: string
  description: Generated<string>
  exclusive: Generated<Flag>
  exclusive_order: Generated<number>
  is_archived: Generated<Flag>
}

export interface RepositoryTransferTable {
  repository_id: number
  offered_by_id: number
  recipient_id: number
  /** JSON list. */
  team_ids: Generated<string>
  /** The recipient reads the repository only because of the offer. */
  granted_read: Generated<Flag>
  created_at: number
}

export interface DeployKeyTable {
  id: Generated<number>
  repository_id: number
  title: string
  content: string
  fingerprint: string
  read_only: Generated<Flag>
  created_at: number
  last_used_at: Generated<number>
}

export interface ActivityTable {
  id: Generated<number>
  repository_id: number
  /** Of the repository, as it is now. */
  owner_id: Generated<number>
  account_id: number
  kind: string
  ref_name: Generated<string>
  content: Generated<string>
  is_private: Generated<Flag>
  /** What it is about, where it goes with that. */
  issue_id: number | null
  comment_id: number | null
  created_at: number
}

/** How many activities there are of each sort; the database counts them. */
export interface ActivityTallyTable {
  repository_id: number
  kind: string
  is_private: Flag
  /** 0: everybody may know what the actor does; 1: everybody who is signed in; 2: nobody else. */
  actor_reach: number
  activities: number
}

/** The same for each actor. */
export interface ActorTallyTable {
  repository_id: number
  account_id: number
  kind: string
  is_private: Flag
  actor_reach: number
  activities: number
}

export interface RepositoryLanguageTable {
  repository_id: number
  language: string
  bytes: number
}

export interface JobTable {
  id: Generated<number>
  kind: string
  /** Those of a lane wait for each other only. */
  lane: Generated<string>
  /** JSON. */
  payload: Generated<string>
  run_at: number
  attempts: Generated<number>
  /** Whose it is until then; a process that lives says so again and again. */
  lease_until: Generated<number>
  worker: Generated<string>
  last_error: Generated<string>
  created_at: number
}

/** The number of a key that serves as a deploy key, whichever repositories have it. */
export interface DeployKeyIdentityTable {
  id: Generated<number>
  fingerprint: string
}

export interface BranchProtectionTable {
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

export interface TagProtectionTable {
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

export interface CommitStatusTable {
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

export interface MilestoneTable {
  id: Generated<number>
  repository_id: number
  title: Generated<string>
  /** For searching: SQLite's own lower() knows ASCII only. */
  lower_title: Generated<string>
  description: Generated<string>
  is_closed: Generated<Flag>
  closed_at: Generated<number>
  /** 0: none. */
  due_at: Generated<number>
  open_issues_count: Generated<number>
  closed_issues_count: Generated<number>
  created_at: number
  updated_at: number
}

export interface IssueTable {
  id: Generated<number>
  repository_id: number
  /** Counted up in each repository. */
  number: number
  is_pull: Generated<Flag>
  /** Gone with the account. */
  author_id: number | null
  title: string
  body: Generated<string>
  /** Title and body, for searching. */
  lower_text: Generated<string>
  ref: Generated<string>
  milestone_id: number | null
  is_closed: Generated<Flag>
  closed_at: Generated<number>
  /** 0: none. */
  due_at: Generated<number>
  is_locked: Generated<Flag>
  lock_reason: Generated<string>
  comments_count: Generated<number>
  time_estimate: Generated<number>
  /** 0: not pinned. */
  pin_order: Generated<number>
  content_version: Generated<number>
  created_at: number
  updated_at: number
}

/** What was said about an issue and what happened to it: one space of ids. */
export interface CommentTable {
  id: Generated<number>
  issue_id: number
  author_id: number | null
  kind: Generated<string>
  body: Generated<string>
  /** For searching. */
  lower_text: Generated<string>
  /** JSON, by the kind. */
  details: Generated<string>
  created_at: number
  updated_at: number
}

export interface IssueLabelTable {
  issue_id: number
  label_id: number
}

export interface IssueAssigneeTable {
  issue_id: number
  account_id: number
}

export interface IssueMentionTable {
  issue_id: number
  account_id: number
}

export interface IssueDependencyTable {
  issue_id: number
  /** To be closed first. */
  depends_on_id: number
  created_at: number
}

/** Who has said whether they want to hear of an issue. */
export interface IssueSubscriptionTable {
  issue_id: number
  account_id: number
  is_subscribed: Flag
  created_at: number
}

export interface ReactionTable {
  id: Generated<number>
  issue_id: number
  /** Null: to the issue itself. */
  comment_id: number | null
  account_id: number
  content: string
  created_at: number
}

export interface TrackedTimeTable {
  id: Generated<number>
  issue_id: number
  account_id: number
  seconds: number
  created_at: number
}

export interface StopwatchTable {
  account_id: number
  issue_id: number
  started_at: number
}

export interface NotificationTable {
  id: Generated<number>
  account_id: number
  issue_id: number
  /** unread, read or pinned. */
  status: string
  created_at: number
  updated_at: number
}

export interface ReleaseTable {
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

/** Bytes of Git LFS, stored once however many repositories have them. */
export interface LfsFileTable {
  /** SHA-256 of the bytes, in hexadecimal. */
  oid: string
  size: number
  /** Name of the stored file. */
  uuid: string
  created_at: number
}

/** That a repository has these bytes: nobody else gets them by knowing their name. */
export interface LfsObjectTable {
  repository_id: number
  oid: string
  size: number
  created_at: number
}

export interface LfsLockTable {
  id: Generated<number>
  repository_id: number
  account_id: number
  path: string
  locked_at: number
}

export interface AttachmentTable {
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
export interface UploadTable {
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

/** The answer to a call that is to be done once, however often it is sent. */
export interface IdempotencyKeyTable {
  account_id: number
  key: string
  /** What was asked for, as a hash: another request must not come under the same key. */
  request: string
  /** 0 while it is being done. */
  status: Generated<number>
  answer: Generated<string>
  expires_at: number
}

export interface SignInFailureTable {
  /** An address or an account, as a keyed hash. */
  subject: string
  window_start: number
  failures: number
}

/** Where an account has signed in from before: strangers cannot lock it out there. */
export interface KnownAddressTable {
  account_id: number
  address: string
  seen_at: number
}

export interface ScheduledTaskTable {
  name: string
  started_at: number
  runs: number
}

export interface MigrationTable {
  name: string
  applied_at: number
}

export interface MirrorTable {
  repository_id: number
  /** Without credentials. */
  address: string
  host: string
  /** Encrypted; empty when there are none. */
  credentials: Generated<string>
  /** As the contract writes durations. */
  interval: string
  interval_seconds: number
  /** Zero: never by itself. */
  next_at: Generated<number>
  /** Whether a job for it is waiting. */
  is_queued: Generated<Flag>
  /** While somebody works on it. */
  lease_until: Generated<number>
  /** Who that is: nobody else's word counts. */
  holder: Generated<string>
  /** When something last came through; zero for never. */
  updated_at: Generated<number>
  last_error: Generated<string>
  /** Since it last worked. */
  failures: Generated<number>
  /** When it was last tried. */
  synced_at: Generated<number>
  enable_prune: Generated<Flag>
  /** Whether the wiki of the remote comes too, if it has one. */
  has_wiki: Generated<Flag>
  /** Whether the objects of Git LFS come too. */
  has_lfs: Generated<Flag>
  /** Encrypted; empty when they are where clients look by themselves. */
  lfs_endpoint: Generated<string>
  /** The references whose objects are all here. */
  lfs_refs: Generated<string>
}

/** The first columns mean the same as those of a mirror. */
export interface PushMirrorTable {
  id: Generated<number>
  repository_id: number
  remote_name: string
  address: string
  host: string
  credentials: Generated<string>
  interval: string
  interval_seconds: number
  next_at: Generated<number>
  is_queued: Generated<Flag>
  lease_until: Generated<number>
  holder: Generated<string>
  updated_at: Generated<number>
  last_error: Generated<string>
  failures: Generated<number>
  sync_on_commit: Generated<Flag>
  /** A digest of the references that were last pushed. */
  pushed_refs: Generated<string>
  created_at: number
}

export interface ActionScheduleTable {
  id: Generated<number>
  repository_id: number
  /** Path of the file that asks for it. */
  workflow: string
  title: string
  cron: string
  branch: string
  commit_id: string
  next_at: number
  last_at: Generated<number>
  created_at: number
}

/** A secret or a variable for workflows, of a repository or of an account. */
export interface ActionValueTable {
  id: Generated<number>
  kind: 'secret' | 'variable'
  repository_id: number | null
  account_id: number | null
  name: string
  /** That of a secret is encrypted. */
  content: string
  description: Generated<string>
  created_at: number
}

export interface ActionRunTable {
  id: Generated<number>
  repository_id: number
  /** Counted in each repository. */
  number: number
  workflow: string
  title: string
  event: string
  cron: Generated<string>
  branch: string
  commit_id: string
  state: string
  created_at: number
}

/** Of a repository, of an account (for all that it owns), of the system (for everything), or a default. */
export interface WebhookTable {
  id: Generated<number>
  repository_id: number | null
  account_id: number | null
  is_system: Generated<Flag>
  /** Copied into each new repository. */
  is_default: Generated<Flag>
  name: Generated<string>
  type: string
  url: string
  host: string
  content_type: string
  /** Encrypted; empty when there is none. */
  secret: Generated<string>
  /** Encrypted; empty when there is none. */
  authorization_header: Generated<string>
  /** JSON, by the type. */
  settings: Generated<string>
  /** JSON list. */
  events: Generated<string>
  branch_filter: Generated<string>
  is_active: Generated<Flag>
  /** While somebody delivers to it. */
  lease_until: Generated<number>
  /** Nothing is delivered before: the receiver has failed. */
  retry_at: Generated<number>
  created_at: number
  updated_at: number
}

export interface WebhookDeliveryTable {
  id: Generated<number>
  hook_id: number
  /** The same for all attempts, and when it is delivered again by hand. */
  uuid: string
  /** The exact event. */
  kind: string
  /** JSON, as of the event. */
  payload: string
  is_waiting: Generated<Flag>
  is_delivered: Generated<Flag>
  attempts: Generated<number>
  tried_at: Generated<number>
  response_status: Generated<number>
  /** JSON. */
  response_headers: Generated<string>
  response_body: Generated<string>
  last_error: Generated<string>
  created_at: number
}

/** What a pull request has beside its issue. */
export interface PullRequestTable {
  id: Generated<number>
  issue_id: number
  /** Where it is to be merged. */
  repository_id: number
  base_branch: string
  base_commit_id: string
  /** Null: it is gone. */
  head_repository_id: number | null
  head_branch: string
  head_commit_id: string
  /** The branch has been deleted. */
  is_head_gone: Generated<Flag>
  /** Where the two parted; empty when they have nothing in common. */
  merge_base: Generated<string>
  allows_maintainer_edit: Generated<Flag>
  is_merged: Generated<Flag>
  merged_at: Generated<number>
  merged_by_id: number | null
  merge_commit_id: Generated<string>
  /** Of which commits the following is true. */
  checked_base: Generated<string>
  checked_head: Generated<string>
  checked_ignoring_space: Generated<Flag>
  is_conflicting: Generated<Flag>
  additions: Generated<number>
  deletions: Generated<number>
  changed_files: Generated<number>
  /** JSON: how to merge as soon as that is allowed; empty: not by itself. */
  auto_merge: Generated<string>
  auto_merge_by_id: number | null
}

export interface ReviewTable {
  id: Generated<number>
  issue_id: number
  /** Absent when the account is gone, or a team was asked. */
  reviewer_id: number | null
  team_id: number | null
  /** As the contract calls them. */
  state: string
  body: Generated<string>
  commit_id: Generated<string>
  /** The head has changed since. */
  is_stale: Generated<Flag>
  /** Counts for the protection of the base branch. */
  is_official: Generated<Flag>
  is_dismissed: Generated<Flag>
  created_at: number
  updated_at: number
}

/** What a comment on a line of code has beside its text. */
export interface ReviewCommentTable {
  comment_id: number
  review_id: number
  path: string
  /** 0: it is on the other side. */
  old_line: Generated<number>
  new_line: Generated<number>
  commit_id: string
  diff_hunk: Generated<string>
  resolver_id: number | null
}

export interface Schema {
  account: AccountTable
  account_redirect: AccountRedirectTable
  email_address: EmailAddressTable
  follow: FollowTable
  block: BlockTable
  access_token: AccessTokenTable
  public_key: PublicKeyTable
  gpg_key: GpgKeyTable
  oauth2_application: OAuth2ApplicationTable
  team: TeamTable
  team_unit: TeamUnitTable
  team_member: TeamMemberTable
  organization_member: OrganizationMemberTable
  repository: RepositoryTable
  repository_tally: RepositoryTallyTable
  repository_redirect: RepositoryRedirectTable
  reserved_name: ReservedNameTable
  repository_unit: RepositoryUnitTable
  collaboration: CollaborationTable
  team_repository: TeamRepositoryTable
  star: StarTable
  watch: WatchTable
  topic: TopicTable
  repository_topic: RepositoryTopicTable
  label: LabelTable
  repository_transfer: RepositoryTransferTable
  deploy_key: DeployKeyTable
  activity: ActivityTable
  activity_tally: ActivityTallyTable
  actor_tally: ActorTallyTable
  repository_language: RepositoryLanguageTable
  job: JobTable
  deploy_key_identity: DeployKeyIdentityTable
  branch_protection: BranchProtectionTable
  tag_protection: TagProtectionTable
  commit_status: CommitStatusTable
  milestone: MilestoneTable
  issue: IssueTable
  comment: CommentTable
  issue_label: IssueLabelTable
  issue_assignee: IssueAssigneeTable
  issue_mention: IssueMentionTable
  issue_dependency: IssueDependencyTable
  issue_subscription: IssueSubscriptionTable
  reaction: ReactionTable
  tracked_time: TrackedTimeTable
  stopwatch: StopwatchTable
  notification: NotificationTable
  release: ReleaseTable
  attachment: AttachmentTable
  lfs_file: LfsFileTable
  lfs_object: LfsObjectTable
  lfs_lock: LfsLockTable
  upload: UploadTable
  idempotency_key: IdempotencyKeyTable
  mirror: MirrorTable
  push_mirror: PushMirrorTable
  action_schedule: ActionScheduleTable
  action_run: ActionRunTable
  action_value: ActionValueTable
  webhook: WebhookTable
  webhook_delivery: WebhookDeliveryTable
  pull_request: PullRequestTable
  review: ReviewTable
  review_comment: ReviewCommentTable
  sign_in_failure: SignInFailureTable
  known_address: KnownAddressTable
  scheduled_task: ScheduledTaskTable
  migration: MigrationTable
}

export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>
/** `undefined` means "leave it". */
export type Changes<Table extends keyof Schema> = Updateable<Schema[Table]>
