import { invalid } from '../../platform/errors.ts'
import type { Query } from '../../platform/http/query.ts'

export const sorts = [
  'alpha',
  'created',
  'updated',
  'size',
  'git_size',
  'lfs_size',
  'stars',
  'forks',
  'id',
  'relevance',
] as const
export type Sort = (typeof sorts)[number]

const modes = ['source', 'fork', 'mirror', 'collaborative'] as const
type Mode = (typeof modes)[number]

/** What a search asks for. */
export interface Wanted {
  readonly keywords: readonly string[]
  /** Of a text with exactly one slash. */
  readonly path: { readonly owner: string; readonly name: string } | undefined
  readonly isTopic: boolean
  readonly includeDescription: boolean
  readonly accountId: number | undefined
  readonly exclusive: boolean
  readonly priorityOwnerId: number | undefined
  readonly teamId: number | undefined
  readonly starredBy: number | undefined
  readonly includePrivate: boolean
  readonly isPrivate: boolean | undefined
  readonly isTemplate: boolean | undefined
  readonly isArchived: boolean | undefined
  readonly mode: Mode | undefined
  /** The name of the account that owns it. */
  readonly owner: string
  readonly language: string
  readonly license: string
  /** All of them. */
  readonly topics: readonly string[]
  readonly updatedSince: number | undefined
  /** Absent: by name. */
  readonly sort: Sort | undefined
  readonly direction: 'asc' | 'desc'
}

const MAX_KEYWORDS = 20

export function readWanted(query: Query): Wanted {
  const mode = readMode(query.text('mode') ?? '')
  const { sort, direction } = readSort(query.text('sort') ?? '', query.text('order') ?? '')
  const text = (query.text('q') ?? '').trim()
  const teamId = positive(query.integer('team_id'))
  return {
    keywords: readKeywords(text),
    path: teamId === undefined ? readPath(text) : undefined,
    isTopic: query.boolean('topic'),
    includeDescription: query.boolean('includeDesc'),
    accountId: positive(query.integer('uid')),
    exclusive: query.boolean('exclusive'),
    priorityOwnerId: positive(query.integer('priority_owner_id')),
    teamId,
    starredBy: positive(query.integer('starredBy')),
    includePrivate: query.optionalBoolean('private') ?? true,
    isPrivate: query.optionalBoolean('is_private'),
    isTemplate: query.optionalBoolean('template'),
    isArchived: query.optionalBoolean('archived'),
    mode,
    owner: (query.text('owner') ?? '').toLowerCase(),
    language: (query.text('language') ?? '').toLowerCase(),
    license: (query.text('license') ?? '').toLowerCase(),
    topics: readKeywords(query.text('topics') ?? ''),
    updatedSince: query.time('updated_since'),
    sort,
    direction,
  }
}

function readMode(text: string): Mode | undefined {
  if (text === '') return undefined
  const mode = modes.find((known) => known === text)
  if (!mode) throw invalid('invalid search mode')
  return mode
}

/** Without `sort` the order is not even looked at. */
function readSort(sort: string, order: string): Pick<Wanted, 'sort' | 'direction'> {
  if (sort === '') return { sort: undefined, direction: 'asc' }
  if (order !== '' && order !== 'asc' && order !== 'desc') {
    throw invalid(`Invalid sort order: "${order}"`)
  }
  const known = sorts.find((one) => one === sort)
  if (!known) throw invalid(`Invalid sort mode: "${sort}"`)
  return { sort: known, direction: order === 'desc' ? 'desc' : 'asc' }
}

function readKeywords(text: string): readonly string[] {
  const pieces = text.toLowerCase().split(',')
  return pieces.filter((piece) => piece !== '').slice(0, MAX_KEYWORDS)
}

function readPath(text: string): Wanted['path'] {
  const [owner, name, ...more] = text.toLowerCase().split('/')
  return owner === undefined || name === undefined || more.length > 0 ? undefined : { owner, name }
}

function positive(number: number): number | undefined {
  return number > 0 ? number : undefined
}
