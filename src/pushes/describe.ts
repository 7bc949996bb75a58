import type { ActivityKind } from '../activity/record.ts'
import type { Context } from '../context.ts'
import { repositoryFolder } from '../git/layout.ts'
import { findHeadCommit, findPushedCommits, type PushedCommit } from '../git/pushed-commits.ts'
import { branchOf, isTag, type RefUpdate } from '../git/ref-update.ts'
import type { RepositoryView } from '../repositories/view.ts'

export interface PushActivity {
  readonly kind: ActivityKind
  readonly refName: string
  readonly content: string
}

/** Whoever pushes more refs at once gets the rest recorded without their commits: each costs a git process. */
const MAX_DETAILED = 100

export type PushedTo = Pick<RepositoryView, 'repo' | 'owner'>

/** What the feed of the repository says about these updates. */
export async function describePush(
  ctx: Context,
  view: PushedTo,
  updates: readonly RefUpdate[],
): Promise<readonly PushActivity[]> {
  const activities: PushActivity[] = []
  for (const [index, update] of updates.entries()) {
    const detailed = index < MAX_DETAILED
    if (branchOf(update.ref) !== undefined) {
      activities.push(...(await describeBranch(ctx, view, update, detailed)))
    } else if (isTag(update.ref)) activities.push(await describeTag(ctx, view, update, detailed))
  }
  return activities
}

/** A new branch has two entries, of which one says only that it is there. */
async function describeBranch(
  ctx: Context,
  view: PushedTo,
  update: RefUpdate,
  detailed: boolean,
): Promise<readonly PushActivity[]> {
  const { ref: refName, before, after } = update
  if (after === undefined) return [{ kind: 'delete_branch', refName, content: '' }]
  const pushed = detailed
    ? await findPushedCommits(
        ctx.git,
        folderOf(ctx, view),
        update,
        ctx.config.repositories.feed_commits,
      )
    : { newest: [], count: 0, head: undefined }
  const compareUrl = comparePath(view, update)
  const content = pushContent({ ...pushed, compareUrl })
  const made: PushActivity[] =
    before === undefined ? [{ kind: 'commit_repo', refName, content: '' }] : []
  return [...made, { kind: 'commit_repo', refName, content }]
}

async function describeTag(
  ctx: Context,
  view: PushedTo,
  update: RefUpdate,
  detailed: boolean,
): Promise<PushActivity> {
  const { ref: refName, after } = update
  const nothing = { newest: [], count: 0 }
  if (after === undefined) {
    const content = pushContent({ ...nothing, head: undefined, compareUrl: '' })
    return { kind: 'delete_tag', refName, content }
  }
  const head = detailed ? await findHeadCommit(ctx.git, folderOf(ctx, view), after) : undefined
  const compareUrl = comparePath(view, update)
  return { kind: 'push_tag', refName, content: pushContent({ ...nothing, head, compareUrl }) }
}

function folderOf({ config }: Context, { repo }: PushedTo): string {
  return repositoryFolder(config, repo.folder)
}

/** Where the update is shown, below the server's own address; empty where there is nothing to compare. */
export function comparePath(view: PushedTo, update: RefUpdate): string {
  const { ref, before, after } = update
  if (after === undefined) return ''
  const base = isTag(ref) ? (before ?? '0'.repeat(after.length)) : branchBase(view, update)
  return compareWith(view, base, after)
}

/** A new branch is compared with the default one, and that one with nothing. */
function branchBase({ repo }: PushedTo, { ref, before }: RefUpdate): string {
  return before ?? (branchOf(ref) === repo.defaultBranch ? '' : repo.defaultBranch)
}

function compareWith({ repo, owner }: PushedTo, base: string, head: string): string {
  return base === '' ? '' : `${owner.name}/${repo.name}/compare/${base}...${head}`
}

interface Pushed {
  readonly newest: readonly PushedCommit[]
  readonly count: number
  readonly head: PushedCommit | undefined
  readonly compareUrl: string
}

/** The contract's names, in its order. */
function pushContent({ newest, count, head, compareUrl }: Pushed): string {
  return JSON.stringify({
    Commits: newest.length === 0 ? null : newest.map(presentCommit),
    HeadCommit: head ? presentCommit(head) : null,
    CompareURL: compareUrl,
    Len: count,
  })
}

function presentCommit(commit: PushedCommit) {
  return {
    Sha1: commit.id,
    Message: commit.message,
    AuthorEmail: commit.authorEmail,
    AuthorName: commit.authorName,
    CommitterEmail: commit.committerEmail,
    CommitterName: commit.committerName,
    Timestamp: commit.authoredAt,
  }
}
