import { hash } from 'node:crypto'
import type { Executor } from '../db/database.ts'
import type { Guard } from '../db/guard.ts'
import { AppError } from '../errors.ts'
import { ok, type Answer } from './answer.ts'
import type { Call } from './call.ts'

/** A record with a validator, or only that the client has it already. */
export function recordAnswer<Body>(call: Call, body: Body): Answer<Body> {
  const etag = validatorOf(body)
  if (hasCopy(call.header('if-none-match'), etag)) return { status: 304, headers: { etag } }
  return ok(body, { etag })
}

/**
 * Who names what they want to change does not change anything else; `present` shows it as a GET
 * does.
 */
export async function assertMatches(call: Call, present: () => Promise<unknown>): Promise<void> {
  const expected = call.header('if-match')
  if (expected !== undefined) assertNames(expected, await present())
}

/**
 * `assertMatches` once more when the change is made: of several who name the same record, the first
 * changes it.
 */
export function guardOf<T>(
  call: Call,
  present: (db: Executor, current: T) => Promise<unknown>,
): Guard<T> | undefined {
  const expected = call.header('if-match')
  if (expected === undefined) return undefined
  return async (tx, current) => assertNames(expected, await present(tx, current))
}

/** For calls that make a record or replace it; `current` is the one that is there, if any. */
export function assertMayReplace(call: Call, current: unknown): void {
  const expected = call.header('if-match')
  if (expected !== undefined && current === undefined) throw notAsExpected()
  if (expected !== undefined) assertNames(expected, current)
  const unwanted = call.header('if-none-match')
  if (current === undefined || !hasCopy(unwanted, validatorOf(current))) return
  throw new AppError('precondition_failed', 'there is what If-None-Match says')
}

function assertNames(expected: string, body: unknown): void {
  if (!names(expected, validatorOf(body))) throw notAsExpected()
}

function notAsExpected(): AppError {
  return new AppError('precondition_failed', 'the record is not what If-Match says')
}

export function validatorOf(body: unknown): string {
  return `"${hash('sha256', JSON.stringify(body)).slice(0, 32)}"`
}

/**
 * Whether `If-None-Match` names it. For a copy a weak tag is as good: a proxy that compresses
 * answers sends such.
 */
export function hasCopy(header: string | undefined, etag: string): boolean {
  return names(header?.replaceAll(/(^|,)\s*W\//g, '$1'), etag)
}

/** Of a list of tags the first thirty-two are looked at. */
function names(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',', 32).map((tag) => tag.trim())
  return tags.includes('*') || tags.includes(etag)
}
