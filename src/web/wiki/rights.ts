import { isUtf8 } from 'node:buffer'
import { reaches } from '../../platform/access-level.ts'
import { signedIn } from '../../platform/http/call.ts'
import { writesUnit } from '../../repositories/repository/load.ts'
import type { WholePage } from '../../code/wikis/pages.ts'
import { assertEditsWiki, assertReadsWiki } from '../../code/wikis/rights.ts'
import type { Visit } from '../repository/visit.ts'

/** In the order of the API. */
export function assertMayWrite({ viewer, view }: Visit): void {
  assertReadsWiki(view)
  signedIn(viewer)
  assertEditsWiki(view)
}

/** Whether a field of a form can hold its text and give it back as it was. */
export function isEditable({ content, isTooLarge }: WholePage): boolean {
  return !isTooLarge && isUtf8(content) && !content.includes(0)
}

/** Whether the ways to change the wiki are shown. */
export function mayWrite({ viewer, view }: Visit): boolean {
  if (!viewer.account || view.repo.isArchived || view.repo.isMirror) return false
  return reaches(view.access.level, 'admin') || writesUnit(view, 'repo.wiki')
}
