import type { Generated } from 'kysely'
import type { Flag } from '../columns.ts'

/** What the server keeps for itself. */
export interface UpkeepTables {
  job: JobTable
  idempotency_key: IdempotencyKeyTable
  scheduled_task: ScheduledTaskTable
  check_result: CheckResultTable
  migration: MigrationTable
  database_identity: DatabaseIdentityTable
  held_sweep: HeldSweepTable
}

interface JobTable {
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
  /** Whoever worked on it before did not put it back: that process has died. */
  was_left: Generated<Flag>
  worker: Generated<string>
  last_error: Generated<string>
  created_at: number
}

/** The answer to a call that is to be done once, however often it is sent. */
interface IdempotencyKeyTable {
  account_id: number
  key: string
  /** What was asked for, as a hash: another request must not come under the same key. */
  request: string
  /** 0 while it is being done. */
  status: Generated<number>
  answer: Generated<string>
  expires_at: number
}

interface ScheduledTaskTable {
  name: string
  started_at: number
  runs: number
}

/** What a check of the doctor found when it last ran, by the name of the check. */
interface CheckResultTable {
  name: string
  ran_at: number
  found_count: Generated<number>
  /** JSON list of texts, the first of what was found. */
  found: Generated<string>
}

/** One row. */
interface DatabaseIdentityTable {
  only_one: number
  /** What the data folder and the bucket name as their database. */
  id: string
  /**
   * Of servers; the data folder knows the number too, and tells an older copy of the database by
   * it.
   */
  starts: Generated<number>
  /** Made with the server's key and the id; empty before the first start with a key. */
  key_check: Generated<string>
  /** When a backup made this copy; 0 once the copy lives on as the original. */
  copied_at: Generated<number>
  /** Before that nothing is swept. */
  sweeps_from: number
}

/** A sweep that found more than it may take by itself, and waits for a person. */
interface HeldSweepTable {
  name: string
  strays: number
  /** All that lies there. */
  total: number
  held_at: number
  /** When a person allowed it; 0 before. */
  allowed_at: Generated<number>
}

interface MigrationTable {
  name: string
  applied_at: number
  /** Of its statements when they were applied. */
  hash: Generated<string>
}
