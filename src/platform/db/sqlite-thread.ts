import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** One read, as the other thread sends it. */
export interface ReadRequest {
  readonly id: number
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

export type ReadAnswer =
  | { readonly id: number; readonly rows: readonly unknown[] }
  | { readonly id: number; readonly error: Error }

const db = new DatabaseSync(String(workerData), { readOnly: true })
db.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY')

function answer({ id, sql, parameters }: ReadRequest): ReadAnswer {
  try {
    return { id, rows: db.prepare(sql).all(...parameters) }
  } catch (error) {
    return { id, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

parentPort?.on('message', (request: ReadRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer(request))
})
