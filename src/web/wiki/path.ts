import { addressOfFile } from '../../wikis/name.ts'
import { restOf, type Visit } from '../repository/visit.ts'

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
