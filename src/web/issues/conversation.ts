import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { basePath } from '../../platform/config/urls.ts'
import { lengthOfTimeline, timelineOf } from '../../collaboration/comments/timeline.ts'
import type { Page } from '../../platform/db/page.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import type { ReactionTally } from '../../collaboration/reactions/queries.ts'
import { reactionsAbout } from '../../collaboration/reactions/load.ts'
import type { Reviewed } from '../../collaboration/reviews/threads.ts'
import { viewTimeline, type TimelineView } from '../../collaboration/timeline/view.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { renderReview, textsIn } from '../pulls/review.ts'
import type { Visit } from '../repository/visit.ts'
import { renderSaid } from './comment.ts'
import { editLink, mayEdit, renderCommentEditor, renderTextEditor } from './editing.ts'
import { renderEvent } from './event.ts'
import { filesPathOfComment, filesPathOfIssue } from './files-path.ts'
import { anchorOf, issuePath } from './paths.ts'
import { renderReactions } from './reactions.ts'
import type { FormName, Rejected } from './rejected.ts'
import { loadSpeech, type Speak } from './speech.ts'

const ENTRIES_PER_PAGE = 100

/** What is said about an issue, as it is shown to one viewer. */
export interface Talk {
  readonly visit: Visit
  readonly shown: IssueView
  readonly page: Page
  readonly speak: Speak
  /** By the id of a comment, 0 for the issue itself. */
  readonly reactions: (commentId: number) => readonly ReactionTally[]
  /** Of a pull request. */
  readonly reviewed: Reviewed | undefined
  /** Which text is shown as a form. */
  readonly editing: string
  readonly rejected: Rejected<string> | undefined
}

/**
 * What was said and what happened, oldest first: the last page, unless another is asked for, since
 * what is new is there.
 */
export async function renderConversation(
  visit: Visit,
  shown: IssueView,
  rejected: Rejected<string> | undefined,
  reviewed?: Reviewed,
): Promise<Html> {
  const { ctx, viewer, view, query } = visit
  const { issue } = shown
  const total = await lengthOfTimeline(ctx, viewer, { view, issue })
  const page = pageOf(visit, total)
  const entries = await timelineOf(ctx, viewer, { view, issue }, {}, page)
  const views = await viewTimeline(ctx, viewer, entries)
  const editing = rejected?.form ?? query.text('edit') ?? ''
  const reactions = await reactionsAbout(ctx, viewer, issue.id)
  const speak = await loadSpeech(visit, textsOf(shown, views, reviewed))
  const talk = { visit, shown, page, speak, reactions, reviewed, editing, rejected }
  // A form that was not taken has an address of its own, which shows nothing.
  const url = issuePath(visit, issue).slice(basePath(ctx.config).length)
  return html`
${await renderFirst(talk)}
${await Promise.all(views.map((entry) => renderEntry(talk, entry)))}
${renderPager(ctx.config, { url }, page, total)}`
}

function textsOf(
  { issue }: IssueView,
  views: readonly TimelineView[],
  reviewed: Reviewed | undefined,
): readonly string[] {
  return [
    issue.body,
    ...views.map(({ comment }) => comment.body),
    ...(reviewed
      ? [...reviewed.reviews.map(({ review }) => review.body), ...textsIn(reviewed.threads)]
      : []),
  ]
}

function pageOf({ query }: Visit, total: number): Page {
  const last = Math.max(1, Math.ceil(total / ENTRIES_PER_PAGE))
  const asked = query.text('page') === undefined ? last : query.integer('page')
  const number = Math.min(Math.max(1, asked), last)
  return { number, limit: ENTRIES_PER_PAGE, offset: (number - 1) * ENTRIES_PER_PAGE }
}

async function renderFirst(talk: Talk): Promise<Html> {
  const { visit, shown } = talk
  const { issue, author, assets } = shown
  const id = `issue-${issue.id}`
  if (isForm(talk, 'text')) return renderTextEditor(talk, id)
  const { body, createdAt } = issue
  const actions = mayEdit(visit, issue, issue) && editLink(talk, 'text', id)
  const deletePath = deletionIn(talk, filesPathOfIssue(visit, issue))
  return renderSaid(
    talk,
    { id, author, body, createdAt, assets },
    { actions, foot: renderReactions(talk), deletePath },
  )
}

async function renderEntry(talk: Talk, entry: TimelineView): Promise<Part> {
  const { visit, shown } = talk
  const { comment, author, assets, issue } = entry
  if (comment.kind === 'review') return renderReview(talk, entry)
  if (comment.kind !== 'comment') return renderEvent(visit, entry)
  const form = `comment-${comment.id}` as const
  if (isForm(talk, form, comment)) return renderCommentEditor(talk, comment)
  const id = anchorOf(comment)
  const actions = mayEdit(visit, issue, comment) && editLink(talk, form, id)
  const foot = renderReactions(talk, comment.id)
  const deletePath = deletionIn(talk, filesPathOfComment(visit, shown.issue, comment))
  return renderSaid(talk, { ...comment, id, author, assets }, { actions, foot, deletePath })
}

function deletionIn({ page }: Talk, filesPath: string | undefined) {
  if (filesPath === undefined) return undefined
  return ({ id }: Attachment) => `${filesPath}/${id}/delete?page=${page.number}`
}

/** Whether a text is shown as a form, for who may change it. */
function isForm(
  { editing, visit, shown }: Talk,
  form: FormName,
  by: { authorId: number | undefined } = shown.issue,
): boolean {
  return editing === form && mayEdit(visit, shown.issue, by)
}
