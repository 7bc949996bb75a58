import type { RefUpdate } from './ref-update.ts'
import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'

/**
 * The paths of files that differ after the update of a branch; of a new branch, those that its
 * commits change which the default branch does not have.
 */
export async function* changedFiles(
  git: Git,
  folder: string,
  { before, after }: Pick<RefUpdate, 'before' | 'after'>,
  defaultBranch: string,
): AsyncGenerator<string> {
  if (after === undefined) return
  const names = ['--name-only', '--no-renames', '-z']
  // The default branch need not be there.
  const others = ['--ignore-missing', `^refs/heads/${defaultBranch}`]
  const parameters =
    before === undefined
      ? ['log', '--format=', '-c', ...names, ...others, after, '--']
      : ['diff-tree', '-r', ...names, before, after, '--']
  for await (const name of splitAtNul(gitOutput(git, folder, parameters))) {
    if (name !== '') yield name
  }
}
