import type { Generated } from 'kysely'
import type { Flag } from '../columns.ts'

/**
 * Boards, on which issues and pull requests of a repository, or of all that an account has, are
 * put.
 */
export interface ProjectTables {
  project: ProjectTable
  project_column: ProjectColumnTable
  project_card: ProjectCardTable
}

interface ProjectTable {
  id: Generated<number>
  /** Either this or `owner_id`. */
  repository_id: number | null
  owner_id: number | null
  /** Gone with the account. */
  creator_id: number | null
  title: string
  description: Generated<string>
  template: string
  card_type: string
  is_closed: Generated<Flag>
  closed_at: Generated<number>
  created_at: number
  updated_at: number
}

interface ProjectColumnTable {
  id: Generated<number>
  project_id: number
  creator_id: number | null
  title: string
  /** Empty: none. */
  color: Generated<string>
  /** One of each project, where what is put on it comes first. */
  is_default: Generated<Flag>
  sorting: Generated<number>
  created_at: number
  updated_at: number
}

/** An issue on a board. */
interface ProjectCardTable {
  id: Generated<number>
  project_id: number
  column_id: number
  issue_id: number
  sorting: Generated<number>
}
