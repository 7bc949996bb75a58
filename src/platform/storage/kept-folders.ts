import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { close, openFile, sync } from './descriptors.ts'

const MOST_KEPT = 256
/** Of the descriptors that the process may have, which it wants for other things, too. */
const SHARE_KEPT = 1 / 4

/** Folders in which files are made again and again stay open, to be synced. */
export class KeptFolders {
  readonly #most = Math.min(MOST_KEPT, Math.floor(allowedDescriptors() * SHARE_KEPT))
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
    const topmost = await makeFolder(folder)
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
    if (known || this.#open.size >= this.#most) return known
    const opened = openFile(folder, 'r')
    this.#open.set(folder, opened)
    opened.catch(() => this.#open.delete(folder))
    return opened
  }
}

/** As Linux tells it; elsewhere Node lets itself have as many as there are. */
function allowedDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}
