import { AppError, invalid } from '../errors.ts'

/** A part of a form. What is left of its content when the next one is asked for is passed over. */
export interface FormPart {
  readonly name: string
  /** Only files have one. */
  readonly filename: string
  readonly content: AsyncIterable<Buffer>
}

const CRLF = Buffer.from('\r\n')
const MAX_PARTS = 10
/**
 * Of forms that are more than a file: templates have a part for each answer, and lists one for each
 * entry.
 */
export const MAX_FIELDS = 1_000
const MAX_HEAD_BYTES = 8192
const MAX_BOUNDARY = 70

export function malformedForm(): AppError {
  return new AppError('upload_failed', 'failed to parse request multipart form', { plain: true })
}

/** On pages a form that cannot be read is the fault of who sent it; the contract makes it ours. */
export function asSendersFault(error: unknown): unknown {
  const isMalformed = error instanceof AppError && error.code === 'upload_failed' && error.plain
  return isMalformed ? invalid(error.message, { cause: error }) : error
}

export function boundaryOf(type: string): string {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(type) ?? []
  const boundary = (quoted ?? plain ?? '').trim()
  if (boundary === '' || boundary.length > MAX_BOUNDARY) throw malformedForm()
  return boundary
}

/**
 * The parts of a multipart form as they arrive, and everything behind them: a form that does not
 * end is none.
 */
export async function* readParts(
  bytes: AsyncIterable<Buffer>,
  boundary: string,
  maxParts = MAX_PARTS,
): AsyncGenerator<FormPart> {
  const form = new FormReader(bytes, boundary)
  try {
    await form.passPreamble()
    for (let count = 0; ; count++) {
      const head = await form.head()
      if (head === undefined) return await form.finish()
      if (count === maxParts) throw malformedForm()
      const part = { ...describe(head), content: form.content() }
      if (part.name !== '') yield part
      await form.passOver()
    }
  } finally {
    await form.close()
  }
}

class FormReader {
  readonly #bytes: AsyncIterator<Buffer>
  readonly #delimiter: Buffer
  #held: Buffer = Buffer.alloc(0)
  #isInContent = true

  constructor(bytes: AsyncIterable<Buffer>, boundary: string) {
    this.#bytes = bytes[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  /** The first delimiter may be the very first, without the end of a line before it. */
  async passPreamble(): Promise<void> {
    const first = this.#delimiter.subarray(CRLF.length)
    while (this.#held.length <= first.length) await this.#readMore()
    if (startsWith(this.#held, first) && endsDelimiter(this.#held[first.length])) {
      this.#passDelimiter(first.length)
    } else {
      this.#held = Buffer.concat([CRLF, this.#held])
      await this.passOver()
    }
  }

  /** Up to the next delimiter, and past it. */
  async *content(): AsyncGenerator<Buffer> {
    while (this.#isInContent) {
      const { length } = this.#delimiter
      const at = this.#held.indexOf(this.#delimiter)
      const sure = at === -1 ? sureLength(this.#held, length) : at
      if (sure > 0) yield this.#take(sure)
      if (at === -1 || this.#held.length === length) await this.#readMore()
      else if (endsDelimiter(this.#held[length])) this.#passDelimiter(length)
      else yield this.#take(length)
    }
  }

  /** What describes the part that begins; none at the end of the form. */
  async head(): Promise<string | undefined> {
    while (this.#held.length < 2) await this.#readMore()
    if (this.#held.toString('latin1', 0, 2) === '--') return undefined
    let end = this.#held.indexOf('\r\n\r\n')
    for (
      ;
      end === -1 && this.#held.length <= MAX_HEAD_BYTES;
      end = this.#held.indexOf('\r\n\r\n')
    ) {
      await this.#readMore()
    }
    if (end === -1 || end > MAX_HEAD_BYTES) throw malformedForm()
    const head = this.#take(end).toString()
    this.#take(4)
    this.#isInContent = true
    return head
  }

  async passOver(): Promise<void> {
    for await (const _ of this.content());
  }

  async finish(): Promise<void> {
    while (!(await this.#bytes.next()).done);
  }

  /** Whoever wants the rest of the bytes gets them from where they come from. */
  async close(): Promise<void> {
    await this.#bytes.return?.()
  }

  #passDelimiter(length: number): void {
    this.#take(length)
    this.#isInContent = false
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    return taken
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#bytes.next()
    if (done) throw malformedForm()
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
  }
}

/** What might be the start of a delimiter stays until more is known. */
function sureLength(held: Buffer, delimiterLength: number): number {
  const start = held.lastIndexOf('\r')
  return start > held.length - delimiterLength ? start : held.length
}

function startsWith(held: Buffer, wanted: Buffer): boolean {
  return held.subarray(0, wanted.length).equals(wanted)
}

/**
 * Behind a delimiter comes the end of its line, maybe after some space, or a dash at the end of the
 * form.
 */
function endsDelimiter(byte: number | undefined): boolean {
  return byte !== undefined && ' \t\r-'.includes(String.fromCharCode(byte))
}

function describe(head: string): Pick<FormPart, 'name' | 'filename'> {
  const [padding = '', ...lines] = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  if (padding.trim() !== '' || lines.some((line) => !line.includes(':'))) throw malformedForm()
  const disposition = lines.find((line) => /^content-disposition:/i.test(line)) ?? ''
  if (!/^[^:]*:\s*form-data\s*(?:;|$)/i.test(disposition)) return { name: '', filename: '' }
  const given = parametersOf(disposition)
  const filename = decodeExtended(given.get('filename*')) ?? given.get('filename') ?? ''
  return { name: given.get('name') ?? '', filename }
}

function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = header.matchAll(/;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g)
  return new Map(
    Array.from(found, ([, name = '', quoted, plain = '']) => [
      name.toLowerCase(),
      quoted === undefined ? plain : unescaped(quoted),
    ]),
  )
}

/** A backslash before a letter is itself: some clients send whole paths. */
function unescaped(quoted: string): string {
  return quoted.replace(/\\([()<>@,;:\\"/[\]?=])/g, '$1')
}

/** `UTF-8''na%C3%AFve.txt`; in any other character set it counts for nothing. */
function decodeExtended(value: string | undefined): string | undefined {
  const [, encoded] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? []
  if (encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
