import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../platform/config/config.ts'
import { AppError } from '../../platform/errors.ts'
import { KIB } from '../../platform/storage/bytes.ts'

/** Longer ones are refused before they cost anything. */
export const MAX_PASSWORD_BYTES = 256
const REMEMBER_MS = 60_000
const AT_ONCE = 2
const MAX_WAITING = 200

interface Parameters {
  /** In KiB. */
  readonly memory: number
  readonly passes: number
}

/** Hashes and checks passwords: off the event loop's thread, a few at a time. */
export class Passwords {
  readonly #parameters: Parameters
  /** Until when. */
  readonly #remembered = new Map<string, number>()
  readonly #hashForMemory: (text: string) => string
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(config: Config, hashForMemory: (text: string) => string) {
    this.#parameters = {
      memory: Math.floor(config.security.password_memory / KIB),
      passes: config.security.password_passes,
    }
    this.#hashForMemory = hashForMemory
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16)
    const key = await this.#derive(password, salt, this.#parameters)
    const { memory, passes } = this.#parameters
    const hash = `argon2id$${memory}$${passes}$${salt.toString('base64')}$${key.toString('base64')}`
    this.#remember(password, hash)
    return hash
  }

  /** An empty hash never matches, and takes as long as any other. */
  async verify(password: string, hash: string): Promise<boolean> {
    if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false
    if (this.#isRemembered(password, hash)) return true
    const [, memory, passes, salt, key] = hash.split('$')
    if (key === undefined) {
      await this.#derive(password, randomBytes(16), this.#parameters)
      return false
    }
    const expected = Buffer.from(key, 'base64')
    const derived = await this.#derive(password, Buffer.from(salt ?? '', 'base64'), {
      memory: Number(memory),
      passes: Number(passes),
    })
    const matches = derived.length === expected.length && timingSafeEqual(derived, expected)
    if (matches) this.#remember(password, hash)
    return matches
  }

  /** Whether `hash` was made with weaker parameters than those of now. */
  isOutdated(hash: string): boolean {
    const [, memory, passes] = hash.split('$')
    return Number(memory) < this.#parameters.memory || Number(passes) < this.#parameters.passes
  }

  /**
   * Every call by Basic would cost a hash otherwise. A new password has a new hash, so nothing old
   * is kept.
   */
  #remember(password: string, hash: string): void {
    if (this.#remembered.size >= 10_000) this.#remembered.clear()
    this.#remembered.set(this.#memoryKey(password, hash), Date.now() + REMEMBER_MS)
  }

  #isRemembered(password: string, hash: string): boolean {
    const key = this.#memoryKey(password, hash)
    if ((this.#remembered.get(key) ?? 0) > Date.now()) return true
    this.#remembered.delete(key)
    return false
  }

  #memoryKey(password: string, hash: string): string {
    return this.#hashForMemory(`${hash}\0${password}`)
  }

  async #derive(password: string, nonce: Buffer, { memory, passes }: Parameters): Promise<Buffer> {
    await this.#takeTurn()
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        argon2(
          'argon2id',
          { message: password, nonce, parallelism: 1, tagLength: 32, memory, passes },
          (error, key) => (error ? reject(error) : resolve(key)),
        )
      })
    } finally {
      this.#running--
      this.#waiting.shift()?.()
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new AppError('unavailable', 'too many sign-ins at once', { retryAfter: 5 })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#running++
  }
}
