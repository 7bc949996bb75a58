import { findAuthorsFor, type Authors } from '../commits/authors.ts'
import { findNamedRevision, readingCode } from '../commits/code.ts'
import { linksOf } from '../commits/present.ts'
import { encodePath } from '../config/urls.ts'
import { callerOf, type Context } from '../context.ts'
import { invalid, invalidField, notFound } from '../errors.ts'
import { countCommits, listCommitIds, readCommits } from '../git/history.ts'
import { findNearestTag } from '../git/nearest-tag.ts'
import type { ObjectReader } from '../git/objects.ts'
import type { Commit } from '../git/parse.ts'
import { findTag } from '../git/revisions.ts'
import { cutToColumns } from '../issues/columns.ts'
import { readableKinds } from '../issues/rights.ts'
import { pullsMergedBy } from '../pulls/merged.ts'
import type { MergedPull } from '../pulls/pull.ts'
import { folderOf } from '../repositories/folder.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { isNewRefName } from '../git/ref-name.ts'

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

/** What a release brings, on one line of commits. */
interface Changes {
  readonly previous: string | undefined
  readonly commits: readonly Commit[]
  /** More than these are counted only. */
  readonly total: number
}

const MAX_LINES = 250
const MAX_COLUMNS = 200

/** A text to begin with: the merged pull requests and other commits since the last tag, and who made them. */
export async function generateNotes(
  ctx: Context,
  view: RepositoryView,
  wanted: WantedNotes,
): Promise<Notes> {
  if (view.repo.isEmpty) throw invalid('repo is empty')
  if (!isNewRefName(wanted.tagName)) throw invalidField('TagName', 'GitRefName')
  const changes = await findChanges(ctx, view, wanted)
  const ids = changes.commits.map(({ id }) => id)
  const pulls = readableKinds(view).pulls
    ? await pullsMergedBy(ctx.db, view.repo.id, ids)
    : new Map<string, MergedPull>()
  // Everybody who reads the repository reads the notes.
  const { authors } = await findAuthorsFor(ctx, callerOf(view.owner), changes.commits)
  const lines = changes.commits.map((commit) => toLine(commit, pulls.get(commit.id), authors))
  const link = linkTo(ctx, view, changes.previous, wanted.tagName)
  return { name: wanted.tagName, body: toText(lines, changes.total - lines.length, link) }
}

async function findChanges(
  ctx: Context,
  { repo }: RepositoryView,
  wanted: WantedNotes,
): Promise<Changes> {
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
    const range = { from: commitId, without, firstParents: true }
    const ids = await listCommitIds(ctx.git, folder, range, { offset: 0, limit: MAX_LINES })
    const isWhole = ids.length < MAX_LINES
    const total = isWhole ? ids.length : await countCommits(ctx.git, folder, range)
    return { previous, commits: await readCommits(objects, ids), total }
  })
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

function toLine(commit: Commit, pull: MergedPull | undefined, authors: Authors): Line {
  if (pull)
    return { title: pull.title, reference: `#${pull.number}`, author: `@${pull.authorName}` }
  const [title = ''] = commit.message.split('\n', 1)
  const account = authors(commit.author.email)
  const author = account ? `@${account.name}` : commit.author.name
  return { title, reference: commit.id.slice(0, 10), author }
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
