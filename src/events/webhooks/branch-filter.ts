import { compileGlob, MAX_PATTERN, type Matches } from '../../platform/parsing/glob.ts'

/** A glob on the names of branches, in which `*` crosses slashes; `undefined` when it is none. */
export function compileBranchFilter(filter: string): Matches | undefined {
  if (filter.length > MAX_PATTERN) return undefined
  return compileGlob(filter.replace(/(?<!\\)\*+/g, '**'))
}

/** Without a filter every branch passes. */
export function passesFilter(filter: string, branch: string | undefined): boolean {
  if (filter === '' || branch === undefined) return true
  return compileBranchFilter(filter)?.(branch) ?? false
}
