import { AppError } from '../../platform/errors.ts'
import type { Included } from './entries.ts'

const options = ['file_content', 'lfs_metadata', 'commit_metadata', 'commit_message'] as const
type Option = (typeof options)[number]

/** What is found out about entries, and what of it is told. */
export interface Includes {
  readonly included: Included
  readonly told: { readonly metadata: boolean; readonly message: boolean }
}

/** Options separated by commas. */
export function readIncludes(text: string): Includes {
  const wanted = new Set(text.split(',').filter((part) => part !== ''))
  for (const name of wanted) assertKnown(name)
  const wants = (option: Option) => wanted.has(option)
  const told = { metadata: wants('commit_metadata'), message: wants('commit_message') }
  return {
    included: {
      content: wants('file_content'),
      pointers: wants('lfs_metadata'),
      lastCommits: told.metadata || told.message,
    },
    told,
  }
}

function assertKnown(name: string): void {
  if (options.some((option) => option === name)) return
  throw new AppError('bad_request', `unknown include option ${JSON.stringify(name)}`)
}
