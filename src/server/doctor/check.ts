import type { Database, Executor } from '../../platform/db/database.ts'

/** Something that must be so in a healthy database. */
export interface Check {
  /** The healthy state, in words. */
  readonly name: string
  /** One line for each place where it is not so. */
  readonly find: (db: Database) => Promise<readonly string[]>
  /** Makes it so as far as that takes no guessing; runs in a transaction. */
  readonly mend?: (tx: Executor) => Promise<void>
}
