import { resumed } from '../storage/bytes.ts'

/** More than any client asks with that wants to know the refs, or all of a few branches. */
const MAX_BYTES = 4096

export interface Question {
  /** Without what only names the client: equal for all who want the same. */
  readonly text: string
  readonly request: Buffer
}

export interface Asked {
  readonly refs?: Question
  /** Objects, for a client that has none yet. */
  readonly clone?: Question
  /** The whole request, whatever it asks for. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Looks whether a request of protocol 2 is one of those that many clients ask alike. */
export async function readQuestion(input: AsyncIterable<Uint8Array>): Promise<Asked> {
  const source = input[Symbol.asyncIterator]()
  const kept: Uint8Array[] = []
  for (let size = 0; size <= MAX_BYTES;) {
    const { done, value } = await source.next()
    if (done) return { ...parseQuestion(Buffer.concat(kept)), body: resumed(kept, source) }
    kept.push(value)
    size += value.length
  }
  return { body: resumed(kept, source) }
}

function parseQuestion(request: Buffer): Omit<Asked, 'body'> {
  const lines = linesOf(request) ?? []
  const text = lines.filter((line) => !/^(agent|session-id)=/.test(line)).join('\n')
  if (lines[0] === 'command=ls-refs') return { refs: { text, request } }
  return isClone(lines) ? { clone: { text, request } } : {}
}

function isClone([command, ...parameters]: readonly string[]): boolean {
  if (command !== 'command=fetch' || !parameters.includes('done')) return false
  return parameters.every((line) => !line.startsWith('have '))
}

/** The lines of exactly one request; undefined when it is anything else. */
function linesOf(request: Buffer): string[] | undefined {
  const lines: string[] = []
  for (let place = 0; place < request.length;) {
    const digits = request.toString('latin1', place, place + 4)
    const length = /^[0-9a-f]{4}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
    // The end of the request.
    if (length === 0) return place + 4 === request.length ? lines : undefined
    // The end of what comes before its parameters.
    const isMark = length === 1
    if (!isMark && !(length >= 4 && place + length <= request.length)) return undefined
    if (!isMark)
      lines.push(request.toString('latin1', place + 4, place + length).replace(/\n$/, ''))
    place += isMark ? 4 : length
  }
  return undefined
}
