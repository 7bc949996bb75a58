import { readsUnit } from '../repositories/load.ts'
import type { UnitKey } from '../repositories/units.ts'
import type { RepositoryView } from '../repositories/view.ts'

/** What each kind of activity tells of; kinds of the repository itself are not among them. */
const kindsByUnit: Partial<Record<UnitKey, readonly string[]>> = {
  'repo.code': [
    'commit_repo',
    'push_tag',
    'delete_tag',
    'delete_branch',
    'mirror_sync_push',
    'mirror_sync_create',
    'mirror_sync_delete',
  ],
  'repo.issues': ['create_issue', 'comment_issue', 'close_issue', 'reopen_issue'],
  'repo.pulls': [
    'create_pull_request',
    'comment_pull',
    'close_pull_request',
    'reopen_pull_request',
    'merge_pull_request',
    'auto_merge_pull_request',
    'approve_pull_request',
    'reject_pull_request',
  ],
  'repo.releases': ['publish_release'],
}

/** The kinds whose content the caller may not know: titles, comments, commit messages of units they do not read. */
export function hiddenKinds(view: RepositoryView): readonly string[] {
  return Object.entries(kindsByUnit).flatMap(([unit, kinds]) =>
    readsUnit(view, unit as UnitKey) ? [] : kinds,
  )
}
