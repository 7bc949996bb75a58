import { diffForm } from './diff-form.ts'
import { keepOfEach } from './kept-history.ts'
import type { Commit } from './parse.ts'
import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'
import { whitespaceOptions, type Whitespace } from './whitespace.ts'

interface FileChange {
  readonly path: string
  readonly change: 'added' | 'removed' | 'modified'
}

export interface CommitChanges {
  readonly files: readonly FileChange[]
  readonly additions: number
  readonly deletions: number
}

/** Of commits that changed more than this takes in memory, it is found out each time. */
const MAX_KEPT_BYTES = 1024 * 1024

/**
 * What each commit changed in its first parent: a file that moved is one that was removed and one
 * that was added, of which only the lines that differ count. By one process for all that nobody has
 * asked for lately.
 */
export async function findChanges(
  git: Git,
  folder: string,
  commits: readonly Commit[],
  environment: Readonly<Record<string, string>> = {},
): Promise<(commitId: string) => CommitChanges> {
  const byId = new Map(commits.map((commit) => [commit.id, commit]))
  const found = await keepOfEach(git, [folder, 'changes'], [...byId.keys()], async (ids) => {
    const asked = ids.flatMap((id) => byId.get(id) ?? [])
    const tallies = await askChanges(git, folder, asked, environment)
    return new Map([...tallies].map(([id, value]) => [id, { value, weight: weightOf(value) }]))
  })
  return (commitId) => found.get(commitId) ?? new Tally()
}

async function askChanges(
  git: Git,
  folder: string,
  commits: readonly Commit[],
  environment: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, Tally>> {
  const found = new Map(commits.map(({ id }) => [id, new Tally()]))
  const lines = commits.map(({ id, parents }) => [id, ...parents.slice(0, 1)].join(' '))
  const parameters = ['diff-tree', '--stdin', '-r', '-z', '--root', ...diffForm, '--raw']
  const output = gitOutput(git, folder, [...parameters, '--numstat'], {
    input: `${lines.join('\n')}\n`,
    environment,
  })
  await collect(splitAtNul(output), found)
  for (const tally of found.values()) tally.sort()
  return found
}

function weightOf({ files }: CommitChanges): number {
  const weight = files.reduce((sum, { path }) => sum + path.length + 100, 300)
  return weight > MAX_KEPT_BYTES ? Infinity : weight
}

class Tally implements CommitChanges {
  readonly files: FileChange[] = []
  additions = 0
  deletions = 0

  #hasMoves = false

  /** At its new place; that it is gone from its old one is told by itself. */
  addMoved(path: string): void {
    this.#hasMoves = true
    this.addFile(path, 'A')
  }

  addFile(path: string, letter: string): void {
    const change = letter === 'A' ? 'added' : letter === 'D' ? 'removed' : 'modified'
    this.files.push({ path, change })
  }

  /** By the bytes of their paths, as git does. */
  sort(): void {
    if (!this.#hasMoves) return
    const bytes = new Map(this.files.map(({ path }) => [path, Buffer.from(path)]))
    const bytesOf = ({ path }: FileChange) => bytes.get(path) ?? Buffer.alloc(0)
    this.files.sort((one, other) => Buffer.compare(bytesOf(one), bytesOf(other)))
  }

  /** Binary files have dashes in place of numbers. */
  addLines(text: string): void {
    const [added, deleted] = text.split('\t')
    this.additions += Number(added) || 0
    this.deletions += Number(deleted) || 0
  }
}

/**
 * A commit's id, then `:modes ids letter` and a path for each file, then `added deleted path` for
 * each. A file that moved has two paths, each a text of its own.
 */
async function collect(
  texts: AsyncIterable<string>,
  found: ReadonlyMap<string, Tally>,
): Promise<void> {
  let tally = new Tally()
  let takePaths: ((path: string) => void)[] = []
  for await (const text of texts) {
    const take = takePaths.shift()
    if (take) take(text)
    else if (text.startsWith(':')) takePaths = takersOf(text, tally)
    else if (text.includes('\t')) {
      tally.addLines(text)
      if (countedMove.test(text)) takePaths = [ignore, ignore]
    } else tally = found.get(text) ?? tally
  }
}

/** The numbers of a file that moved, whose paths follow. */
const countedMove = /^\S+\t\S+\t$/
const ignore = (): void => undefined

/** For each path that follows. */
function takersOf(text: string, tally: Tally): ((path: string) => void)[] {
  const [letter = ''] = /[A-Z](?=\d*$)/.exec(text) ?? []
  if (letter !== 'R') return [(path) => tally.addFile(path, letter)]
  return [(path) => tally.addFile(path, 'D'), (path) => tally.addMoved(path)]
}

/** The difference that one commit makes, as git prints it. */
export function commitDiff(git: Git, folder: string, commit: Commit): AsyncGenerator<Buffer> {
  const base = commit.parents[0]
  const parameters =
    base === undefined
      ? ['diff-tree', '-p', ...diffForm, '--root', '--no-commit-id', commit.id]
      : ['diff-tree', '-p', ...diffForm, base, commit.id]
  return gitOutput(git, folder, parameters)
}

/** Like `commitDiff`, for people: names are as they are. */
export function readableDiff(
  git: Git,
  folder: string,
  commit: Commit,
  whitespace: Whitespace,
): AsyncGenerator<Buffer> {
  const form = ['-p', ...diffForm, '--no-ext-diff', '--no-textconv', '--no-commit-id']
  const options = [...form, ...whitespaceOptions[whitespace]]
  const [base] = commit.parents
  const ends = base === undefined ? ['--root', commit.id] : [base, commit.id]
  return gitOutput(git, folder, ['-c', 'core.quotePath=false', 'diff-tree', ...options, ...ends])
}

/** The commit as a mail, for `git am`; a merge as those that it brought, each as one. */
export function commitPatch(git: Git, folder: string, commit: Commit): AsyncGenerator<Buffer> {
  const [base] = commit.parents
  const which = base === undefined ? ['--root', commit.id] : [`${base}..${commit.id}`]
  const parameters = ['format-patch', '--no-signature', '--stdout', ...diffForm, ...which]
  return gitOutput(git, folder, parameters)
}

export interface Comparison {
  readonly base: string
  readonly head: string
}

export interface RangeOptions {
  readonly binary?: boolean
  readonly whitespace?: Whitespace
}

export function rangeDiff(
  git: Git,
  folder: string,
  { base, head }: Comparison,
  environment: Readonly<Record<string, string>>,
  { binary = false, whitespace = 'show-all' }: RangeOptions,
): AsyncGenerator<Buffer> {
  const form = [...diffForm, '--no-ext-diff', '--no-textconv', ...(binary ? ['--binary'] : [])]
  const options = [...form, ...whitespaceOptions[whitespace]]
  return gitOutput(git, folder, ['diff', ...options, base, head, '--'], { environment })
}

export function rangePatch(
  git: Git,
  folder: string,
  { base, head }: Comparison,
  environment: Readonly<Record<string, string>> = {},
): AsyncGenerator<Buffer> {
  const form = ['--no-signature', '--stdout', ...diffForm]
  const parameters = ['format-patch', ...form, `${base}..${head}`]
  return gitOutput(git, folder, parameters, { environment })
}
