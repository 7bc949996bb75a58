import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Repository } from './repository.ts'

/** The fields of an edit that another subject knows. */
export interface EditGroup<Edit> {
  /** Whether any of its fields is there. */
  readonly mentions: (edit: Edit) => boolean
  readonly apply: (ctx: Context, tx: Executor, repo: Repository, edit: Edit) => Promise<void>
}
