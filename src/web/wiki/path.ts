import { addressOfFile } from '../../code/wikis/name.ts'
import { pathTo, restOf, type Visit } from '../repository/visit.ts'

export const HOME = 'Home'

/** An address of a page is escaped as it is. */
export function pagePath({ home }: Pick<Visit, 'home'>, file: string, action = ''): string {
  return `${home}/wiki/${addressOfFile(file)}${action && `?action=${action}`}`
}

export function newPath({ home }: Pick<Visit, 'home'>, title = ''): string {
  const query = title === '' ? '' : `?title=${encodeURIComponent(title)}`
  return `${home}/wiki/_new${query}`
}

/** Which page is meant; the first one unless another is named. */
export function nameOf(visit: Visit): string {
  return restOf(visit) || HOME
}

/** What one commit changed, from the history of a page. */
export function changePath(visit: Pick<Visit, 'home'>, file: string, commitId: string): string {
  return `${pagePath(visit, file, 'change')}&commit=${commitId}`
}

/** A file that is no page. */
export function filePath(visit: Pick<Visit, 'home'>, path: string): string {
  return pathTo(visit, 'wiki', 'raw', path)
}
