import type { Context } from '../context.ts'
import { discardFile, type ReceivedFile } from './receive.ts'

/**
 * Files of a form that are stored and have no record yet. What nobody takes is discarded in the
 * end.
 */
export class StoredFiles {
  readonly #ctx: Context
  readonly #files: ReceivedFile[] = []

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  get count(): number {
    return this.#files.length
  }

  add(file: ReceivedFile): void {
    this.#files.push(file)
  }

  /** From then on they are the caller's to discard. */
  take(): readonly ReceivedFile[] {
    return this.#files.splice(0)
  }

  async discard(): Promise<void> {
    for (const file of this.take()) await discardFile(this.#ctx, file)
  }
}
