import { AppError } from '../errors.ts'
import { presentId, type RefUpdate } from './ref-update.ts'
import { resumed } from '../storage/bytes.ts'

/** Some hundred thousand refs. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024

export function pktLine(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
}

export const flushPacket = '0000'

/**
 * What git says to people who sit in front of a client; clients without bands have no place for
 * it.
 */
export function notePacket(text: string): string {
  return pktLine(`\u0002${text}\n`)
}

/** What a push wants, and its whole body: what was read of it to know that, and the rest. */
export interface PushHead {
  readonly updates: readonly RefUpdate[]
  /** Whether the answer comes in bands, one of them for what people are to read. */
  readonly hasBands: boolean
  readonly body: AsyncIterable<Uint8Array>
}

/** Reads the commands at the head of a push, up to the flush that ends them. */
export async function readPushHead(chunks: AsyncIterable<Uint8Array>): Promise<PushHead> {
  const source = chunks[Symbol.asyncIterator]()
  const kept: Uint8Array[] = []
  const read = async () => {
    const { done, value } = await source.next()
    if (done) throw malformed('it ends before its commands do')
    kept.push(value)
    return value
  }
  const updates: RefUpdate[] = []
  let hasBands = false
  for await (const line of linesToFlush(read)) {
    hasBands ||= /\0.*\bside-band-64k\b/.test(line.toString('latin1'))
    const update = readCommand(line)
    if (update) updates.push(update)
  }
  return { updates, hasBands, body: resumed(kept, source) }
}

async function* linesToFlush(read: () => Promise<Uint8Array>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let seen = 0
  const fill = async (length: number) => {
    while (rest.length < length) {
      const chunk = await read()
      seen += chunk.length
      if (seen > MAX_HEAD_BYTES) throw new AppError('too_large', 'the push has too many refs')
      rest = Buffer.concat([rest, chunk])
    }
  }
  for (;;) {
    await fill(4)
    const length = readLength(rest.toString('latin1', 0, 4))
    if (length === 0) return
    await fill(length)
    yield rest.subarray(4, length)
    rest = rest.subarray(length)
  }
}

function readLength(digits: string): number {
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw malformed('a length is no number')
  const length = Number.parseInt(digits, 16)
  if (length !== 0 && length < 4) throw malformed('a length is too small')
  return length
}

/** `<before> <after> <ref>`, in the first line followed by NUL and capabilities. */
function readCommand(line: Buffer): RefUpdate | undefined {
  const end = line.indexOf(0)
  const text = utf8(end === -1 ? line : line.subarray(0, end)).replace(/\n$/, '')
  if (text.startsWith('shallow ')) return undefined
  const match = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) ([^\n]+)$/.exec(text)
  if (!match) throw malformed('a command is not understood')
  const [, before = '', after = '', ref = ''] = match
  return { ref, before: presentId(before), after: presentId(after) }
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw malformed('a ref name is not UTF-8', error)
  }
}

function malformed(why: string, cause?: unknown): AppError {
  return new AppError('bad_request', `The push cannot be read: ${why}.`, { cause })
}
