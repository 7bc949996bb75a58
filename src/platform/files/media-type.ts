/** How many bytes are looked at. */
export const HEAD_BYTES = 1024
/** Of those, as many as the tables of browsers want. */
const TABLE_BYTES = 512

export const BINARY = 'application/octet-stream'
const PLAIN = 'text/plain; charset=utf-8'

/** A type, where its mark stands, and the mark; `?` in a mark is any byte. */
type Mark = readonly [type: string, at: number, mark: string]

const marks: readonly Mark[] = [
  ['application/pdf', 0, '%PDF-'],
  ['application/postscript', 0, '%!PS-Adobe-'],
  ['text/plain; charset=utf-16be', 0, '\xfe\xff'],
  ['text/plain; charset=utf-16le', 0, '\xff\xfe'],
  [PLAIN, 0, '\xef\xbb\xbf'],
  ['image/x-icon', 0, '\x00\x00\x01\x00'],
  ['image/x-icon', 0, '\x00\x00\x02\x00'],
  ['image/bmp', 0, 'BM'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 0, 'RIFF????WEBPVP'],
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['audio/aiff', 0, 'FORM????AIFF'],
  ['audio/mpeg', 0, 'ID3'],
  ['application/ogg', 0, 'OggS\x00'],
  ['audio/midi', 0, 'MThd\x00\x00\x00\x06'],
  ['video/avi', 0, 'RIFF????AVI '],
  ['audio/wave', 0, 'RIFF????WAVE'],
  ['video/webm', 0, '\x1a\x45\xdf\xa3'],
  ['application/vnd.ms-fontobject', 34, 'LP'],
  ['font/ttf', 0, '\x00\x01\x00\x00'],
  ['font/otf', 0, 'OTTO'],
  ['font/collection', 0, 'ttcf'],
  ['font/woff', 0, 'wOFF'],
  ['font/woff2', 0, 'wOF2'],
  ['application/x-gzip', 0, '\x1f\x8b\x08'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/x-rar-compressed', 0, 'Rar!\x1a\x07\x00'],
  ['application/x-rar-compressed', 0, 'Rar!\x1a\x07\x01\x00'],
  ['application/wasm', 0, '\x00asm'],
]

const htmlStart =
  /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i
// oxlint-disable-next-line no-control-regex -- text has none of these
const binaryBytes = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/**
 * What the content is, whatever it is called: told from its first bytes by the table of browsers.
 */
export function tableType(head: Uint8Array): string {
  const start = textOf(head, TABLE_BYTES)
  if (htmlStart.test(start)) return 'text/html; charset=utf-8'
  if (/^[\t\n\f\r ]*<\?xml/.test(start)) return 'text/xml; charset=utf-8'
  const type = marked(start) ?? (isMp4(head) ? 'video/mp4' : undefined)
  return type ?? (isText(start) ? PLAIN : BINARY)
}

/** Like `tableType`, but more exact where the table knows less than browsers show. */
export function sniff(head: Uint8Array): string {
  const bytes = textOf(head, HEAD_BYTES)
  const isPlain = isText(bytes.slice(0, TABLE_BYTES))
  if (isPlain && isSvg(bytes)) return 'image/svg+xml'
  if (bytes.slice(4, 12) === 'ftypavif') return 'image/avif'
  const type = tableType(head)
  if (type === 'audio/mpeg' && isPlain) return PLAIN
  if (type === 'application/ogg') return ogg(bytes)
  return type
}

function textOf(head: Uint8Array, bytes: number): string {
  return Buffer.from(head.subarray(0, bytes)).toString('latin1')
}

function isText(start: string): boolean {
  return !binaryBytes.test(start)
}

/**
 * Whether the first element is that of a picture: comments, a prolog and a doctype may stand before
 * it.
 */
function isSvg(text: string): boolean {
  let rest = skipComments(text)
  const [prolog = ''] = /^<\?xml[^>]*\?>/i.exec(rest) ?? []
  rest = skipComments(rest.slice(prolog.length))
  const [doctype = ''] = /^<!doctype\s+svg[^>]*>/i.exec(rest) ?? []
  return /^<svg\b/i.test(skipComments(rest.slice(doctype.length)))
}

function skipComments(text: string): string {
  let rest = text.trimStart()
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->')
    if (end === -1) return ''
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

/** A media type without its parameters. */
export function essence(type: string): string {
  return type.split(';', 1)[0] ?? ''
}

/** What a browser is told: everything that could run in it is plain text or has no type. */
export function servedType(head: Uint8Array): string {
  const type = sniff(head)
  if (/^(image|audio|video)\/|^application\/pdf$/.test(type)) return type
  if (!type.startsWith('text/')) return BINARY
  return `text/plain; charset=${charsetOf(type, head)}`
}

function charsetOf(type: string, head: Uint8Array): string {
  const [, utf16] = /charset=(utf-16..)/.exec(type) ?? []
  if (utf16) return utf16
  return isUtf8(head) ? 'utf-8' : 'iso-8859-1'
}

/** The last character may be cut. */
function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

function marked(text: string): string | undefined {
  return marks.find(([, at, mark]) => isMarked(text, at, mark))?.[0]
}

function isMarked(text: string, at: number, mark: string): boolean {
  for (let index = 0; index < mark.length; index++) {
    if (mark[index] !== '?' && mark[index] !== text[at + index]) return false
  }
  return true
}

/** By the brands that the first box says its content keeps to. */
function isMp4(head: Uint8Array): boolean {
  const bytes = Buffer.from(head)
  if (bytes.length < 12 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false
  const size = bytes.readUInt32BE(0)
  if (bytes.length < size || size % 4 !== 0) return false
  const brands: string[] = []
  // The fourth word is a version.
  for (let at = 8; at < size; at += 4)
    if (at !== 12) brands.push(bytes.toString('latin1', at, at + 4))
  return brands.some((brand) => brand.startsWith('mp4'))
}

function ogg(bytes: string): string {
  return /theora|dirac/.test(bytes.slice(0, 256)) ? 'video/ogg' : 'audio/ogg'
}
