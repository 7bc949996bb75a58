import * as fs from 'node:fs'
import { promisify } from 'node:util'

// Bare numbers of files: making and closing a file handle costs as much as hashing a small upload.
export const openFile = promisify(fs.open) as (path: string, flags: string) => Promise<number>
export const close = promisify(fs.close)
export const sync = promisify(fs.fsync)
export const writev = promisify(fs.writev)
