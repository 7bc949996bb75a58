import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { guardOf, recordAnswer } from '../../platform/http/record.ts'
import type { Issue } from '../issues/issue.ts'
import { loadIssue } from '../issues/load.ts'
import { readableKinds } from '../issues/rights.ts'
import { loadIssueOfPath, loadTracker } from '../issues/routes.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { addComment, editComment, removeComment } from './change.ts'
import type { Comment } from './comment.ts'
import { listComments, loadComment } from './load.ts'
import { presentComment } from './present.ts'
import { listCommentsIn, type TimeSpan } from './queries.ts'
import {
  CreateIssueCommentOption,
  EditIssueCommentOption,
  issueCreateComment,
  issueDeleteComment,
  issueDeleteCommentDeprecated,
  issueEditComment,
  issueEditCommentDeprecated,
  issueGetComment,
  issueGetComments,
  issueGetRepoComments,
  type CommentBody,
} from './schema.ts'
import { viewComment, viewComments, type CommentView, type Known } from './view.ts'

export function commentListRoutes(api: Api, ctx: Context): void {
  const issues = '/repos/:owner/:repo/issues'
  const presentAll = (call: Call, view: RepositoryView, comments: readonly CommentView[]) => {
    const shown = { showDigest: call.query.boolean('digest') }
    return comments.map((comment) => presentComment(ctx.config, view, comment, shown))
  }

  // The whole list, however long: clients count on it.
  api.get(`${issues}/:index/comments`, issueGetComments, async (call) => {
    const { view, issue } = await loadIssueOfPath(ctx, call)
    const body = presentAll(call, view, await listComments(ctx, issue, readSpan(call)))
    const headers = {
      'x-total-count': String(body.length),
      'access-control-expose-headers': 'X-Total-Count',
    }
    return ok(body, headers)
  })

  api.get(`${issues}/comments`, issueGetRepoComments, async (call) => {
    const view = await loadTracker(ctx, call)
    const kinds = readableKinds(view)
    const found = await listCommentsIn(ctx.db, view.repo.id, kinds, readSpan(call), call.page)
    await ctx.downloadCounts.flush()
    const comments = await viewComments(ctx.db, found.items)
    return call.listOf(found, presentAll(call, view, comments), { links: false })
  })
}

export function commentRoutes(api: Api, ctx: Context): void {
  const issues = '/repos/:owner/:repo/issues'
  const present = async (call: Call, view: RepositoryView, comment: Comment, issue: Issue) => {
    await ctx.downloadCounts.flush()
    const known = { issue, account: call.caller.account }
    return presentIn(ctx, ctx.db, call, view, comment, known)
  }
  const unchanged = (call: Call, view: RepositoryView) =>
    guardOf<Comment>(call, (tx, current) => presentIn(ctx, tx, call, view, current))

  api.post(`${issues}/:index/comments`, issueCreateComment, async (call) => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    assertNotArchived(view)
    const { body } = await call.body(CreateIssueCommentOption)
    const issue = await loadIssue(ctx, view, call.id('index'))
    const comment = await addComment(ctx, caller, view, issue, body)
    return created(await present(call, view, comment, issue))
  })

  api.get(`${issues}/comments/:id`, issueGetComment, async (call) => {
    const view = await loadTracker(ctx, call)
    const { comment, issue } = await loadComment(ctx, view, call.id('id'))
    if (comment.kind !== 'comment') return noContent()
    return recordAnswer(call, await present(call, view, comment, issue))
  })

  // On this route alone the contract looks at the archive before the caller.
  const edit = async (call: Call) => {
    const view = await loadTracker(ctx, call)
    assertNotArchived(view)
    const caller = call.signedIn()
    const { body } = await call.body(EditIssueCommentOption)
    const found = await loadComment(ctx, view, call.id('id'))
    const edited = await editComment(ctx, caller, view, found, body, unchanged(call, view))
    return edited ? ok(await present(call, view, edited, found.issue)) : noContent()
  }
  const remove = async (call: Call) => {
    const view = await loadTracker(ctx, call)
    const caller = call.signedIn()
    const found = await loadComment(ctx, view, call.id('id'))
    await removeComment(ctx, caller, view, found, unchanged(call, view))
    return noContent()
  }
  api.patch(`${issues}/comments/:id`, issueEditComment, edit)
  api.delete(`${issues}/comments/:id`, issueDeleteComment, remove)
  // As old clients have it; the number of the issue says nothing.
  api.patch(`${issues}/:index/comments/:id`, issueEditCommentDeprecated, edit)
  api.delete(`${issues}/:index/comments/:id`, issueDeleteCommentDeprecated, remove)
}

async function presentIn(
  { config }: Context,
  db: Executor,
  call: Call,
  view: RepositoryView,
  comment: Comment,
  known?: Known,
): Promise<CommentBody> {
  const shown = { showDigest: call.query.boolean('digest') }
  return presentComment(config, view, await viewComment(db, comment, known), shown)
}

export function readSpan({ query }: Call): TimeSpan {
  return { since: query.time('since'), before: query.time('before') }
}
