import type { ActivityKind } from '../../events/activity/record.ts'
import type { PushedCommit, PushedCommits } from '../../platform/git/pushed-commits.ts'
import { branchOf, isTag, type RefUpdate } from '../../platform/git/ref-update.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Brought } from './brought.ts'

export interface PushActivity {
  readonly kind: ActivityKind
  readonly refName: string
  readonly content: string
}

export type PushedTo = Pick<RepositoryView, 'repo' | 'owner'>

/** What the entries of one push say of commits; the rest of them say how many there were. */
const MAX_CONTENT = 1024 * 1024

/** What the feed of the repository says about these updates. */
export function describePush(
  view: PushedTo,
  updates: readonly RefUpdate[],
  brought: Brought,
): readonly PushActivity[] {
  let left = MAX_CONTENT
  return updates.flatMap((update) => {
    const pushed = { ...brought(update), compareUrl: comparePath(view, update) }
    const told = describeUpdate(update, pushed)
    const length = told.reduce((sum, { content }) => sum + content.length, 0)
    left -= length
    return left < 0 && length > 0
      ? describeUpdate(update, { ...pushed, newest: [], head: undefined })
      : told
  })
}

function describeUpdate(update: RefUpdate, pushed: Pushed): readonly PushActivity[] {
  if (branchOf(update.ref) !== undefined) return describeBranch(update, pushed)
  return isTag(update.ref) ? [describeTag(update, pushed)] : []
}

/** A new branch has two entries, of which one says only that it is there. */
function describeBranch(
  { ref: refName, before, after }: RefUpdate,
  pushed: Pushed,
): readonly PushActivity[] {
  if (after === undefined) return [{ kind: 'delete_branch', refName, content: '' }]
  const made: PushActivity[] =
    before === undefined ? [{ kind: 'commit_repo', refName, content: '' }] : []
  return [...made, { kind: 'commit_repo', refName, content: pushContent(pushed) }]
}

function describeTag({ ref: refName, after }: RefUpdate, pushed: Pushed): PushActivity {
  const kind = after === undefined ? 'delete_tag' : 'push_tag'
  return { kind, refName, content: pushContent(pushed) }
}

/**
 * Where the update is shown, below the server's own address; empty where there is nothing to
 * compare.
 */
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

interface Pushed extends PushedCommits {
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
