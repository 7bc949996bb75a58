import { findAuthors } from '../../code/commits/authors.ts'
import { readingCode } from '../../code/commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { countCommits, listCommitIds, readCommits } from '../../platform/git/history.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { comparedBy } from './content.ts'
import type { FoundPull } from './load.ts'
import { defaultMessage } from './merge-message.ts'

/** A commit message as a form shows it. */
export interface Message {
  readonly title: string
  readonly body: string
}

/** A squash of more commits than this says how many there are beside. */
const MAX_COMMITS = 100
/** A message that is longer than this is cut, and so are all messages together. */
const MAX_MESSAGE = 4_000
const MAX_BODY = 30_000
const TRAILER = /^co-authored-by:\s*(.+?)\s*$/i

/** What the form proposes for a merge commit. */
export async function proposeMerge(
  ctx: Context,
  view: RepositoryView,
  found: FoundPull,
): Promise<Message> {
  const title = await defaultMessage(ctx, view, found, 'merge')
  const hasDescription = ctx.config.repositories.default_merge_description
  return { title, body: hasDescription ? found.issue.body.trim() : '' }
}

/** What the form proposes for a squash: the messages of the commits, and who wrote them. */
export async function proposeSquash(
  ctx: Context,
  view: RepositoryView,
  found: FoundPull,
): Promise<Message> {
  const { commits, earlier } = await listSquashed(ctx, view, found)
  const title = await defaultMessage(ctx, view, found, 'squash')
  const texts = commits.map(({ message }) => message.split('\n'))
  const messages = texts.map((lines) => cut(withoutTrailers(lines), MAX_MESSAGE))
  const more = earlier > 0 ? [`* and ${earlier} earlier commits`] : []
  const body =
    commits.length === 1 && earlier === 0
      ? bodyOfOne(messages[0] ?? '', found.issue.title)
      : cut([...more, ...messages.map((message) => `* ${message}`)].join('\n\n'), MAX_BODY)
  const authors = await coAuthors(ctx, found, commits)
  const named = texts.flatMap((lines) => lines.flatMap((line) => TRAILER.exec(line)?.[1] ?? []))
  const trailers = uniqueTrailers([...authors, ...named])
  return { title, body: [body, trailers.join('\n')].filter((part) => part !== '').join('\n\n') }
}

/** Oldest first, without merges. */
async function listSquashed(ctx: Context, { repo }: RepositoryView, { pull }: FoundPull) {
  const folder = folderOf(ctx, repo)
  const { base, head } = comparedBy(pull)
  const range = { from: head, without: [base] }
  const ids = await listCommitIds(ctx.git, folder, range, { offset: 0, limit: MAX_COMMITS })
  const total = ids.length < MAX_COMMITS ? ids.length : await countCommits(ctx.git, folder, range)
  const found = await readingCode(ctx, repo, (objects) => readCommits(objects, ids.toReversed()))
  const commits = found.filter(({ parents }) => parents.length <= 1)
  return { commits, earlier: total - ids.length }
}

function withoutTrailers(lines: readonly string[]): string {
  const kept = lines.filter((line) => !TRAILER.test(line))
  return kept.join('\n').trim()
}

/** The first line of the only commit is left out where the title of the squash says it already. */
function bodyOfOne(message: string, title: string): string {
  const [first = '', ...rest] = message.split('\n')
  return first.trim() === title.trim() ? rest.join('\n').trim() : message
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).trimEnd()} …`
}

/** Whoever wrote commits beside the author of the squash. */
async function coAuthors(
  ctx: Context,
  { issue }: FoundPull,
  commits: readonly Commit[],
): Promise<readonly string[]> {
  const accountOf = await findAuthors(ctx, commits)
  return commits.flatMap(({ author: { name, email } }) => {
    const isOwn = issue.authorId !== undefined && accountOf(email)?.id === issue.authorId
    return isOwn ? [] : `${name} <${email}>`
  })
}

/** Once for each address. */
function uniqueTrailers(people: readonly string[]): readonly string[] {
  const byAddress = new Map<string, string>()
  for (const person of people) {
    const address = (/<([^>]*)>/.exec(person)?.[1] ?? person).toLowerCase()
    if (!byAddress.has(address)) byAddress.set(address, `Co-authored-by: ${person}`)
  }
  return [...byAddress.values()]
}
