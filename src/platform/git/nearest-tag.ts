import { GitError, type Git } from './run.ts'

/** Far from any tag there is none. */
const MAX_WALK_MS = 10_000

/**
 * The tag that the fewest commits lie between and a commit; itself counts, `except` does not. No
 * name of a tag has a character in it that would make a pattern of it.
 */
export async function findNearestTag(
  git: Git,
  folder: string,
  { commitId, except }: { readonly commitId: string; readonly except: string },
): Promise<string | undefined> {
  const parameters = ['describe', '--tags', '--abbrev=0', `--exclude=${except}`, commitId]
  try {
    return await git.text(folder, parameters, { timeLimitMs: MAX_WALK_MS })
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 128) return undefined
    throw error
  }
}
