import { presentAttachment, type AttachmentView } from '../../repositories/attachments/present.ts'
import type { Config } from '../../platform/config/config.ts'
import { anonymous } from '../../platform/context.ts'
import { issueHtmlUrl } from '../issues/present.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { CommentBody } from './schema.ts'
import type { CommentView } from './view.ts'

/** Authors of comments are shown to everybody as to strangers. */
export function presentComment(
  config: Config,
  repository: RepositoryView,
  { comment, issue, author, assets }: CommentView,
  shown: Pick<AttachmentView, 'showDigest'> = {},
): CommentBody {
  return {
    id: comment.id,
    ...presentAddresses(config, repository, issue, comment.id),
    user: presentUser(config, anonymous, author),
    original_author: '',
    original_author_id: 0,
    body: comment.body,
    assets: assets.map((attachment) => presentAttachment(config, attachment, shown)),
    created_at: formatTime(comment.createdAt),
    updated_at: formatTime(comment.updatedAt),
  }
}

/** Of the two addresses of its issue one is empty. */
export function presentAddresses(
  config: Config,
  { owner, repo }: RepositoryView,
  issue: { readonly number: number; readonly isPull: boolean },
  commentId: number,
) {
  const home = { id: repo.id, name: repo.name, ownerName: owner.name }
  const url = issueHtmlUrl(config, home, issue)
  return {
    html_url: `${url}#issuecomment-${commentId}`,
    pull_request_url: issue.isPull ? url : '',
    issue_url: issue.isPull ? '' : url,
  }
}
