import * as fs from 'node:fs'
import { promisify } from 'node:util'

// Bare numbers of files: making and closing a file handle costs as much as hashing a small upload.
export const openFile = promisify(fs.open) as (path: string, flags: string) => Promise<number>
export const close = promisify(fs.close)
export const sync = promisify(fs.fsync)
export const writev = promisify(fs.writev)

/**
 * At once: to close what is synced takes less time than to have a thread do it. What counts is on
 * the disk by then.
 */
export function closeSynced(file: number): void {
  try {
    fs.closeSync(file)
  } catch {
    // The number is free all the same.
  }
}
