import type { IssueView } from '../../collaboration/issues/view.ts'
import { isDraft } from '../../collaboration/pulls/pull.ts'
import { html, type Html } from '../../platform/html.ts'
import { icon, type IconName } from '../icons.ts'

interface State {
  readonly name: string
  readonly mark: 'open' | 'closed' | 'merged'
  readonly icon: IconName
}

/** What has become of an issue or a pull request. */
export function stateOf({ issue, pull }: Pick<IssueView, 'issue' | 'pull'>): State {
  if (pull?.isMerged) return { name: 'Merged', mark: 'merged', icon: 'merge' }
  if (issue.isClosed) {
    return { name: 'Closed', mark: 'closed', icon: issue.isPull ? 'pull' : 'check' }
  }
  if (!issue.isPull) return { name: 'Open', mark: 'open', icon: 'issue' }
  const draft = isDraft(issue.title)
  return { name: draft ? 'Draft' : 'Open', mark: draft ? 'closed' : 'open', icon: 'pull' }
}

export function renderState(shown: Pick<IssueView, 'issue' | 'pull'>): Html {
  const { name, mark, icon: picture } = stateOf(shown)
  return html`<span class="state ${mark}">${icon(picture)} ${name}</span>`
}
