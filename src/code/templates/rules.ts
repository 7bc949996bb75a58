import { compileGlob, isGlob, MAX_PATTERN, type Matches } from '../../platform/parsing/glob.ts'

/** What `.gitea/template` says about the files beside it. */
export interface TemplateRules {
  readonly expands: Matches
  readonly excludes: Matches
}

/** Without that file everything is copied as it is. */
export const noRules: TemplateRules = { expands: () => false, excludes: () => false }

export function parseRules(text: string): TemplateRules {
  const sections = { expand: [] as string[], exclude: [] as string[] }
  let section = sections.expand
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '[expand]') section = sections.expand
    else if (line === '[exclude]') section = sections.exclude
    else if (isPattern(line)) section.push(line)
  }
  return { expands: matchAny(sections.expand), excludes: matchAny(sections.exclude) }
}

/** A header that nobody knows is none, and neither is what looks like one. */
function isPattern(line: string): boolean {
  return line !== '' && !line.startsWith('#') && !(line.startsWith('[') && line.endsWith(']'))
}

/** Plain paths are looked up; only what stands for more is compared one by one. */
function matchAny(patterns: readonly string[]): Matches {
  const paths = new Set(patterns.filter((pattern) => !isGlob(pattern)))
  const usable = patterns.filter((pattern) => isGlob(pattern) && pattern.length <= MAX_PATTERN)
  const globs = [...new Set(usable)].flatMap((pattern) => compileGlob(pattern) ?? [])
  return (path) => paths.has(path) || globs.some((matches) => matches(path))
}
