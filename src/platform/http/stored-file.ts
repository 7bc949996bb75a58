import { lastElement } from '../files/name.ts'
import type { Config } from '../config/config.ts'
import type { ByteRange } from '../storage/file-storage.ts'
import type { Answer } from './answer.ts'

/** An uploaded file as it is served. */
export interface ServedUpload {
  readonly uuid: string
  readonly name: string
  readonly size: number
  readonly sha256: string
  /** Chosen by us; what could run in a browser is plain text here. */
  readonly mediaType: string
  /** Whole seconds since 1970. */
  readonly uploadedAt: number
  /** Whether not everybody may see it. */
  readonly isPrivate: boolean
  /** Whether browsers are to show it or to save it. */
  readonly disposition: Disposition
}

export type Disposition = 'inline' | 'attachment'

export function dispositionOf({ attachment }: Config, mediaType: string): Disposition {
  const isMedia = /^(?:image|audio|video)\/|^application\/pdf$/.test(mediaType)
  const isShown =
    mediaType === 'image/svg+xml' ? attachment.show_svg : isMedia || attachment.show_others
  return isShown ? 'inline' : 'attachment'
}

export interface Conditions {
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
  readonly range: string | undefined
  readonly ifRange: string | undefined
}

/** What is to be answered; without `part` and with a status of success, the whole file. */
export interface PlannedAnswer extends Answer {
  readonly part?: ByteRange
}

export function planAnswer(file: ServedUpload, conditions: Conditions): PlannedAnswer {
  const validators = {
    etag: `"${file.uuid}"`,
    'last-modified': new Date(file.uploadedAt * 1000).toUTCString(),
  }
  if (isUnchanged(file, conditions)) return { status: 304, headers: validators }
  const isSame = isSameAsBefore(conditions.ifRange, validators)
  const range = isSame ? readRange(conditions.range, file.size) : undefined
  const headers = { ...validators, ...fileHeaders(file) }
  if (typeof range === 'number') return refused(range, headers)
  const sized = { ...headers, ...lengthHeaders(file.size, range) }
  return range ? { status: 206, part: range, headers: sized } : { status: 200, headers: sized }
}

/**
 * Whether a part is of the file that the client has the rest of (RFC 9110, 13.1.5): by its exact
 * tag, or the exact time of its last change.
 */
export function isSameAsBefore(
  ifRange: string | undefined,
  validators: { readonly etag: string; readonly 'last-modified'?: string },
): boolean {
  return ifRange === undefined || Object.values(validators).includes(ifRange.trim())
}

/** Of all of a file, or of a part of it. */
export function lengthHeaders(size: number, part?: ByteRange): Record<string, string> {
  if (!part) return { 'content-length': String(size) }
  return {
    'content-length': String(part.to - part.from + 1),
    'content-range': `bytes ${part.from}-${part.to}/${size}`,
  }
}

function refused(status: 400 | 416, headers: Readonly<Record<string, string>>): PlannedAnswer {
  const body = status === 416 ? 'invalid start range\n' : 'invalid range\n'
  return { status, body, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } }
}

/** One function for all of them: showing files in place is safe only with these together. */
function fileHeaders(file: ServedUpload): Record<string, string> {
  const { name, mediaType, sha256, isPrivate, disposition } = file
  const policy = contentPolicy(mediaType)
  return {
    'content-type': mediaType,
    'content-disposition': `${disposition}; ${filenameOf(name)}`,
    'access-control-expose-headers': 'Content-Disposition',
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    ...(isPrivate ? { 'cross-origin-resource-policy': 'same-site' } : {}),
  }
}

/** Viewers of PDF do not work in a sandbox; players of sound and video need nothing. */
function contentPolicy(mediaType: string): string | undefined {
  if (/^(audio|video)\//.test(mediaType)) return undefined
  const policy = `default-src 'none'; style-src 'unsafe-inline'`
  return mediaType === 'application/pdf' ? policy : `${policy}; sandbox`
}

function filenameOf(path: string): string {
  const name = lastElement(path)
  const plain = name.toWellFormed().replace(/[^\x20-\x7e]/gu, '_')
  const filename = /^[\w!#$%&'*+.^`|~-]+$/.test(plain)
    ? plain
    : `"${plain.replace(/["\\]/g, '\\$&')}"`
  if (plain === name) return `filename=${filename}`
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename=${filename}; filename*=utf-8''${encoded}`
}

/** Of a list of tags the first thirty-two are looked at. */
function isUnchanged(
  { uuid, uploadedAt }: ServedUpload,
  { ifNoneMatch, ifModifiedSince }: Conditions,
): boolean {
  if (ifNoneMatch !== undefined) {
    const tags = ifNoneMatch.split(',', 32).map((tag) => tag.trim().replace(/^W\//, ''))
    if (tags.includes(`"${uuid}"`)) return true
  }
  const since = Date.parse(ifModifiedSince ?? '')
  return !Number.isNaN(since) && since >= uploadedAt * 1000
}

/**
 * A single range; the status of the refusal where it is none. Other units, and empty files, have no
 * parts.
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | 400 | 416 | undefined {
  if (!header?.startsWith('bytes=') || size === 0) return undefined
  const range = header.slice('bytes='.length)
  if (range.includes(',') || !range.includes('-')) return 400
  const [, first = '', last = ''] = /^([^-]*)-(.*)$/.exec(range) ?? []
  if (!/^\d+$/.test(first) || Number(first) >= size || !/^\d*$/.test(last)) return 416
  const from = Number(first)
  if (last === '') return { from, to: size - 1 }
  return Number(last) < from ? 400 : { from, to: Math.min(Number(last), size - 1) }
}
