import { KeptObjects } from './kept-objects.ts'
import { ObjectProcess, ReaderGone, type ObjectReader } from './objects.ts'
import type { Git } from './run.ts'

const MAX_WAITING = 8
const PATIENCE_MS = 5000
/** Well before its time limit ends a process, nobody begins to ask it. */
const MAX_AGE_MS = 60_000

/** Git keeps what it has unpacked, which is meant for commands that end soon. */
const command = ['-c', 'core.deltaBaseCacheLimit=8m', 'cat-file', '--batch-command']

interface Waiting {
  readonly folder: string
  readonly reader: ObjectProcess
  readonly patience: NodeJS.Timeout
}

/** Readers that wait a while for the next question: to start one takes longer than most answers. */
class ObjectPool {
  /** The longest waiting first. */
  readonly #waiting = new Set<Waiting>()
  #isClosed = false

  take(folder: string): ObjectProcess | undefined {
    const waiting = [...this.#waiting].findLast((one) => one.folder === folder)
    if (!waiting) return undefined
    this.#remove(waiting)
    return waiting.reader
  }

  async putBack(folder: string, reader: ObjectProcess): Promise<void> {
    const isYoung = performance.now() - reader.startedAt < MAX_AGE_MS
    if (this.#isClosed || !reader.isFree || !isYoung) return reader.end()
    const patience = setTimeout(() => void this.#end(waiting), PATIENCE_MS).unref()
    const waiting: Waiting = { folder, reader, patience }
    this.#waiting.add(waiting)
    const [oldest] = this.#waiting
    if (oldest && this.#waiting.size > MAX_WAITING) void this.#end(oldest)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#waiting].map((one) => this.#end(one)))
  }

  async #end(waiting: Waiting): Promise<void> {
    this.#remove(waiting)
    await waiting.reader.end()
  }

  #remove(waiting: Waiting): void {
    clearTimeout(waiting.patience)
    this.#waiting.delete(waiting)
  }
}

const pools = new WeakMap<Git, ObjectPool>()

function poolOf(git: Git): ObjectPool {
  const pool = pools.get(git) ?? new ObjectPool()
  pools.set(git, pool)
  return pool
}

/**
 * Does `work`, which only reads, with a reader of the objects of a repository. Questions need not
 * wait for answers, and no process is there for those whose answers are kept.
 */
export async function withObjects<T>(
  git: Git,
  folder: string,
  work: (objects: ObjectReader) => Promise<T>,
): Promise<T> {
  const pool = poolOf(git)
  const ask = async (take: () => Promise<ObjectProcess>) => {
    let taken: Promise<ObjectProcess> | undefined
    try {
      return await work(new KeptObjects(git, folder, () => (taken ??= take())))
    } finally {
      const reader = await taken?.catch(() => undefined)
      if (reader) await pool.putBack(folder, reader)
    }
  }
  let hasWaited = false
  try {
    return await ask(async () => {
      const waiting = pool.take(folder)
      hasWaited = waiting !== undefined
      return waiting ?? startReader(git, folder)
    })
  } catch (error) {
    // It had died while it waited.
    if (!(error instanceof ReaderGone && hasWaited)) throw error
  }
  return ask(() => startReader(git, folder))
}

/**
 * Like `withObjects`, for whoever sees objects of other repositories too; nobody else gets that
 * reader.
 */
export async function withObjectsIn<T>(
  environment: Readonly<Record<string, string>>,
  git: Git,
  folder: string,
  work: (objects: ObjectReader) => Promise<T>,
): Promise<T> {
  if (Object.keys(environment).length === 0) return withObjects(git, folder, work)
  const reader = await startReader(git, folder, environment)
  try {
    return await work(reader)
  } finally {
    await reader.end()
  }
}

/** Ends those who wait. */
export async function closeObjects(git: Git): Promise<void> {
  await poolOf(git).close()
}

async function startReader(
  git: Git,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ObjectProcess> {
  return new ObjectProcess(await git.start(folder, command, { environment, hasInput: true }))
}
