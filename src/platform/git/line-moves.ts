import { diffForm } from './diff-form.ts'
import { keepOfEach } from './kept-history.ts'
import { withObjects } from './object-pool.ts'
import { unquote } from './patch.ts'
import type { Git } from './run.ts'
import { gitOutput, splitLines } from './stream.ts'

/** A file as it is in a commit. */
export interface FileAt {
  readonly commitId: string
  readonly path: string
}

/** What became of a file between two commits. */
export interface FileMove {
  /** Where the file is now. */
  readonly path: string
  readonly changes: readonly LineChange[]
}

/**
 * `removed` lines from `from` on made way for `added` others. With none removed, these follow
 * `from`.
 */
interface LineChange {
  readonly from: number
  readonly removed: number
  readonly added: number
}

type Moves = ReadonlyMap<string, FileMove | undefined>

/** More changes than this are not read of one file: what lies below them counts as changed. */
const MAX_CHANGES = 20_000
const CHANGE_BYTES = 60
const FILE_BYTES = 300
/** More paths than this do not fit into the parameters of a process. */
const MAX_PATHS = 500
const MAX_PATH_BYTES = 64 * 1024
const literalPaths = { GIT_LITERAL_PATHSPECS: '1' }
const parameters = ['diff-tree', '--stdin', '--always', '-r', '-p', '-U0', ...diffForm]
const command = [...parameters, '--no-ext-diff', '--no-textconv']

/**
 * Where the lines of files are in the commit `to`. One process answers for all files; a second one
 * looks for the files that are no longer at their paths. A file that is gone has no move, and
 * neither has one of a commit that the repository no longer has.
 */
export async function findLineMoves(
  git: Git,
  folder: string,
  to: string,
  files: readonly FileAt[],
): Promise<(file: FileAt) => FileMove | undefined> {
  const byKey = new Map(files.map((file) => [keyOf(file), file]))
  const found = await keepOfEach(
    git,
    [folder, 'line moves', to],
    [...byKey.keys()],
    async (keys) => {
      const wanted = keys.flatMap((key) => byKey.get(key) ?? [])
      const asked = await withCommits(git, folder, wanted)
      const moves = await askMoves(git, folder, to, asked)
      const known = new Set(asked)
      return new Map(
        wanted.map((file) => {
          const key = keyOf(file)
          return [key, weighed(moves.get(key), known.has(file))]
        }),
      )
    },
  )
  return (file) => found.get(keyOf(file))?.move
}

/** Where a line is after the move; nowhere when it was removed or changed. */
export function moveLine({ changes }: FileMove, line: number): number | undefined {
  let shift = 0
  for (const { from, removed, added } of changes) {
    const isBefore = removed === 0 ? line <= from : line < from
    if (isBefore) return line + shift
    if (line < from + removed) return undefined
    shift += added - removed
  }
  return changes.length < MAX_CHANGES ? line + shift : undefined
}

function keyOf({ commitId, path }: FileAt): string {
  return `${commitId} ${path}`
}

/** In a record of its own: a cache holds no `undefined`. A commit that is missing may come back. */
function weighed(move: FileMove | undefined, isKnown: boolean) {
  const weight = FILE_BYTES + (move ? move.path.length + move.changes.length * CHANGE_BYTES : 0)
  return { value: { move }, weight: isKnown ? weight : Infinity }
}

/** Commits that nothing leads to any more go in time. */
async function withCommits(
  git: Git,
  folder: string,
  files: readonly FileAt[],
): Promise<readonly FileAt[]> {
  return withObjects(git, folder, async (objects) => {
    const ids = [...new Set(files.map(({ commitId }) => commitId))]
    const infos = await Promise.all(ids.map((id) => objects.info(id)))
    const there = new Set(ids.filter((_, place) => infos[place]?.type === 'commit'))
    return files.filter(({ commitId }) => there.has(commitId))
  })
}

async function askMoves(
  git: Git,
  folder: string,
  to: string,
  files: readonly FileAt[],
): Promise<Moves> {
  if (files.length === 0) return new Map()
  const paths = [...new Set(files.map(({ path }) => path))]
  const fits = paths.length <= MAX_PATHS && paths.join('').length <= MAX_PATH_BYTES
  const options = ['--no-renames', '--', ...(fits ? paths : [])]
  const changed = await readMoves(git, folder, { to, files, options })
  const same = files.map((file) => [keyOf(file), { path: file.path, changes: [] }] as const)
  const moves = new Map<string, FileMove | undefined>([...same, ...changed])
  const lost = files.filter((file) => moves.get(keyOf(file)) === undefined)
  if (lost.length === 0) return moves
  const renames = { to, files: lost, options: ['--diff-filter=R'] }
  return new Map([...moves, ...(await readMoves(git, folder, renames))])
}

interface Asked {
  readonly to: string
  readonly files: readonly FileAt[]
  readonly options: readonly string[]
}

async function readMoves(git: Git, folder: string, { to, files, options }: Asked): Promise<Moves> {
  const commits = [...new Set(files.map(({ commitId }) => commitId))]
  const output = gitOutput(git, folder, [...command, ...options], {
    input: commits.map((id) => `${to} ${id}\n`).join(''),
    environment: literalPaths,
  })
  const reader = new MovesReader(commits, new Set(files.map(keyOf)))
  for await (const line of splitLines(output)) reader.read(line)
  return reader.moves
}

/** Reads one difference for each of `commits`, in their order. */
class MovesReader {
  readonly moves = new Map<string, FileMove | undefined>()
  readonly #commits: readonly string[]
  readonly #wanted: ReadonlySet<string>
  #place = -1
  #isHead = false
  #before: string | undefined
  #changes: LineChange[] | undefined

  constructor(commits: readonly string[], wanted: ReadonlySet<string>) {
    this.#commits = commits
    this.#wanted = wanted
  }

  /** A line of a file begins with a sign, so that no other line can be taken for one. */
  read(line: string): void {
    const change = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (change) this.#readChange(change)
    else if (line.startsWith('diff --git ')) this.#begin()
    else if (/^[0-9a-f]{40,64}$/.test(line)) this.#place += 1
    else if (this.#isHead) this.#readHead(line)
  }

  #begin(): void {
    this.#isHead = true
    this.#before = undefined
    this.#changes = undefined
  }

  #readHead(line: string): void {
    if (line.startsWith('rename from ')) this.#before = unquote(line.slice('rename from '.length))
    else if (line.startsWith('rename to ')) this.#add(unquote(line.slice('rename to '.length)))
    else if (line.startsWith('--- ')) this.#before ??= nameOn(line)
    else if (line.startsWith('+++ ')) this.#add(nameOn(line))
  }

  /** Both the names after a rename and those of the sides may tell it. */
  #add(path: string | undefined): void {
    const commitId = this.#commits[this.#place]
    if (this.#before === undefined || commitId === undefined || this.#changes) return
    const key = keyOf({ commitId, path: this.#before })
    if (!this.#wanted.has(key)) return
    this.#changes = []
    this.moves.set(key, path === undefined ? undefined : { path, changes: this.#changes })
  }

  #readChange([, from, removed = '1', added = '1']: RegExpExecArray): void {
    this.#isHead = false
    if (!this.#changes || this.#changes.length >= MAX_CHANGES) return
    this.#changes.push({ from: Number(from), removed: Number(removed), added: Number(added) })
  }
}

/** `--- a/name`; a tab ends a name that holds blanks. */
function nameOn(line: string): string | undefined {
  const name = unquote(line.slice(4).replace(/\t$/, ''))
  return name === '/dev/null' ? undefined : name.slice(2)
}
