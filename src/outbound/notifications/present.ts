import type { Config } from '../../platform/config/config.ts'
import { apiUrl, baseUrl } from '../../platform/config/urls.ts'
import { issueApiUrl, issueHtmlUrl } from '../../collaboration/issues/present.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import type { ThreadBody } from './schema.ts'
import type { IssueSubject, RepositorySubject, ThreadView } from './view.ts'

export function presentThread(config: Config, view: ThreadView): ThreadBody {
  const { thread, repository } = view
  return {
    id: thread.id,
    repository: presentRepository(config, repository),
    subject: presentSubject(config, view),
    unread: thread.status === 'unread',
    pinned: thread.status === 'pinned',
    updated_at: formatTime(thread.updatedAt),
    url: `${apiUrl(config)}/notifications/threads/${thread.id}`,
  }
}

function presentSubject(config: Config, { about, repository }: ThreadView) {
  return 'issue' in about
    ? presentIssueSubject(config, repository, about)
    : presentRepositorySubject(config, repository, about)
}

function presentIssueSubject(config: Config, repository: RepositoryView, about: IssueSubject) {
  const { issue, lastCommentId } = about
  const { owner, repo } = repository
  const home = { id: repo.id, name: repo.name, ownerName: owner.name }
  const comments = `${apiUrl(config)}/repos/${owner.name}/${repo.name}/issues/comments`
  const page = issueHtmlUrl(config, home, issue)
  return {
    title: issue.title,
    url: issueApiUrl(config, home, issue),
    latest_comment_url: lastCommentId === undefined ? '' : `${comments}/${lastCommentId}`,
    html_url: page,
    latest_comment_html_url:
      lastCommentId === undefined ? '' : `${page}#issuecomment-${lastCommentId}`,
    type: issue.isPull ? 'Pull' : 'Issue',
    state: stateOf(about),
  }
}

/** An offer is decided on at an address of its own, also by those who do not see the repository. */
function presentRepositorySubject(
  config: Config,
  { owner, repo }: RepositoryView,
  { news }: RepositorySubject,
) {
  const path = `${owner.name}/${repo.name}`
  return {
    title: path,
    url: `${apiUrl(config)}/repos/${path}`,
    latest_comment_url: '',
    html_url: `${baseUrl(config)}/${path}${news === 'offer' ? '/transfer' : ''}`,
    latest_comment_html_url: '',
    type: 'Repository',
    state: '',
  }
}

function stateOf({ issue, isMerged }: IssueSubject): 'merged' | 'closed' | 'open' {
  if (isMerged) return 'merged'
  return issue.isClosed ? 'closed' : 'open'
}
