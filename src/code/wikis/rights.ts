import { notFound } from '../../platform/errors.ts'
import {
  assertEditable,
  assertNotArchived,
  assertWrites,
  readsUnit,
} from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'

/** A wiki that is switched off, lies elsewhere, or is not for the caller is not there at all. */
export function assertReadsWiki(view: RepositoryView): void {
  if (!readsUnit(view, 'repo.wiki')) throw notFound()
}

/** For callers who read it and are signed in. */
export function assertEditsWiki(view: RepositoryView): void {
  assertNotArchived(view)
  assertEditable(view)
  assertWrites(view, 'repo.wiki')
}
