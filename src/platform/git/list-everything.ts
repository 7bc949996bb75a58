import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'
import { MAX_TREE_ENTRIES } from './tree.ts'

/**
 * What lies somewhere below a tree. Each byte of its path is one character: names need not be
 * UTF-8.
 */
export interface ListedEntry {
  readonly path: string
  readonly mode: string
  readonly id: string
  /** 0 for what is no file. */
  readonly size: number
}

/** The tree, or one in it, has more than anybody can handle. */
export class TreeTooLarge extends Error {
  override readonly name = 'TreeTooLarge'
}

const MAX_DEPTH = 64
const LISTING_LIMIT_MS = 10_000

/** Everything below a commit's tree, folders before what is in them. */
export async function listEverything(
  git: Git,
  folder: string,
  commitId: string,
): Promise<readonly ListedEntry[]> {
  const began = performance.now()
  const parameters = ['ls-tree', '-r', '-t', '-z', '-l', `${commitId}^{tree}`]
  const output = gitOutput(git, folder, parameters, { timeLimitMs: LISTING_LIMIT_MS })
  const entries: ListedEntry[] = []
  try {
    for await (const line of splitAtNul(output, 'latin1')) {
      const entry = toEntry(line)
      if (entries.push(entry) > MAX_TREE_ENTRIES || depthOf(entry) > MAX_DEPTH) {
        throw new TreeTooLarge()
      }
    }
  } catch (error) {
    throw performance.now() - began < LISTING_LIMIT_MS
      ? error
      : new TreeTooLarge('', { cause: error })
  }
  return entries
}

function toEntry(line: string): ListedEntry {
  const tab = line.indexOf('\t')
  const [mode = '', , id = '', size = ''] = line.slice(0, tab).split(/ +/)
  return { path: line.slice(tab + 1), mode, id, size: size === '-' ? 0 : Number(size) }
}

function depthOf({ path }: ListedEntry): number {
  return path.split('/').length
}
