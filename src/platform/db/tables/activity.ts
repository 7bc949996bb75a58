import type { Generated } from 'kysely'
import type { Flag } from '../columns.ts'

/** What happened, and who is told. */
export interface ActivityTables {
  activity: ActivityTable
  activity_tally: ActivityTallyTable
  actor_tally: ActorTallyTable
  notification: NotificationTable
}

interface ActivityTable {
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
interface ActivityTallyTable {
  repository_id: number
  kind: string
  is_private: Flag
  /** 0: everybody may know what the actor does; 1: everybody who is signed in; 2: nobody else. */
  actor_reach: number
  activities: number
}

/** How many activities of each sort each actor has in a repository; the database counts them. */
interface ActorTallyTable {
  repository_id: number
  account_id: number
  kind: string
  is_private: Flag
  actor_reach: number
  activities: number
}

interface NotificationTable {
  id: Generated<number>
  account_id: number
  /** Null where it is about a repository. */
  issue_id: number | null
  /** Those of the issue, which never change. */
  repository_id: number
  is_pull: Flag
  is_repository: Generated<Flag>
  /** The offer that it tells of. */
  offer_id: number | null
  /** The fork that was made private. */
  fork_id: number | null
  /** unread, read or pinned. */
  status: string
  created_at: number
  updated_at: number
}
