import { keptBy } from '../caches/kept-by.ts'
import { WeighedCache } from '../caches/weighed-cache.ts'
import type { Question } from './question.ts'
import { stampRefs } from './refs-stamp.ts'
import type { Git } from './run.ts'

const MAX_BYTES = 32 * 1024 * 1024
/**
 * To make a small pack takes little but the processes that make it; of large ones a few would fill
 * the memory.
 */
const MAX_PACK_BYTES = 1024 * 1024
const keptOf = keptBy((_git: Git) => new WeighedCache<Buffer>('packs', MAX_BYTES))

/** What every client that clones the same is sent, for as long as no ref changes. */
export class KeptPack {
  readonly #kept: WeighedCache<Buffer>
  readonly #key: string

  private constructor(kept: WeighedCache<Buffer>, key: string) {
    this.#kept = kept
    this.#key = key
  }

  /** Undefined where a change of a ref could go unseen. */
  static async find(git: Git, folder: string, { text }: Question): Promise<KeptPack | undefined> {
    const stamp = await stampRefs(folder).catch(() => undefined)
    return stamp === undefined
      ? undefined
      : new KeptPack(keptOf(git), `${folder} ${stamp}\n${text}`)
  }

  get content(): Buffer | undefined {
    return this.#kept.peek(this.#key)
  }

  /** Passes git's answer on, and keeps it when it was small and git says that it is whole. */
  async *fill(
    answer: AsyncIterable<Uint8Array>,
    isWhole: () => Promise<boolean>,
  ): AsyncGenerator<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer) {
      size += chunk.length
      if (size <= MAX_PACK_BYTES) chunks.push(chunk)
      else chunks.length = 0
      yield chunk
    }
    if (size > MAX_PACK_BYTES || !(await isWhole())) return
    this.#kept.keep(this.#key, Buffer.concat(chunks), this.#key.length + size)
  }
}
