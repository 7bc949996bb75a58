import type { ObjectFormat } from '../../platform/db/columns.ts'
import type { Row } from '../../platform/db/schema.ts'
import { invalid } from '../../platform/errors.ts'

/** The names by which it is called. */
export interface RepositoryPath {
  readonly owner: string
  readonly repo: string
}

export interface Repository {
  readonly id: number
  readonly ownerId: number
  readonly name: string
  readonly folder: string
  readonly description: string
  readonly website: string
  readonly originalUrl: string
  readonly defaultBranch: string
  readonly objectFormat: ObjectFormat
  readonly isPrivate: boolean
  readonly isEmpty: boolean
  readonly isTemplate: boolean
  readonly isMirror: boolean
  readonly isArchived: boolean
  readonly archivedAt: number
  readonly isFork: boolean
  /** Absent when the base has been deleted, and for what is no fork. */
  readonly forkOf: number | undefined
  /** In bytes, git and LFS together. */
  readonly size: number
  readonly language: string
  readonly licenses: readonly string[]
  readonly avatar: string
  readonly starsCount: number
  readonly forksCount: number
  readonly watchersCount: number
  readonly branchCount: number
  readonly openIssuesCount: number
  readonly openPullsCount: number
  readonly releasesCount: number
  readonly createdAt: number
  readonly updatedAt: number
}

export function toRepository(row: Row<'repository'>): Repository {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    folder: row.folder,
    description: row.description,
    website: row.website,
    originalUrl: row.original_url,
    defaultBranch: row.default_branch,
    objectFormat: row.object_format,
    isPrivate: row.is_private === 1,
    isEmpty: row.is_empty === 1,
    isTemplate: row.is_template === 1,
    isMirror: row.is_mirror === 1,
    isArchived: row.is_archived === 1,
    archivedAt: row.archived_at,
    isFork: row.is_fork === 1,
    forkOf: row.fork_of ?? undefined,
    size: row.git_size + row.lfs_size,
    language: row.language,
    licenses: JSON.parse(row.licenses) as string[],
    avatar: row.avatar,
    starsCount: row.stars_count,
    forksCount: row.forks_count,
    watchersCount: row.watchers_count,
    branchCount: row.branch_count,
    openIssuesCount: row.open_issues_count,
    openPullsCount: row.open_pulls_count,
    releasesCount: row.releases_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const reservedNames = ['.', '..', '-']
const reservedEndings = ['.wiki', '.git', '.rss', '.atom']

/** The rules beyond those of the body: names that are or look like addresses of ours. */
export function assertRepositoryNameAllowed(name: string): void {
  if (reservedNames.includes(name))
    throw invalid(`name is reserved [name: ${name}]`, { reason: 'name_reserved' })
  const ending = reservedEndings.find((end) => name.toLowerCase().endsWith(end))
  if (ending)
    throw invalid(`name pattern is not allowed [pattern: *${ending}]`, { reason: 'name_reserved' })
  if (name.includes('..')) {
    throw invalid(
      `name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters`,
      { reason: 'name_invalid' },
    )
  }
}
