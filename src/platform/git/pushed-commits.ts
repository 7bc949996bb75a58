import { beginningOf } from '../parsing/beginning.ts'
import { withObjects } from './object-pool.ts'
import type { RefUpdate } from './ref-update.ts'
import { GitError, type Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'

/** A commit as the feed of a repository shows it. */
export interface PushedCommit {
  readonly id: string
  readonly message: string
  readonly authorName: string
  readonly authorEmail: string
  readonly committerName: string
  readonly committerEmail: string
  /** ISO 8601, in the zone of its author. */
  readonly authoredAt: string
}

const fields = ['%H', '%an', '%ae', '%cn', '%ce', '%aI', '%B']
const MAX_BYTES = 1024 * 1024
/** What feeds and webhooks tell of one commit. */
const MAX_MESSAGE = 128 * 1024
const MAX_NAME = 1024
/** Of a new branch no more than these are looked at. */
const MAX_OF_NEW_BRANCH = 10

export interface PushedCommits {
  /** Newest first, no more than were asked for. */
  readonly newest: readonly PushedCommit[]
  readonly count: number
  readonly head: PushedCommit | undefined
}

/**
 * What a push brought to a branch: for a new one the commits that no other branch has. Git is
 * started at once and looks when the branch has moved; where it has not, there is nothing.
 */
export async function findPushedCommits(
  git: Git,
  folder: string,
  { ref, before, after = '' }: RefUpdate,
  limit: number,
  hasMoved: Promise<boolean> = Promise.resolve(true),
): Promise<Omit<PushedCommits, 'head'>> {
  const others =
    before === undefined ? ['--not', `--exclude=${ref}`, '--glob=refs/heads/'] : [`^${before}`]
  const lookedAt = before === undefined ? MAX_OF_NEW_BRANCH : limit
  const input = hasMoved.then((is) => (is ? `${after}\n` : ''))
  const selection = [`--max-count=${lookedAt}`, '--stdin', ...others]
  const found = await readLog(git, folder, selection, input)
  const isAll = before === undefined || found.length < limit
  const count = isAll ? found.length : await countCommits(git, folder, [after, ...others])
  return { newest: found.slice(0, limit), count }
}

/** The commits that `ids` are or that tags lead to, each by the id that was asked for. */
export async function findHeadCommits(
  git: Git,
  folder: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PushedCommit>> {
  const [only] = ids
  if (only !== undefined && ids.length === 1) {
    const commit = await findHeadCommit(git, folder, only)
    return new Map(commit && [[only, commit]])
  }
  const commitIds = await findCommitIds(git, folder, ids)
  if (commitIds.size === 0) return new Map()
  const selection = ['--no-walk=unsorted', ...new Set(commitIds.values())]
  const commits = await readLog(git, folder, selection)
  const byId = new Map(commits.map((commit) => [commit.id, commit]))
  return new Map(
    [...commitIds].flatMap(([id, commitId]) => {
      const commit = byId.get(commitId)
      return commit ? [[id, commit]] : []
    }),
  )
}

async function findCommitIds(
  git: Git,
  folder: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return withObjects(git, folder, async (objects) => {
    const found = await Promise.all(ids.map((id) => objects.info(`${id}^{commit}`)))
    return new Map(
      ids.flatMap((id, at) => {
        const commitId = found[at]?.id
        return commitId === undefined ? [] : [[id, commitId]]
      }),
    )
  })
}

/** The commit that `id` is or that a tag leads to; a tag may lead to something else. */
export async function findHeadCommit(
  git: Git,
  folder: string,
  id: string,
): Promise<PushedCommit | undefined> {
  try {
    return (await readLog(git, folder, ['--max-count=1', '--no-walk', id]))[0]
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

async function countCommits(git: Git, folder: string, range: readonly string[]): Promise<number> {
  return Number(await git.text(folder, ['rev-list', '--count', ...range, '--']))
}

async function readLog(
  git: Git,
  folder: string,
  selection: readonly string[],
  input?: Promise<string>,
): Promise<readonly PushedCommit[]> {
  const format = `--format=${fields.join('%x00')}`
  const command = ['log', '-z', '--encoding=UTF-8', format, ...selection, '--']
  const output = gitOutput(git, folder, command, input && { input })
  const texts: string[] = []
  for await (const text of splitAtNul(upTo(MAX_BYTES, output))) texts.push(text)
  const commits: PushedCommit[] = []
  for (let at = 0; at + fields.length <= texts.length; at += fields.length) {
    commits.push(toCommit(texts.slice(at, at + fields.length)))
  }
  return commits
}

/** Messages may be as long as their authors like; the feed does not need all of it. */
async function* upTo(maxBytes: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = maxBytes
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}

function toCommit(texts: readonly string[]): PushedCommit {
  const [id = '', authorName = '', authorEmail = '', committerName = '', committerEmail = ''] =
    texts
  const [authoredAt = '', message = ''] = texts.slice(5)
  return {
    id,
    message: beginningOf(message, MAX_MESSAGE),
    authorName: beginningOf(authorName, MAX_NAME),
    authorEmail: beginningOf(authorEmail, MAX_NAME),
    committerName: beginningOf(committerName, MAX_NAME),
    committerEmail: beginningOf(committerEmail, MAX_NAME),
    authoredAt: authoredAt.replace(/\+00:00$/, 'Z'),
  }
}
