import type { Git } from './run.ts'
import { gitOutput } from './stream.ts'

/** Brings a commit with all that it needs from one repository to another, beyond what both have. */
export async function copyObjects(
  git: Git,
  { from, to }: { readonly from: string; readonly to: string },
  { commitId, common }: { readonly commitId: string; readonly common: string | undefined },
): Promise<void> {
  const input = common === undefined ? `${commitId}\n` : `${commitId}\n^${common}\n`
  const pack = gitOutput(git, from, ['pack-objects', '--revs', '--stdout', '-q'], { input })
  await git.run(to, ['index-pack', '--stdin', '--fix-thin'], { input: pack })
}
