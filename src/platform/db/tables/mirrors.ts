import type { Generated } from 'kysely'
import type { Reason } from '../../reason.ts'
import type { Flag } from '../columns.ts'

/** Copies of other places, and in them. */
export interface MirrorTables {
  mirror: MirrorTable
  push_mirror: PushMirrorTable
  repository_import: RepositoryImportTable
}

interface MirrorTable {
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
  /** A digest of the references that the repository is known to have. */
  recorded_refs: Generated<string>
}

/** The first columns mean the same as those of a mirror. */
interface PushMirrorTable {
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
  /**
   * JSON: the references that the remote had after the last push, by name, of the code and of the
   * wiki.
   */
  remote_refs: Generated<string>
  created_at: number
}

/** A repository that is being brought from elsewhere; gone once it is here. */
interface RepositoryImportTable {
  id: Generated<number>
  owner_id: number
  /** Who asked for it, and acts. */
  account_id: number
  name: string
  lower_name: string
  /** Without credentials. */
  address: string
  /** JSON: what else was asked for. */
  options: string
  /** Encrypted; empty when there are none, or none any more. */
  secrets: Generated<string>
  /** Why it failed; empty while it is tried. */
  last_error: Generated<string>
  last_reason: Generated<Reason | ''>
  /** What the reason is about. */
  last_subject: Generated<string>
  created_at: number
}
