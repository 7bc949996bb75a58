import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { close, openFile, sync } from './descriptors.ts'

/** Folders in which files are made again and again stay open, to be synced. There are as many as keys begin with. */
export class KeptFolders {
  readonly #open = new Map<string, Promise<number>>()

  /** What was made in it is there after a crash. */
  async sync(folder: string): Promise<void> {
    await sync(await this.#opened(folder))
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

  #opened(folder: string): Promise<number> {
    const known = this.#open.get(folder)
    if (known) return known
    const opened = openFile(folder, 'r')
    this.#open.set(folder, opened)
    opened.catch(() => this.#open.delete(folder))
    return opened
  }
}
