import { BINARY, servedType } from '../files/media-type.ts'
import { streamOf } from '../git/stream.ts'
import type { ByteRange } from '../storage/file-storage.ts'
import { ok, type Answer } from './answer.ts'
import type { Call } from './call.ts'
import { isSameAsBefore, lengthHeaders } from './stored-file.ts'

/** Bytes that people uploaded or committed, on their way to a browser. */
export interface ServedFile {
  readonly name: string
  readonly size: number
  /** Equal for equal bytes: by it a client tells whether it has them already. */
  readonly id: string
  /** Whether not everybody may see it. */
  readonly isPrivate: boolean
  /**
   * Whether drawings are shown as such (`attachment.show_svg`), and not as the text that they are.
   */
  readonly showsSvg: boolean
  /** The first bytes, from which the type is told. */
  readonly head: Buffer
  readonly open: () => AsyncIterable<Buffer>
  /** Where a part can be had without what stands before it. */
  readonly openPart?: (part: ByteRange) => AsyncIterable<Buffer>
}

export interface FileRequest {
  readonly ifNoneMatch: string | undefined
  readonly range: string | undefined
  readonly ifRange: string | undefined
}

/** What a request says about the file that it is for. */
export function fileRequest(call: Pick<Call, 'header'>): FileRequest {
  return {
    ifNoneMatch: call.header('if-none-match'),
    range: call.header('range'),
    ifRange: call.header('if-range'),
  }
}

/** With a type that we chose: what could run in a browser is text there, or is saved. */
export function fileAnswer(request: FileRequest, file: ServedFile): Answer {
  const etag = `"${file.id}"`
  if (matches(request.ifNoneMatch, etag)) return { status: 304, headers: { etag } }
  const isSame = isSameAsBefore(request.ifRange, { etag })
  const part = isSame ? readRange(request.range, file.size) : undefined
  if (part === 'outside')
    return { status: 416, headers: { 'content-range': `bytes */${file.size}` } }
  const headers = { ...fileHeaders(file), etag, 'accept-ranges': 'bytes' }
  const sized = { ...headers, ...lengthHeaders(file.size, part) }
  if (!part) return ok(streamOf(file.open()), sized)
  const body = streamOf(file.openPart?.(part) ?? slice(file.open(), part))
  return { status: 206, body, headers: sized }
}

function fileHeaders(file: ServedFile): Record<string, string> {
  const { name, isPrivate } = file
  const type = typeOf(file)
  const isInline = type !== BINARY
  const sandbox = type === 'application/pdf' ? '' : '; sandbox'
  return {
    'content-type': type,
    'content-disposition': disposition(isInline ? 'inline' : 'attachment', name),
    'access-control-expose-headers': 'Content-Disposition',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'${sandbox}`,
    ...(isPrivate ? { 'cross-origin-resource-policy': 'same-site' } : {}),
  }
}

function typeOf({ head, showsSvg }: ServedFile): string {
  const type = servedType(head)
  return type === 'image/svg+xml' && !showsSvg ? 'text/plain; charset=utf-8' : type
}

/** An ASCII name for everybody, and the real one for those who can read it. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  if (/^[\w.+-]+$/.test(name)) return `${kind}; filename=${name}`
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escapeByte)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Of a list of tags the first thirty-two are looked at. */
function matches(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',', 32).map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/** One range only; what is none gets the whole. */
function readRange(header: string | undefined, size: number): ByteRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (size === 0 || (first === '' && last === '')) return undefined
  if (Number(first) >= size) return 'outside'
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return from <= to ? { from, to } : undefined
}

async function* slice(
  chunks: AsyncIterable<Buffer>,
  { from, to }: ByteRange,
): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of chunks) {
    const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to + 1 - at))
    at += chunk.length
    if (part.length > 0) yield part
    if (at > to) return
  }
}
