import { recordCommitReferences } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { changeIssue } from './load.ts'
import { findIssue } from './queries.ts'
import { numbersNamedIn } from './references.ts'
import { readsIssue } from './rights.ts'

export interface NamingCommit {
  readonly id: string
  readonly message: string
}

/** Each takes a statement or two. */
const MAX_NAMED = 500
/** Entries that one push makes; each commit may name many issues. */
const MAX_TOLD = 1000

/**
 * Issues of the repository that commits name tell so from now on, once for each commit. `isTold`
 * says of which that is known already. Pull requests are named by the commits that merge them,
 * which is nothing new.
 */
export async function noteNamingCommits(
  ctx: Context,
  { account }: SignedInCaller,
  view: RepositoryView,
  commits: readonly NamingCommit[],
  isTold: (issueNumber: number, commitId: string) => boolean,
): Promise<void> {
  const deed = { actorId: account.id, at: ctx.now() }
  for (const [number, naming] of namedBy(view, commits)) {
    const news = naming.filter(({ id }) => !isTold(number, id))
    const issue = news.length > 0 ? await findIssue(ctx.db, view.repo.id, number) : undefined
    if (!issue || issue.isPull || !readsIssue(view, issue)) continue
    await changeIssue(ctx, issue, (tx) =>
      recordCommitReferences(tx, { ...deed, issueId: issue.id }, news.map(asReference)),
    )
  }
}

function namedBy(
  { owner, repo }: RepositoryView,
  commits: readonly NamingCommit[],
): readonly (readonly [number, readonly NamingCommit[]])[] {
  const here = { owner: owner.name, repo: repo.name }
  const pairs = commits.flatMap((commit) =>
    numbersNamedIn(commit.message, here).map((number) => ({ number, commit })),
  )
  const named = Map.groupBy(pairs.slice(0, MAX_TOLD), ({ number }) => number)
  return [...named]
    .slice(0, MAX_NAMED)
    .map(([number, naming]) => [number, naming.map(({ commit }) => commit)])
}

function asReference({ id, message }: NamingCommit) {
  const [subject = ''] = message.split('\n')
  return { commitId: id, subject }
}
