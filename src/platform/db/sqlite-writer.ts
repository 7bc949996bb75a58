import { setTimeout as delay } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { SqliteHandle } from './sqlite-handle.ts'
import { DatabaseGone } from './unavailable.ts'

/** Somebody's transaction, while it is theirs to write. */
export interface Turn {
  readonly run: <R>(query: CompiledQuery) => QueryResult<R>
  /** Comes back when all of it is on the disk. */
  readonly commit: () => Promise<void>
  /**
   * Comes back when those are on the disk too whose writes this one may have seen, and failed for.
   */
  readonly rollback: () => Promise<void>
}

/** Transactions that reach the disk together, or not at all. */
interface Group {
  readonly written: PromiseWithResolvers<void>
}

/** Where a transaction stands in its group. The first needs no savepoint to be undone. */
interface Place {
  readonly group: Group
  readonly isFirst: boolean
}

/**
 * A try costs next to nothing, and whoever waited longer each time would never meet the moment
 * between two others.
 */
const RETRY_MS = 1

/**
 * The one connection that writes. Transactions take turns, and those that end in the same turn of
 * the event loop are committed as one: the flush to the disk, which takes far longer than their
 * statements, is shared by them.
 */
export class SqliteWriter {
  readonly #handle: SqliteHandle
  readonly #busyTimeout: number
  readonly #onCommit: () => void
  #queue: Promise<void> = Promise.resolve()
  #group: Group | undefined

  constructor(handle: SqliteHandle, busyTimeout: number, onCommit: () => void) {
    this.#handle = handle
    this.#busyTimeout = busyTimeout
    this.#onCommit = onCommit
  }

  async begin(): Promise<Turn> {
    const handOn = await this.#wait()
    try {
      const place = await this.#join()
      return this.#turn(place, handOn)
    } catch (error) {
      handOn()
      throw error
    }
  }

  /** One statement, which is a transaction of its own. */
  async write<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const turn = await this.begin()
    let result: QueryResult<R>
    try {
      result = turn.run<R>(query)
    } catch (error) {
      await turn.rollback()
      throw error
    }
    await turn.commit()
    return result
  }

  /** The connection, while no transaction is open on it. */
  get idle(): SqliteHandle | undefined {
    return this.#handle.inTransaction ? undefined : this.#handle
  }

  /** Another number after each commit of another process. */
  dataVersion(): number {
    return this.#handle.dataVersion()
  }

  /** Everything that has begun by now is on the disk. */
  async finish(): Promise<void> {
    const handOn = await this.#wait()
    this.#flush()
    handOn()
  }

  /** Like `finish`, and nobody begins anything after it. */
  async close(): Promise<void> {
    const handOn = await this.#wait()
    this.#flush()
    this.#handle.close()
    handOn()
  }

  #turn(place: Place, handOn: () => void): Turn {
    let isOver = false
    return {
      run: (query) => {
        if (isOver) throw new Error('the transaction is over')
        return this.#run(query)
      },
      commit: () => {
        isOver = true
        return this.#commit(place, handOn)
      },
      rollback: () => {
        isOver = true
        return this.#rollback(place, handOn)
      },
    }
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    if (!this.#handle.inTransaction) throw new Error('the transaction has failed before')
    try {
      return this.#handle.run<R>(query)
    } catch (error) {
      // A full disk may undo everything that was not committed yet, also what others had written.
      if (!this.#handle.inTransaction) this.#giveUp(error)
      throw error
    }
  }

  async #commit({ group, isFirst }: Place, handOn: () => void): Promise<void> {
    try {
      if (!isFirst) this.#handle.command('RELEASE turn')
    } finally {
      handOn()
    }
    await group.written.promise
  }

  async #rollback({ group, isFirst }: Place, handOn: () => void): Promise<void> {
    try {
      if (this.#handle.inTransaction) this.#undo(isFirst)
    } finally {
      handOn()
    }
    await group.written.promise.catch(() => undefined)
  }

  /** Before the first of a group there is nothing that would have to stay. */
  #undo(isFirst: boolean): void {
    if (!isFirst) return this.#handle.exec('ROLLBACK TO turn; RELEASE turn')
    this.#handle.command('ROLLBACK')
    this.#group?.written.resolve()
    this.#group = undefined
  }

  /** Waits for the connection; the returned function hands it on. */
  async #wait(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#queue
    this.#queue = before.then(() => promise)
    await before
    return resolve
  }

  async #join(): Promise<Place> {
    if (this.#group) {
      this.#handle.command('SAVEPOINT turn')
      return { group: this.#group, isFirst: false }
    }
    await this.#whenFree(() => this.#handle.command('BEGIN IMMEDIATE'))
    const group = { written: Promise.withResolvers<void>() }
    // Whoever waits for it hears of a failure; nobody waits when all were rolled back.
    group.written.promise.catch(() => undefined)
    this.#group = group
    setImmediate(() => void this.finish())
    return { group, isFirst: true }
  }

  #flush(): void {
    const group = this.#group
    if (!group) return
    try {
      this.#handle.command('COMMIT')
      this.#group = undefined
      group.written.resolve()
    } catch (error) {
      // A failed COMMIT leaves the transaction open, and the next one could not begin.
      if (this.#handle.inTransaction) this.#handle.command('ROLLBACK')
      this.#giveUp(error)
    } finally {
      this.#onCommit()
    }
  }

  #giveUp(error: unknown): void {
    this.#group?.written.reject(error)
    this.#group = undefined
  }

  /**
   * Tries again while another process writes. SQLite's own busy timeout would sleep on the event
   * loop's thread, and stop everything else meanwhile.
   */
  async #whenFree(work: () => void): Promise<void> {
    const end = Date.now() + this.#busyTimeout
    for (;;) {
      try {
        return work()
      } catch (error) {
        if (!isBusy(error)) throw error
        if (Date.now() > end) throw new DatabaseGone(error, false)
        await delay(RETRY_MS)
      }
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}
