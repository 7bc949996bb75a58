import type { Config } from '../../platform/config/config.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import { findAuthorsFor, type Authors } from '../commits/authors.ts'
import { callerOf, type Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import {
  findCommitChanges,
  noChanges,
  type CommitChanges,
} from '../../platform/git/commit-changes.ts'
import type { PushedCommit, PushedCommits } from '../../platform/git/pushed-commits.ts'
import { branchOf, isTag, type RefUpdate } from '../../platform/git/ref-update.ts'
import type { ObjectFormat } from '../../platform/db/columns.ts'
import type { Brought } from './brought.ts'
import { comparePath, type PushedTo } from './describe.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Account } from '../../identity/users/account.ts'
import { announce, isAnybodyListening, type News } from '../../events/webhooks/announce.ts'
import { presentPerson, presentPlace } from '../../repositories/repository/webhook-payload.ts'

/** A ref that moved, with what the event of its push says. */
export interface PushedRef {
  readonly update: RefUpdate
  readonly compareUrl: string
  /** Newest first. */
  readonly commits: readonly PayloadCommit[]
  readonly count: number
  readonly head: PayloadCommit | null
}

export type PayloadCommit = ReturnType<typeof presentCommit>

/** Found out before the transaction, and only when somebody listens. */
export async function preparePush(
  ctx: Context,
  view: PushedTo,
  updates: readonly RefUpdate[],
  brought: Brought,
): Promise<readonly PushedRef[]> {
  const told = updates.filter(({ ref }) => branchOf(ref) !== undefined || isTag(ref))
  if (told.length === 0) return []
  if (!(await isAnybodyListening(ctx, view.repo.id, ['push', 'create', 'delete']))) return []
  const present = await presenterOf(ctx, view, told.map(brought))
  return told.map((update) => ({
    update,
    compareUrl: `${baseUrl(ctx.config)}/${comparePath(view, update)}`,
    ...present(brought(update)),
  }))
}

type PresentedCommits = Pick<PushedRef, 'commits' | 'count' | 'head'>

/** Looks everything up that these take, by one git process. */
export async function presenterOf(
  ctx: Context,
  view: PushedTo,
  found: readonly PushedCommits[],
): Promise<(one: PushedCommits) => PresentedCommits> {
  const all = found.flatMap(({ newest, head }) => (head ? [...newest, head] : newest))
  const folder = folderOf(ctx, view.repo)
  const ids = [...new Set(all.map(({ id }) => id))]
  const changes = await findCommitChanges(ctx.git, folder, ids)
  // The owner says where it is told.
  const viewer = callerOf(view.owner)
  const { authors } = await findAuthorsFor(ctx, viewer, all.map(signaturesOf))
  const present = (commit: PushedCommit) =>
    presentCommit(ctx.config, view, commit, authors, changes.get(commit.id) ?? noChanges)
  return ({ newest, count, head }) => ({
    commits: newest.map(present),
    count,
    head: head ? present(head) : null,
  })
}

function signaturesOf({ authorEmail, committerEmail }: PushedCommit) {
  return { author: { email: authorEmail }, committer: { email: committerEmail } }
}

function presentCommit(
  config: Config,
  { owner, repo }: PushedTo,
  commit: PushedCommit,
  authors: Authors,
  { added, removed, modified }: CommitChanges,
) {
  const person = (name: string, email: string) => ({
    name,
    email,
    username: authors(email)?.name ?? '',
  })
  return {
    id: commit.id,
    message: commit.message,
    url: `${baseUrl(config)}/${owner.name}/${repo.name}/commit/${commit.id}`,
    author: person(commit.authorName, commit.authorEmail),
    committer: person(commit.committerName, commit.committerEmail),
    verification: null,
    timestamp: commit.authoredAt,
    added,
    removed,
    modified,
  }
}

/** In the transaction that records the push. */
export async function announcePush(
  ctx: Context,
  tx: Executor,
  actor: Account,
  { id, objectFormat }: { readonly id: number; readonly objectFormat: ObjectFormat },
  refs: readonly PushedRef[],
): Promise<void> {
  if (refs.length === 0) return
  let place: Promise<object> | undefined
  const sender = presentPerson(ctx, actor)
  const around = async () => ({
    repository: await (place ??= presentPlace(ctx, tx, id)),
    sender,
  })
  const zero = '0'.repeat(objectFormat === 'sha256' ? 64 : 40)
  const news = refs.flatMap((pushed) => newsOf(pushed, zero, around))
  await announce(ctx, tx, id, news)
}

type Around = () => Promise<{ readonly repository: object; readonly sender: object }>

/** A new ref is told of as such and as a push; a branch that goes only as such. */
function newsOf(pushed: PushedRef, zero: string, around: Around): readonly News[] {
  const { ref, before, after } = pushed.update
  const branch = branchOf(ref)
  const type = branch === undefined ? 'tag' : 'branch'
  const short = { ref: branch ?? ref.slice('refs/tags/'.length), ref_type: type }
  const push: News = {
    kind: 'push',
    branch,
    payload: async () => ({ ...presentPush(pushed, zero), ...withPusher(await around()) }),
  }
  if (after === undefined) {
    const payload = async () => ({ ...short, pusher_type: 'user', ...(await around()) })
    const gone: News = { kind: 'delete', branch, payload }
    return type === 'tag' ? [push, gone] : [gone]
  }
  if (before !== undefined) return [push]
  const payload = async () => ({ sha: after, ...short, ...(await around()) })
  return [{ kind: 'create', branch, payload }, push]
}

export function presentPush({ update, compareUrl, commits, count, head }: PushedRef, zero: string) {
  return {
    ref: update.ref,
    before: update.before ?? zero,
    after: update.after ?? zero,
    compare_url: compareUrl,
    commits,
    total_commits: count,
    head_commit: head,
  }
}

export function withPusher<T>({ repository, sender }: { repository: T; sender: object }) {
  return { repository, pusher: sender, sender }
}
