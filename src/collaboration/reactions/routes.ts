import type { Caller, Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadTracker } from '../issues/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import { presentUser } from '../../identity/users/present.ts'
import { listReactions, type Reaction } from './queries.ts'
import { loadCommentTarget, loadIssueTarget, react, takeBack, type Target } from './react.ts'
import {
  EditReactionOption,
  issueDeleteCommentReaction,
  issueDeleteIssueReaction,
  issueGetCommentReactions,
  issueGetIssueReactions,
  issuePostCommentReaction,
  issuePostIssueReaction,
  type ReactionBody,
} from './schema.ts'

type FindTarget = (call: Call, view: RepositoryView) => Promise<Target>

export function reactionRoutes(api: Api, ctx: Context): void {
  const issues = '/repos/:owner/:repo/issues'
  const ofIssue: FindTarget = (call, view) => loadIssueTarget(ctx, view, call.id('index'))
  const ofComment: FindTarget = (call, view) => loadCommentTarget(ctx, view, call.id('id'))

  api.get(`${issues}/:index/reactions`, issueGetIssueReactions, list(ctx, ofIssue))
  api.post(`${issues}/:index/reactions`, issuePostIssueReaction, add(ctx, ofIssue))
  api.delete(`${issues}/:index/reactions`, issueDeleteIssueReaction, remove(ctx, ofIssue))

  api.get(`${issues}/comments/:id/reactions`, issueGetCommentReactions, list(ctx, ofComment))
  api.post(`${issues}/comments/:id/reactions`, issuePostCommentReaction, add(ctx, ofComment))
  api.delete(`${issues}/comments/:id/reactions`, issueDeleteCommentReaction, remove(ctx, ofComment))
}

function list(ctx: Context, find: FindTarget) {
  return async (call: Call) => {
    const { subject } = await find(call, await loadTracker(ctx, call))
    const found = await listReactions(ctx.db, subject, call.page)
    return call.list(found, (reaction) => present(ctx, call.caller, reaction), { links: false })
  }
}

function add(ctx: Context, find: FindTarget) {
  return async (call: Call) => {
    const { target, caller, content } = await readChange(ctx, call, find)
    const { reaction, isNew } = await react(ctx, caller, target, content)
    const body = present(ctx, caller, reaction)
    return isNew ? created(body) : ok(body)
  }
}

function remove(ctx: Context, find: FindTarget) {
  return async (call: Call) => {
    const { target, caller, content } = await readChange(ctx, call, find)
    await takeBack(ctx, caller, target, content)
    return noContent()
  }
}

async function readChange(ctx: Context, call: Call, find: FindTarget) {
  const view = await loadTracker(ctx, call)
  const caller = call.signedIn()
  const { content = '' } = await call.body(EditReactionOption)
  return { caller, content, target: await find(call, view) }
}

function present(
  { config }: Context,
  caller: Caller,
  { account, content, createdAt }: Reaction,
): ReactionBody {
  return {
    user: presentUser(config, caller, account),
    content,
    created_at: formatTime(createdAt),
  }
}
