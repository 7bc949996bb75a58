import { posix } from 'node:path'
import { invalid } from '../../platform/errors.ts'

/**
 * A path that git stores and that no system confuses with its own folder; anything else is refused.
 */
export function assertPathAllowed(path: string): void {
  if (isPathAllowed(path)) return
  throw invalid(`path contains a malformed path component [path: ${path}]`, {
    reason: 'path_invalid',
  })
}

/** Without `.`, `..` and empty parts; what leads out, or nowhere, stays as it is, to be refused. */
export function tidyPath(path: string): string {
  const tidy = posix.normalize(path).replace(/\/$/, '')
  return isPathAllowed(tidy) ? tidy : path
}

export function isPathAllowed(path: string): boolean {
  return Buffer.byteLength(path) <= 4096 && path.split('/').every((part) => isPartAllowed(part))
}

function isPartAllowed(part: string): boolean {
  if (part === '' || part === '.' || part === '..') return false
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(part) || Buffer.byteLength(part) > 255) return false
  return !isGitFolder(part)
}

/**
 * Other spellings of .git: NTFS forgets dots and blanks at the end, knows short names and streams;
 * HFS+ forgets characters that have no width.
 */
function isGitFolder(part: string): boolean {
  const visible = part.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
  const plain = visible
    .split(':')[0]
    ?.replace(/[. ]+$/, '')
    .toLowerCase()
  return plain === '.git' || plain === 'git~1' || /(?:^|\\)\.git(?:\\|$)/i.test(part)
}
