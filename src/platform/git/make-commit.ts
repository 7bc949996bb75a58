import { signatureLine } from './commit-files.ts'
import type { Signature } from './parse.ts'
import type { Git } from './run.ts'

export interface BareCommit {
  readonly treeId: string
  readonly parents: readonly string[]
  readonly message: string
  readonly author: Signature
  readonly committer: Signature
}

/** Writes a commit that no reference names yet. */
export async function makeCommit(git: Git, folder: string, commit: BareCommit): Promise<string> {
  const lines = [
    `tree ${commit.treeId}`,
    ...commit.parents.map((id) => `parent ${id}`),
    `author ${signatureLine(commit.author)}`,
    `committer ${signatureLine(commit.committer)}`,
  ]
  const message = commit.message.endsWith('\n') ? commit.message : `${commit.message}\n`
  const input = `${lines.join('\n')}\n\n${message.replaceAll('\0', '')}`
  return git.text(folder, ['hash-object', '-t', 'commit', '-w', '--stdin'], { input })
}
