import { invalid } from '../../platform/errors.ts'
import { compileGlob, type Matches } from '../../platform/parsing/glob.ts'

/**
 * Globs separated by semicolons, whatever the letter case; matches a path that one of them matches.
 */
export function readFilePatterns(text: string): Matches {
  const globs = text
    .toLowerCase()
    .split(';')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '')
    .map(readGlob)
  return (path) => globs.some((matches) => matches(path.toLowerCase()))
}

function readGlob(glob: string): Matches {
  const matches = compileGlob(glob)
  if (!matches)
    throw invalid(`${glob} is not a valid glob`, { reason: 'glob_invalid', subject: glob })
  return matches
}
