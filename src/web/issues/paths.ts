import type { Comment } from '../../collaboration/comments/comment.ts'
import type { Config } from '../../platform/config/config.ts'
import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Query } from '../../platform/http/query.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

/** The page of an issue or of a pull request. */
export function issuePath(
  visit: Pick<Visit, 'home'>,
  { number, isPull }: Pick<Issue, 'number' | 'isPull'>,
): string {
  return pathTo(visit, isPull ? 'pulls' : 'issues', String(number))
}

/** The page of an issue or pull request that may be in another repository. */
export function pathOfOther(config: Config, { home, issue }: Pick<IssueView, 'home' | 'issue'>) {
  const { ownerName, name } = home
  const path = `${basePath(config)}/${encodeSegment(ownerName)}/${encodeSegment(name)}`
  return issuePath({ home: path }, issue)
}

/** Where its forms are sent: what issues and pull requests share is done in one place. */
export function formPath(
  visit: Pick<Visit, 'home'>,
  { number }: Pick<Issue, 'number'>,
  ...parts: readonly string[]
): string {
  return pathTo(visit, 'issues', String(number), ...parts)
}

/** As the addresses that the API gives of comments have it. */
export function anchorOf({ id }: Pick<Comment, 'id'>): string {
  return `issuecomment-${id}`
}

/** The page of the conversation that a form was sent from. */
export function pageIn(query: Query): string {
  const number = query.integer('page')
  return number > 0 ? `?page=${number}` : ''
}
