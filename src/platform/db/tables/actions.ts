import type { Generated } from 'kysely'

/** Workflows on a schedule, secrets and variables. */
export interface ActionTables {
  action_schedule: ActionScheduleTable
  action_run: ActionRunTable
  action_value: ActionValueTable
}

interface ActionScheduleTable {
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

interface ActionRunTable {
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

/** A secret or a variable for workflows, of a repository or of an account. */
interface ActionValueTable {
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
