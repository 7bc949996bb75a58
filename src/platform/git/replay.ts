import { readCommits } from './history.ts'
import { makeCommit } from './make-commit.ts'
import { mergeTree } from './merge-tree.ts'
import { withObjects } from './object-pool.ts'
import type { Commit, Signature } from './parse.ts'
import type { Git } from './run.ts'

export interface Replay {
  /** What the head has beyond this commit is done again. */
  readonly base: string
  readonly head: string
  readonly onto: string
  readonly ignoresSpace: boolean
  readonly committer: Signature
}

/**
 * The last of the head's commits, done again one by one on another commit; none when one of them
 * contradicts what is there. Merges are left out, and what is there already.
 */
export async function replayCommits(
  git: Git,
  folder: string,
  { base, head, onto, ...how }: Replay,
): Promise<string | undefined> {
  const order = ['rev-list', '--reverse', '--topo-order', '--no-merges']
  const text = await git.text(folder, [...order, head, `^${base}`, '--'])
  const ids = text === '' ? [] : text.split('\n')
  const [first, ...commits] = await withObjects(git, folder, (objects) =>
    readCommits(objects, [onto, ...ids]),
  )
  if (!first) throw new Error(`${onto} is no commit`)
  let tip = { id: onto, treeId: first.treeId }
  for (const commit of commits) {
    const next = await replayOne(git, folder, commit, tip, how)
    if (!next) return undefined
    tip = next
  }
  return tip.id
}

interface Tip {
  readonly id: string
  readonly treeId: string
}

/**
 * The commit's parent is what the two have in common: a commit that has the tip's files and that
 * parent says so to git, which finds the common ground by itself.
 */
async function replayOne(
  git: Git,
  folder: string,
  commit: Commit,
  tip: Tip,
  { ignoresSpace, committer }: Pick<Replay, 'ignoresSpace' | 'committer'>,
): Promise<Tip | undefined> {
  const { author, message, parents } = commit
  const common = { author: committer, committer, message: '' }
  const ours = await makeCommit(git, folder, { ...common, treeId: tip.treeId, parents })
  const treeId = await mergeTree(git, folder, { ours, theirs: commit.id, ignoresSpace })
  if (treeId === undefined) return undefined
  if (treeId === tip.treeId) return tip
  const made = { treeId, parents: [tip.id], message, author, committer }
  return { id: await makeCommit(git, folder, made), treeId }
}
