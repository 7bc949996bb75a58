import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'

const HAND_MADE = 'removals.hold'
/** A hold that somebody made by hand was forgotten after that. */
const LONGEST_HOLD_MS = 24 * 3_600_000
/** A backup says so often that it still works. */
const RENEWED_EVERY_MS = 60_000
/** One that has not said so for so long has died. */
const LONGEST_SILENCE_MS = 10 * RENEWED_EVERY_MS

/** Somebody for whom nothing is removed. */
export interface RemovalHold {
  readonly file: string
  /** When it was last said to hold, in milliseconds since 1970. */
  readonly saidAt: number
}

/**
 * While the data folder is being copied, nothing is removed from it that the copy of the database
 * may still name. Whoever copies makes a mark, which is a file, so that all nodes see it: backups
 * one of their own each, and people with other tools `removals.hold`.
 */
export function areRemovalsHeld(config: Config): boolean {
  return listHolds(config).length > 0
}

/** Those that count. */
export function listHolds({ data }: Config): readonly RemovalHold[] {
  return readdirSync(data)
    .filter(isHold)
    .map((file) => ({ file, saidAt: saidAt(join(data, file)) }))
    .filter(({ file, saidAt: at }) => Date.now() - at < longestOf(file))
}

export function isHold(name: string): boolean {
  return name === HAND_MADE || name.startsWith(`${HAND_MADE}-`)
}

function longestOf(file: string): number {
  return file === HAND_MADE ? LONGEST_HOLD_MS : LONGEST_SILENCE_MS
}

function saidAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity
}

/** Until the returned function is called, or this process dies. */
export function holdRemovals({ data }: Config): () => void {
  const mark = join(data, `${HAND_MADE}-${randomUUID()}`)
  writeFileSync(mark, '', { flag: 'wx', mode: 0o600 })
  const renewing = setInterval(() => renew(mark), RENEWED_EVERY_MS).unref()
  return () => {
    clearInterval(renewing)
    rmSync(mark, { force: true })
  }
}

/** What cannot be said now, on a full disk for one, is said the next time. */
function renew(mark: string): void {
  try {
    writeFileSync(mark, `${Date.now()}\n`, { mode: 0o600 })
  } catch {
    // It holds for some minutes yet.
  }
}
