import type { Context } from '../../platform/context.ts'
import { grep } from '../../platform/git/grep.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

export interface FoundLine {
  readonly number: number
  readonly text: string
}

export interface FoundFile {
  readonly path: string
  readonly lines: readonly FoundLine[]
  /** How many more lines of it there are. */
  readonly more: number
}

export interface FoundCode {
  readonly files: readonly FoundFile[]
  /** Not all that there is. */
  readonly isCut: boolean
}

const MAX_FILES = 50
const MAX_LINES = 5

/** The files of a commit with lines that hold `words`. */
export async function searchCode(
  ctx: Context,
  repo: Repository,
  commitId: string,
  words: string,
): Promise<FoundCode> {
  const found = await grep(ctx.git, folderOf(ctx, repo), { commitId, words })
  const byPath = [...Map.groupBy(found.lines, ({ path }) => path)]
  const files = byPath.slice(0, MAX_FILES).map(([path, lines]) => ({
    path,
    lines: lines.slice(0, MAX_LINES),
    more: Math.max(lines.length - MAX_LINES, 0),
  }))
  return { files, isCut: found.isCut || byPath.length > MAX_FILES }
}
