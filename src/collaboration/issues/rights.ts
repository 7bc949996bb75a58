import type { SignedInCaller } from '../../platform/context.ts'
import { forbidden, notFound } from '../../platform/errors.ts'
import { readsUnit, writesUnit } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Kinds } from './conditions.ts'
import type { Issue } from './issue.ts'

/** Pull requests need something to be pulled into, by hand. */
export function readableKinds(view: RepositoryView): Kinds {
  const { isEmpty, isMirror } = view.repo
  return {
    issues: readsUnit(view, 'repo.issues'),
    pulls: readsUnit(view, 'repo.pulls') && !isEmpty && !isMirror,
  }
}

/** What is switched off or not for this caller does not exist. */
export function assertReadsAny(view: RepositoryView): void {
  const { issues, pulls } = readableKinds(view)
  if (!issues && !pulls) throw notFound()
}

export function readsIssue(view: RepositoryView, { isPull }: Pick<Issue, 'isPull'>): boolean {
  const kinds = readableKinds(view)
  return isPull ? kinds.pulls : kinds.issues
}

export function writesIssue(view: RepositoryView, { isPull }: Pick<Issue, 'isPull'>): boolean {
  return writesUnit(view, isPull ? 'repo.pulls' : 'repo.issues')
}

export function isAuthor(
  { account }: SignedInCaller,
  by: { authorId: number | undefined },
): boolean {
  return by.authorId === account.id
}

/** The author and those who write; the contract tells others nothing but that. */
export function assertEdits(
  view: RepositoryView,
  caller: SignedInCaller,
  issue: Pick<Issue, 'isPull'>,
  by: { authorId: number | undefined },
): void {
  if (!isAuthor(caller, by) && !writesIssue(view, issue)) throw forbidden('', { empty: true })
}

export function assertWritesIssue(view: RepositoryView, issue: Issue): void {
  if (!writesIssue(view, issue)) throw forbidden('write permission is required')
}
