import type { LaunchedProcess } from './launcher.ts'
import { parseObject, type ParsedObjects } from './parse.ts'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

export interface ObjectInfo {
  readonly id: string
  readonly type: ObjectType
  readonly size: number
}

export interface GitObject extends ObjectInfo {
  readonly content: Buffer
}

/** Git ended before it answered. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone'

  constructor(complaint = '') {
    const why = complaint.trim()
    super(`git cat-file ended before it answered${why === '' ? '' : `: ${why}`}`)
  }
}

/** Beyond this, an object is not read into memory, whatever it is. */
const MAX_OBJECT_BYTES = 128 * 1024 * 1024

/** Reads the objects of one repository. */
export interface ObjectReader {
  /**
   * `name` is an id or a full name of a reference, made by us: never a text of a user as it came.
   */
  info(name: string): Promise<ObjectInfo | undefined>
  read(name: string, maxBytes?: number): Promise<GitObject | undefined>
  /**
   * An object of this type that a reference or another object names by its id, parsed; not one that
   * only a user named.
   */
  parsed<Type extends keyof ParsedObjects>(
    type: Type,
    id: string,
  ): Promise<ParsedObjects[Type] | undefined>
  /** How large an object is that another one names. */
  size(id: string): Promise<number | undefined>
  /** The commit that a reference leads to. */
  commitOf(ref: string): Promise<string | undefined>
}

/** Asks one git process, which answers any number of questions. */
export class ObjectProcess implements ObjectReader {
  readonly startedAt = performance.now()
  readonly #child: LaunchedProcess
  readonly #output: AsyncIterator<Buffer>
  #pending: Buffer = Buffer.alloc(0)
  #last: Promise<unknown> = Promise.resolve()
  #unanswered = 0

  constructor(child: LaunchedProcess) {
    this.#child = child
    this.#output = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  }

  /** Whether somebody else may ask it: nothing is on its way to whoever asked before. */
  get isFree(): boolean {
    return this.#child.isRunning() && this.#unanswered === 0 && this.#pending.length === 0
  }

  async end(): Promise<void> {
    this.#child.stdin.end()
    this.#child.stdout.destroy()
    await this.#child.ended
  }

  async info(name: string): Promise<ObjectInfo | undefined> {
    return this.#ask('info', name, () => this.#readInfo())
  }

  async read(name: string, maxBytes = MAX_OBJECT_BYTES): Promise<GitObject | undefined> {
    const info = await this.info(name)
    if (!info || info.size > maxBytes) return undefined
    return this.#ask('contents', info.id, async () => {
      const found = await this.#readInfo()
      if (!found) return undefined
      const content = await this.#take(found.size + 1)
      return { ...found, content: content.subarray(0, -1) }
    })
  }

  async parsed<Type extends keyof ParsedObjects>(
    type: Type,
    id: string,
  ): Promise<ParsedObjects[Type] | undefined> {
    const object = await this.read(id)
    return object && parseObject(type, object)
  }

  async size(id: string): Promise<number | undefined> {
    return (await this.info(id))?.size
  }

  async commitOf(ref: string): Promise<string | undefined> {
    return (await this.info(`${ref}^{commit}`))?.id
  }

  /** Answers come in the order of questions, so each waits for the one before it. */
  async #ask<T>(command: 'info' | 'contents', name: string, answer: () => Promise<T>): Promise<T> {
    if (/[\n\0]/.test(name)) throw new Error('the name of an object is one line')
    this.#child.stdin.write(`${command} ${name}\n`)
    this.#unanswered++
    const result = this.#last.then(answer)
    // One that could not be read stays unanswered: what comes next would be taken for something
    // else.
    this.#last = result.then(
      () => this.#unanswered--,
      () => undefined,
    )
    return result
  }

  async #readInfo(): Promise<ObjectInfo | undefined> {
    const [id = '', type = '', size = ''] = (await this.#line()).split(' ')
    if (!/^\d+$/.test(size)) return undefined
    return { id, type: type as ObjectType, size: Number(size) }
  }

  async #line(): Promise<string> {
    let end = this.#pending.indexOf(10)
    while (end === -1) {
      await this.#more()
      end = this.#pending.indexOf(10)
    }
    return (await this.#take(end + 1)).subarray(0, -1).toString('utf8')
  }

  async #take(length: number): Promise<Buffer> {
    const chunks = [this.#pending]
    let have = this.#pending.length
    while (have < length) {
      const chunk = await this.#chunk()
      chunks.push(chunk)
      have += chunk.length
    }
    const all = chunks.length === 1 ? this.#pending : Buffer.concat(chunks)
    this.#pending = all.subarray(length)
    return all.subarray(0, length)
  }

  async #more(): Promise<void> {
    this.#pending = Buffer.concat([this.#pending, await this.#chunk()])
  }

  async #chunk(): Promise<Buffer> {
    const { done, value } = await this.#output.next()
    if (done) throw new ReaderGone((await this.#child.ended).complaint)
    return value
  }
}
