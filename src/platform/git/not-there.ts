import { hasCode } from '../errors.ts'

/**
 * What git says of a repository whose files are not all there. On a network file system one node
 * may see what another has written in parts: a ref before its object, an index before its pack.
 */
const complaints = [
  /not a git repository|does not appear to be a git repository/,
  /fatal: (?:missing|bad) object [0-9a-f]{40}/,
  /(?:Could not access|unable to read|unable to find|could not read|failed to read object|could not parse commit) '?[0-9a-f]{40}/i,
  /packfile \S+ (?:cannot be accessed|index unavailable|claims to have)/,
  /bad tree object|bad revision '[0-9a-f]{40}|invalid sha1 pointer/,
  /Stale file handle/,
]

/** Of a repository or a wiki of ours. */
const ofRepository = /\/repositories\/[0-9a-f]{2}\/[0-9a-f-]{36}(?:\.wiki)?\.git(?:\/|$)/

/**
 * Whether `error` says that files of a repository are not there, or not any more, or not all of
 * them. That may be over in a moment.
 */
export function isNotThereYet(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (hasCode(error, 'ESTALE')) return true
  const { path } = error as NodeJS.ErrnoException
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return ofRepository.test(path ?? '')
  const isOfGit = error.name === 'GitError' || error.name === 'ReaderGone'
  return isOfGit && complaints.some((said) => said.test(error.message))
}
