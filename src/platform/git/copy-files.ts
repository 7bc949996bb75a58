import { BlobStream, COPYING_LIMIT_MS } from './blob-stream.ts'
import { quotePath, type Identity } from './create.ts'
import type { ListedEntry } from './list-everything.ts'
import type { Git } from './run.ts'

export interface CopiedFile extends ListedEntry {
  /** In place of what the blob holds. */
  readonly content?: Buffer | undefined
}

export interface CopiedCommit {
  readonly branch: string
  readonly message: string
  readonly author: Identity
  /** Whole seconds since 1970. */
  readonly at: number
  readonly files: readonly CopiedFile[]
}

/**
 * One commit without parents in `to`, of files of `from`: one process writes what another reads.
 */
export async function copyFiles(
  git: Git,
  from: string,
  to: string,
  commit: CopiedCommit,
): Promise<void> {
  const copied = commit.files.filter((file) => isBlob(file) && file.content === undefined)
  const blobs = new BlobStream(git, from, [...new Set(copied.map(({ id }) => id))])
  // Always one pack, and no time spent on making it small: the template's is no larger.
  const settings = ['-c', 'fastimport.unpackLimit=1', '-c', 'pack.compression=1']
  const parameters = [...settings, 'fast-import', '--quiet', '--force', '--depth=0']
  try {
    await git.run(to, parameters, {
      input: joined(instructions(commit, blobs)),
      timeLimitMs: COPYING_LIMIT_MS,
    })
  } finally {
    await blobs.close()
  }
}

function isBlob({ mode }: ListedEntry): boolean {
  return mode !== '160000'
}

async function* instructions(
  { branch, message, author, at, files }: CopiedCommit,
  blobs: BlobStream,
): AsyncGenerator<Buffer> {
  const who = `${author.name} <${author.email}> ${at} +0000`
  const head = `feature done\ncommit refs/heads/${branch}\nauthor ${who}\ncommitter ${who}\n`
  yield Buffer.from(`${head}data ${Buffer.byteLength(message)}\n${message}\n`)
  const written = new Set<string>()
  for (const file of files) {
    if (!isBlob(file) || (file.content === undefined && written.has(file.id))) {
      yield byId(file)
      continue
    }
    yield inline(file)
    if (file.content) yield file.content
    else {
      written.add(file.id)
      yield* blobs.next()
    }
    yield newLine
  }
  yield Buffer.from('done\n')
}

const newLine = Buffer.from('\n')

/** What is there already: however many paths lead to a blob, it is copied once. */
function byId(file: CopiedFile): Buffer {
  return Buffer.from(`M ${modeOf(file)} ${file.id} ${quotePath(file.path)}\n`, 'latin1')
}

function inline(file: CopiedFile): Buffer {
  const size = file.content?.length ?? file.size
  const line = `M ${modeOf(file)} inline ${quotePath(file.path)}\ndata ${size}\n`
  return Buffer.from(line, 'latin1')
}

/** Old trees have modes that git no longer writes. */
function modeOf({ mode }: ListedEntry): string {
  if (!mode.startsWith('100')) return mode
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? '100644' : '100755'
}

const JOINED_BYTES = 64 * 1024

/** Many small pieces as few larger ones. */
async function* joined(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let bytes = 0
  for await (const piece of pieces) {
    waiting.push(piece)
    bytes += piece.length
    if (bytes < JOINED_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  yield Buffer.concat(waiting)
}
