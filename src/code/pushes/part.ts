import type { RepositoryPath } from '../../repositories/repository/repository.ts'

/**
 * What of a repository git is asked for: each is a git repository of its own, with rights of its
 * own.
 */
export type Part = 'code' | 'wiki'

export interface PartPath extends RepositoryPath {
  readonly part: Part
}

/**
 * The wiki of `name` is `name.wiki`, which no repository can be called; `.git` may follow either.
 */
export function readPartPath(owner: string, name: string): PartPath {
  const code = readCodePath(owner, name)
  const repo = code.repo.replace(/\.wiki$/, '')
  return repo === code.repo ? code : { owner, repo, part: 'wiki' }
}

/** For what only code has: there a wiki is an unknown repository. */
export function readCodePath(owner: string, name: string): PartPath {
  return { owner, repo: name.replace(/\.git$/, ''), part: 'code' }
}
