import { keptBy } from '../caches/kept-by.ts'
import { WeighedCache } from '../caches/weighed-cache.ts'
import type { GitObject, ObjectInfo, ObjectProcess, ObjectReader } from './objects.ts'
import { parseObject, type ParsedObjects } from './parse.ts'
import type { Git } from './run.ts'
import { peekRef } from './tip.ts'

const MAX_BYTES = 16 * 1024 * 1024
/** Of their own: a folder may have as many files as there is room for. */
const MAX_SIZES_BYTES = 8 * 1024 * 1024
/** Larger objects are read each time: a few of them would push all others out. */
const MAX_KEPT_BYTES = 128 * 1024
/** What one takes in memory, whatever it holds. */
const OBJECT_BYTES = 1000
const SIZE_BYTES = 200
/** How much larger it is when it is parsed: each entry of a tree becomes a record. */
const GROWTH = { commit: 3, tag: 3, tree: 8 } as const

const keptOf = keptBy((_git: Git) => new WeighedCache<unknown>('objects', MAX_BYTES))
const sizesOf = keptBy((_git: Git) => new WeighedCache<number>('sizes', MAX_SIZES_BYTES))

/**
 * Keeps what refs and objects lead to by its id, behind which there is always the same. The rest is
 * asked for each time.
 */
export class KeptObjects implements ObjectReader {
  readonly #kept: WeighedCache<unknown>
  readonly #sizes: WeighedCache<number>
  readonly #folder: string
  readonly #process: () => Promise<ObjectProcess>

  /** Whoever asks for something that is not kept gets the process. */
  constructor(git: Git, folder: string, process: () => Promise<ObjectProcess>) {
    this.#kept = keptOf(git)
    this.#sizes = sizesOf(git)
    this.#folder = folder
    this.#process = process
  }

  async info(name: string): Promise<ObjectInfo | undefined> {
    return (await this.#process()).info(name)
  }

  async read(name: string, maxBytes?: number): Promise<GitObject | undefined> {
    return (await this.#process()).read(name, maxBytes)
  }

  async parsed<Type extends keyof ParsedObjects>(
    type: Type,
    id: string,
  ): Promise<ParsedObjects[Type] | undefined> {
    const key = this.#keyOf(type, id)
    const known = this.#kept.peek(key)
    if (known !== undefined) return known as ParsedObjects[Type]
    const object = await this.read(id)
    const value = object && parseObject(type, object)
    if (value && object.size <= MAX_KEPT_BYTES) {
      this.#kept.keep(key, value, key.length + OBJECT_BYTES + object.size * GROWTH[type])
    }
    return value
  }

  async size(id: string): Promise<number | undefined> {
    const key = `${this.#folder} ${id}`
    const known = this.#sizes.peek(key)
    if (known !== undefined) return known
    const size = (await this.info(id))?.size
    if (size !== undefined) this.#sizes.keep(key, size, key.length + SIZE_BYTES)
    return size
  }

  /** Where a commit is known, the file that holds the ref tells enough. */
  async commitOf(ref: string): Promise<string | undefined> {
    const id = await peekRef(this.#folder, ref)
    const isKnown = id !== undefined && this.#kept.peek(this.#keyOf('commit', id)) !== undefined
    return isKnown ? id : (await this.#process()).commitOf(ref)
  }

  #keyOf(what: keyof ParsedObjects, id: string): string {
    return `${this.#folder} ${what} ${id}`
  }
}
