import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { close, openFile, sync } from './descriptors.ts'

/** A process may have a thousand descriptors on some systems, and wants them for other things, too. */
const MOST_KEPT = 256

/** Folders in which files are made again and again stay open, to be synced. */
export class KeptFolders {
  readonly #open = new Map<string, Promise<number>>()

  /** What was made in it is there after a crash. */
  async sync(folder: string): Promise<void> {
    const kept = this.#kept(folder)
    if (kept) return sync(await kept)
    const passing = await openFile(folder, 'r')
    try {
      await sync(passing)
    } finally {
      await close(passing)
    }
  }

  async make(folder: string): Promise<void> {
    const topmost = await mkdir(folder, { recursive: true })
    if (topmost === undefined) return
    // Somebody has removed it meanwhile: what is kept is the one that is gone.
    await this.#forget(folder)
    for (let made = folder; made.length >= topmost.length; made = dirname(made)) {
      await this.sync(dirname(made))
    }
  }

  async close(): Promise<void> {
    for (const folder of this.#open.keys()) await this.#forget(folder)
  }

  async #forget(folder: string): Promise<void> {
    const kept = this.#open.get(folder)
    this.#open.delete(folder)
    if (kept) await close(await kept)
  }

  #kept(folder: string): Promise<number> | undefined {
    const known = this.#open.get(folder)
    if (known || this.#open.size >= MOST_KEPT) return known
    const opened = openFile(folder, 'r')
    this.#open.set(folder, opened)
    opened.catch(() => this.#open.delete(folder))
    return opened
  }
}
