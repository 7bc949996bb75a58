import type { Attachment } from '../attachments/attachment.ts'
import { assertNameAllowed, removeAttachment, renameAttachment } from '../attachments/edit.ts'
import { presentAttachment } from '../attachments/present.ts'
import { issueRules } from '../attachments/receive.ts'
import { EditAttachmentOptions } from '../attachments/schema.ts'
import { asAppError, type FailureCodes } from '../attachments/upload-error.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { created, noContent, ok } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { assertMatches, recordAnswer } from '../http/record.ts'
import { receiveUpload } from '../http/upload.ts'
import { assertReadsAny } from '../issues/rights.ts'
import { assertNotArchived } from '../repositories/load.ts'
import { loadOfPath } from '../repositories/routes.ts'
import type { RepositoryView } from '../repositories/view.ts'
import {
  assertEditsComment,
  assertMayAdd,
  assertWritesTo,
  loadComment,
  loadIssue,
} from './access.ts'
import {
  attachToComment,
  attachToIssue,
  listOfComment,
  listOfIssue,
  loadOfComment,
  loadOfIssue,
} from './attach.ts'
import type { Attachable } from './queries.ts'
import {
  issueCreateIssueAttachment,
  issueCreateIssueCommentAttachment,
  issueDeleteIssueAttachment,
  issueDeleteIssueCommentAttachment,
  issueEditIssueAttachment,
  issueEditIssueCommentAttachment,
  issueGetIssueAttachment,
  issueGetIssueCommentAttachment,
  issueListIssueAttachments,
  issueListIssueCommentAttachments,
} from './schema.ts'

/** What the contract makes of a failed upload to an issue: an error of ours, nearly always. */
const issueCodes: FailureCodes = {
  no_file: 'upload_failed',
  no_name: 'upload_failed',
  forbidden_type: 'upload_failed',
  too_large: 'upload_failed',
  too_slow: 'upload_failed',
  wrong_digest: 'invalid',
  storage_full: 'upload_failed',
  storage_failed: 'upload_failed',
}

/** Comments tell what was wrong. */
const commentCodes: FailureCodes = {
  ...issueCodes,
  forbidden_type: 'invalid',
  too_large: 'too_large',
  storage_full: 'insufficient_storage',
}

/** An issue, or a comment that the path names by `commentId`. */
interface Place extends Attachable {
  readonly view: RepositoryView
  readonly commentId: number
}

const ofIssue = '/repos/:owner/:repo/issues/:index/assets'
const ofComment = '/repos/:owner/:repo/issues/comments/:id/assets'

export function issueAttachmentRoutes(api: Api, ctx: Context): void {
  const load = async (call: Call, view: RepositoryView): Promise<Place> => ({
    ...(await loadIssue(ctx, view, call.id('index'))),
    view,
    commentId: 0,
  })
  const find = (call: Call, place: Place) =>
    loadOfIssue(ctx, place.view, place, call.id('attachment_id'))
  const enterToWrite = async (call: Call) => {
    const place = await load(call, await loadWritable(ctx, call))
    assertWritesTo(place.view, call.signedIn(), place)
    return place
  }
  const enterToAdd = async (call: Call) => {
    const place = await enterToWrite(call)
    await assertMayAdd(ctx, place.view, call.signedIn(), place)
    return place
  }

  api.get(ofIssue, issueListIssueAttachments, async (call) => {
    const found = await listOfIssue(ctx, await load(call, await loadReadable(ctx, call)))
    return ok(found.map((attachment) => present(ctx, call, attachment)))
  })

  api.get(`${ofIssue}/:attachment_id`, issueGetIssueAttachment, async (call) => {
    const place = await load(call, await loadReadable(ctx, call))
    return recordAnswer(call, present(ctx, call, await find(call, place)))
  })

  api.post(ofIssue, issueCreateIssueAttachment, async (call) => {
    const terms = { rules: issueRules(ctx), takesRaw: false, codes: issueCodes }
    const { file, place } = await receiveUpload(ctx, call, terms, () => enterToAdd(call))
    const { view } = place
    return created(present(ctx, call, await attachToIssue(ctx, call.signedIn(), view, place, file)))
  })

  api.patch(`${ofIssue}/:attachment_id`, issueEditIssueAttachment, async (call) => {
    const view = await loadWritable(ctx, call)
    const body = await call.body(EditAttachmentOptions)
    const place = await load(call, view)
    assertWritesTo(view, call.signedIn(), place)
    const attachment = await find(call, place)
    await assertMatches(call, async () => present(ctx, call, attachment))
    return created(present(ctx, call, await renameAttachment(ctx, attachment, body.name)))
  })

  api.delete(`${ofIssue}/:attachment_id`, issueDeleteIssueAttachment, async (call) => {
    const attachment = await find(call, await enterToWrite(call))
    await assertMatches(call, async () => present(ctx, call, attachment))
    await removeAttachment(ctx, call.signedIn(), attachment)
    return noContent()
  })
}

export function commentAttachmentRoutes(api: Api, ctx: Context): void {
  const load = async (call: Call, view: RepositoryView): Promise<Place> => ({
    ...(await loadComment(ctx, view, call.id('id'))),
    view,
    commentId: call.id('id'),
  })
  const find = (call: Call, place: Place) =>
    loadOfComment(ctx, place.view, place.commentId, call.id('attachment_id'))
  const enterToWrite = async (call: Call) => {
    const place = await load(call, await loadWritable(ctx, call))
    assertEditsComment(place.view, call.signedIn(), place)
    return place
  }
  const enterToAdd = async (call: Call) => {
    const place = await enterToWrite(call)
    await assertMayAdd(ctx, place.view, call.signedIn(), place)
    return place
  }

  api.get(ofComment, issueListIssueCommentAttachments, async (call) => {
    const { commentId } = await load(call, await loadReadable(ctx, call))
    const found = await listOfComment(ctx, commentId)
    return ok(found.map((attachment) => present(ctx, call, attachment)))
  })

  api.get(`${ofComment}/:attachment_id`, issueGetIssueCommentAttachment, async (call) => {
    const place = await load(call, await loadReadable(ctx, call))
    return recordAnswer(call, present(ctx, call, await find(call, place)))
  })

  api.post(ofComment, issueCreateIssueCommentAttachment, async (call) => {
    const terms = { rules: issueRules(ctx), takesRaw: false, codes: commentCodes }
    const { file, place } = await receiveUpload(ctx, call, terms, () => enterToAdd(call))
    const { view } = place
    return created(
      present(ctx, call, await attachToComment(ctx, call.signedIn(), view, place, file)),
    )
  })

  api.patch(`${ofComment}/:attachment_id`, issueEditIssueCommentAttachment, async (call) => {
    const view = await loadWritable(ctx, call)
    const body = await call.body(EditAttachmentOptions)
    const place = await load(call, view)
    assertEditsComment(view, call.signedIn(), place)
    const attachment = await find(call, place)
    await assertMatches(call, async () => present(ctx, call, attachment))
    assertAllowed(ctx, body.name || attachment.name)
    return created(present(ctx, call, await renameAttachment(ctx, attachment, body.name)))
  })

  api.delete(`${ofComment}/:attachment_id`, issueDeleteIssueCommentAttachment, async (call) => {
    const attachment = await find(call, await enterToWrite(call))
    await assertMatches(call, async () => present(ctx, call, attachment))
    await removeAttachment(ctx, call.signedIn(), attachment)
    return noContent()
  })
}

async function loadReadable(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  assertReadsAny(view)
  if (!ctx.config.attachment.enabled) throw notFound()
  return view
}

async function loadWritable(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadReadable(ctx, call)
  call.signedIn()
  assertNotArchived(view)
  return view
}

function present({ config }: Context, call: Call, attachment: Attachment) {
  return presentAttachment(config, attachment, { showDigest: call.query.boolean('digest') })
}

function assertAllowed(ctx: Context, name: string): void {
  try {
    assertNameAllowed(ctx.config.attachment.allowed_types, name)
  } catch (error) {
    throw asAppError(error, commentCodes)
  }
}
