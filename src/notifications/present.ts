import type { Config } from '../config/config.ts'
import { apiUrl } from '../config/urls.ts'
import { issueApiUrl, issueHtmlUrl } from '../issues/present.ts'
import { presentRepository } from '../repositories/present.ts'
import { formatTime } from '../time.ts'
import type { ThreadBody } from './schema.ts'
import type { ThreadView } from './view.ts'

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

function presentSubject(config: Config, view: ThreadView) {
  const { issue, repository, lastCommentId } = view
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
    state: stateOf(view),
  }
}

function stateOf({ issue, isMerged }: ThreadView): 'merged' | 'closed' | 'open' {
  if (isMerged) return 'merged'
  return issue.isClosed ? 'closed' : 'open'
}
