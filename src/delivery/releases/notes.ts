import { findAuthorsFor, type Authors } from '../../code/commits/authors.ts'
import { findNamedRevision, readingCode } from '../../code/commits/code.ts'
import { linksOf } from '../../code/commits/present.ts'
import { encodePath } from '../../platform/config/urls.ts'
import { callerOf, type Context } from '../../platform/context.ts'
import { invalid, invalidField, notFound } from '../../platform/errors.ts'
import { countCommits, listCommitIds, readCommits, type Range } from '../../platform/git/history.ts'
import { findNearestTag } from '../../platform/git/nearest-tag.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { findTag } from '../../platform/git/revisions.ts'
import { cutToColumns } from '../../collaboration/issues/columns.ts'
import { readableKinds } from '../../collaboration/issues/rights.ts'
import { pullsMergedAmong } from '../../collaboration/pulls/merged.ts'
import type { MergedPull } from '../../collaboration/pulls/pull.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { isNewRefName } from '../../platform/git/ref-name.ts'
import { changesOf, type Change } from './changes.ts'

export interface WantedNotes {
  readonly tagName: string
  /** Where the tag is going to be, should it be missing. */
  readonly target: string
  /** Since when; the nearest tag unless given. */
  readonly previousTagName: string
}

export interface Notes {
  readonly name: string
  readonly body: string
}

/** What a release brings. */
interface Changes {
  readonly previous: string | undefined
  readonly shown: readonly Change[]
  /** Of the commits among those that are shown. */
  readonly commits: readonly Commit[]
  /** More than these are counted only. */
  readonly total: number
}

/** So many commits are looked at for pull requests. */
const MAX_COMMITS = 5_000
const MAX_LINES = 250
const MAX_COLUMNS = 200

/**
 * A text to begin with: the merged pull requests and other commits since the last tag, and who made
 * them.
 */
export async function generateNotes(
  ctx: Context,
  view: RepositoryView,
  wanted: WantedNotes,
): Promise<Notes> {
  if (view.repo.isEmpty) throw invalid('repo is empty')
  if (!isNewRefName(wanted.tagName)) throw invalidField('TagName', 'GitRefName')
  const changes = await findChanges(ctx, view, wanted)
  // Everybody who reads the repository reads the notes.
  const { authors } = await findAuthorsFor(ctx, callerOf(view.owner), changes.commits)
  const lines = changes.shown.map((change) => toLine(change, authors))
  const link = linkTo(ctx, view, changes.previous, wanted.tagName)
  return { name: wanted.tagName, body: toText(lines, changes.total - lines.length, link) }
}

async function findChanges(
  ctx: Context,
  view: RepositoryView,
  wanted: WantedNotes,
): Promise<Changes> {
  const { repo } = view
  const folder = folderOf(ctx, repo)
  return readingCode(ctx, repo, async (objects) => {
    const head =
      (await findTag(objects, wanted.tagName)) ??
      (await findNamedRevision(objects, repo, wanted.target))
    if (!head) throw notFound('target not found', { reason: 'target_missing' })
    const { commitId } = head
    const previous =
      wanted.previousTagName ||
      (await findNearestTag(ctx.git, folder, { commitId, except: wanted.tagName }))
    const without = previous ? [await loadTagged(objects, previous)] : []
    const range = { from: commitId, without }
    const ids = await listCommitIds(ctx.git, folder, range, { offset: 0, limit: MAX_COMMITS })
    const pulls = readableKinds(view).pulls ? await pullsMergedAmong(ctx.db, repo.id, ids) : []
    const commits = await readCommits(objects, ids)
    const rebased = await findRebased(ctx, folder, objects, commits, pulls)
    const all = changesOf(commits, commitId, pulls, rebased)
    const beyond = ids.length < MAX_COMMITS ? 0 : await countBeyond(ctx, folder, range, commits)
    const shown = all.slice(0, MAX_LINES)
    const told = shown.flatMap((change) => (change.kind === 'commit' ? [change.commit] : []))
    return { previous, shown, commits: told, total: all.length + beyond }
  })
}

/** How many more the base branch has than were looked at. */
async function countBeyond(
  ctx: Context,
  folder: string,
  range: Range,
  commits: readonly Commit[],
): Promise<number> {
  const all = await countCommits(ctx.git, folder, { ...range, firstParents: true })
  return Math.max(0, all - commits.length)
}

/**
 * How many commits those brought that were rebased: the last is as the head was, with another
 * parent.
 */
async function findRebased(
  ctx: Context,
  folder: string,
  objects: ObjectReader,
  commits: readonly Commit[],
  pulls: readonly MergedPull[],
): Promise<ReadonlyMap<MergedPull, number>> {
  const byId = new Map(commits.map((commit) => [commit.id, commit]))
  const counts = new Map<MergedPull, number>()
  for (const pull of pulls) {
    const merged = byId.get(pull.mergeCommitId)
    if (merged?.parents.length !== 1 || pull.headCommitId === merged.id) continue
    const [head] = await readCommits(objects, [pull.headCommitId])
    if (head?.message !== merged.message) continue
    const range = { from: head.id, without: [pull.mergeBase] }
    counts.set(pull, await countCommits(ctx.git, folder, range))
  }
  return counts
}

async function loadTagged(objects: ObjectReader, name: string): Promise<string> {
  const tag = await findTag(objects, name)
  if (!tag) throw notFound(`tag doesn't exist: ${name}`)
  return tag.commitId
}

/** One change: what it is called, where it is found, who made it. */
interface Line {
  readonly title: string
  readonly reference: string
  readonly author: string
}

function toLine(change: Change, authors: Authors): Line {
  if (change.kind === 'pull') {
    const { title, number, authorName } = change.pull
    return { title, reference: `#${number}`, author: `@${authorName}` }
  }
  const { message, author: by, id } = change.commit
  const [title = ''] = message.split('\n', 1)
  const account = authors(by.email)
  return { title, reference: id.slice(0, 10), author: account ? `@${account.name}` : by.name }
}

function toText(lines: readonly Line[], left: number, link: string): string {
  const changes = lines.map(
    ({ title, reference, author }) =>
      `- ${cutToColumns(title.trim(), MAX_COLUMNS)} (${reference}, ${author})`,
  )
  const people = [...new Set(lines.map(({ author }) => author))]
  return [
    ...(changes.length === 0 ? [] : ['## Changes', changes.join('\n')]),
    ...(left === 0 ? [] : [`And ${left} more.`]),
    ...(people.length === 0 ? [] : ['## Contributors', people.join(', ')]),
    `**All changes**: ${link}`,
  ].join('\n\n')
}

function linkTo(
  { config }: Context,
  view: RepositoryView,
  previous: string | undefined,
  tagName: string,
): string {
  const { page } = linksOf(config, view)
  const tag = encodePath(tagName)
  return previous
    ? `${page}/compare/${encodePath(previous)}...${tag}`
    : `${page}/commits/tag/${tag}`
}
