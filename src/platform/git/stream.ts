import { Readable } from 'node:stream'
import { resumed } from '../storage/bytes.ts'
import { GitError, type Git, type GitOptions } from './run.ts'

/** For what goes to a client: as long as a slow one may take. */
export const DOWNLOAD_LIMIT_MS = 3_600_000

/** Input that is sent as a whole, once it is known. */
export type OutputOptions = Omit<GitOptions, 'input'> & {
  readonly input?: string | Promise<string>
}

/**
 * What git writes, as it writes it. Whoever stops reading ends the process; its failure breaks the
 * stream.
 */
export async function* gitOutput(
  git: Git,
  folder: string,
  parameters: readonly string[],
  options: OutputOptions = {},
): AsyncGenerator<Buffer> {
  const { input, ...rest } = options
  const child = await git.start(folder, parameters, { ...rest, hasInput: input !== undefined })
  if (input !== undefined) void Promise.resolve(input).then((text) => child.stdin.end(text))
  try {
    yield* child.stdout as AsyncIterable<Buffer>
    const { code, complaint } = await child.ended
    options.signal?.throwIfAborted()
    if (code !== 0) throw new GitError(parameters[0] ?? '', code, complaint)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Clients that take less than a chunk in this time hold a process or a file open for nothing. */
const TAKING_MS = 60_000

/**
 * The body of an answer. A process behind it does not start before somebody reads, and ends when
 * nobody goes on to.
 */
export function streamOf(chunks: AsyncIterable<Uint8Array>, takingMs = TAKING_MS): Readable {
  const giveUp = () => stream.destroy(new Error('an answer was taken too slowly'))
  const stream = Readable.from(withTimer(chunks, takingMs, giveUp), { objectMode: false })
  return stream
}

async function* withTimer<Chunk>(
  chunks: AsyncIterable<Chunk>,
  takingMs: number,
  giveUp: () => void,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    const timer = setTimeout(giveUp, takingMs).unref()
    try {
      yield chunk
    } finally {
      clearTimeout(timer)
    }
  }
}

/** So much of an answer is there before it begins, or all of it. */
const BEGUN_BYTES = 65_536

/**
 * Like `streamOf`, once the beginning of it is there: what fails before that can still be told in
 * an answer.
 */
export async function begunStreamOf(chunks: AsyncIterable<Uint8Array>): Promise<Readable> {
  const source = chunks[Symbol.asyncIterator]()
  const begun: Uint8Array[] = []
  for (let length = 0; length < BEGUN_BYTES;) {
    const { done, value } = await source.next()
    if (done) break
    begun.push(value)
    length += value.length
  }
  const stream = streamOf(resumed(begun, source))
  // What nobody begins to read does not end by itself.
  stream.once('close', () => void source.return?.())
  return stream
}

/**
 * Splits bytes into the texts between NULs; in `latin1` each byte is a character, whatever it
 * means.
 */
export function splitAtNul(
  chunks: AsyncIterable<Buffer>,
  encoding: 'utf8' | 'latin1' = 'utf8',
): AsyncGenerator<string> {
  return splitAt(0, chunks, encoding)
}

export function splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  return splitAt(10, chunks, 'utf8')
}

async function* splitAt(
  separator: number,
  chunks: AsyncIterable<Buffer>,
  encoding: 'utf8' | 'latin1',
): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, from)) {
      yield bytes.toString(encoding, from, end)
      from = end + 1
    }
    rest = Buffer.from(bytes.subarray(from))
  }
  if (rest.length > 0) yield rest.toString(encoding)
}
