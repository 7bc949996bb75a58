import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Older ones lack what we rely on: the settings for flushing, and for bare repositories of
 * strangers.
 */
const LEAST = [2, 39] as const

/** The machine's git cannot be used. */
export class GitMissingError extends Error {
  override readonly name = 'GitMissingError'
}

/** Refuses to go on without a git that is new enough, and says what to do. */
export async function assertGitUsable(): Promise<void> {
  const text = await promisify(execFile)('git', ['--version']).then(
    ({ stdout }) => stdout,
    () => undefined,
  )
  if (text === undefined) {
    throw new GitMissingError('git was not found: install git 2.39 or later and put it on PATH')
  }
  if (!isNewEnough(text)) {
    throw new GitMissingError(`git 2.39 or later is needed, and found ${text.trim()}`)
  }
}

/** From what `git --version` says, which vendors lengthen. */
export function isNewEnough(text: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) > LEAST[0] || (Number(major) === LEAST[0] && Number(minor) >= LEAST[1])
}
