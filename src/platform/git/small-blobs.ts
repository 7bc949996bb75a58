import { BlobStream } from './blob-stream.ts'
import type { Git } from './run.ts'
import { gitOutput, splitLines } from './stream.ts'

/** Bounds what is held of the answers. */
const AT_ONCE = 5000

export interface SmallBlobsOptions {
  readonly maxBytes: number
  readonly timeLimitMs: number
  readonly signal: AbortSignal
}

/** What every blob of the whole history holds that is no larger than this. */
export async function* readSmallBlobs(
  git: Git,
  folder: string,
  options: SmallBlobsOptions,
): AsyncGenerator<Buffer> {
  let ids: string[] = []
  for await (const id of listSmallBlobs(git, folder, options)) {
    if (ids.push(id) < AT_ONCE) continue
    yield* readBlobs(git, folder, ids)
    ids = []
  }
  if (ids.length > 0) yield* readBlobs(git, folder, ids)
}

function listSmallBlobs(
  git: Git,
  folder: string,
  { maxBytes, timeLimitMs, signal }: SmallBlobsOptions,
): AsyncIterable<string> {
  const filters = ['--filter=object:type=blob', `--filter=blob:limit=${maxBytes + 1}`]
  const what = ['--objects', '--no-object-names', '--all', '--filter-provided-objects']
  const command = ['rev-list', ...what, ...filters]
  return splitLines(gitOutput(git, folder, command, { timeLimitMs, signal }))
}

async function* readBlobs(
  git: Git,
  folder: string,
  ids: readonly string[],
): AsyncGenerator<Buffer> {
  const blobs = new BlobStream(git, folder, ids)
  try {
    for (const _ of ids) yield await blobs.whole()
  } finally {
    await blobs.close()
  }
}
