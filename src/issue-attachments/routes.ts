import type { Attachment } from '../attachments/attachment.ts'
import { assertNameAllowed, removeAttachment, renameAttachment } from '../attachments/edit.ts'
import { presentAttachment } from '../attachments/present.ts'
import { issueRules, type ReceivedFile } from '../attachments/receive.ts'
import { EditAttachmentOptions } from '../attachments/schema.ts'
import { asAppError, type FailureCodes } from '../attachments/upload-error.ts'
import type { Context, SignedInCaller } from '../context.ts'
import type { Guard } from '../db/guard.ts'
import { notFound } from '../errors.ts'
import { created, noContent, ok } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { assertMatches, guardOf, recordAnswer } from '../http/record.ts'
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
import * as endpoints from './schema.ts'

/** An issue or a comment, in its repository. */
interface Place extends Attachable {
  readonly view: RepositoryView
  /** 0 for the issue itself. */
  readonly commentId: number
}

/** In what the attachments of issues and of comments differ. */
interface Kind {
  readonly path: string
  readonly endpoints: {
    readonly list: typeof endpoints.issueListIssueAttachments
    readonly get: typeof endpoints.issueGetIssueAttachment
    readonly create: typeof endpoints.issueCreateIssueAttachment
    readonly edit: typeof endpoints.issueEditIssueAttachment
    readonly remove: typeof endpoints.issueDeleteIssueAttachment
  }
  readonly codes: FailureCodes
  /** Types that may be renamed to; all where this is absent. */
  readonly renameTypes?: (ctx: Context) => string
  readonly load: (ctx: Context, call: Call, view: RepositoryView) => Promise<Place>
  readonly assertWrites: (view: RepositoryView, caller: SignedInCaller, to: Place) => void
  readonly list: (ctx: Context, of: Place) => Promise<readonly Attachment[]>
  readonly find: (ctx: Context, of: Place, id: number) => Promise<Attachment>
  readonly attach: (
    ctx: Context,
    caller: SignedInCaller,
    to: Place,
    file: ReceivedFile,
  ) => Promise<Attachment>
}

/** The contract makes an error of ours of nearly every failed upload to an issue, and takes any new name. */
const ofIssues: Kind = {
  path: '/repos/:owner/:repo/issues/:index/assets',
  endpoints: {
    list: endpoints.issueListIssueAttachments,
    get: endpoints.issueGetIssueAttachment,
    create: endpoints.issueCreateIssueAttachment,
    edit: endpoints.issueEditIssueAttachment,
    remove: endpoints.issueDeleteIssueAttachment,
  },
  codes: {
    no_file: 'upload_failed',
    no_name: 'upload_failed',
    forbidden_type: 'upload_failed',
    too_large: 'upload_failed',
    too_slow: 'upload_failed',
    wrong_digest: 'invalid',
    storage_full: 'upload_failed',
    storage_failed: 'upload_failed',
  },
  load: async (ctx, call, view) => {
    const issue = await loadIssue(ctx, view, call.id('index'))
    return { ...issue, view, commentId: 0 }
  },
  assertWrites: assertWritesTo,
  list: listOfIssue,
  find: (ctx, place, id) => loadOfIssue(ctx, place.view, place, id),
  attach: (ctx, caller, place, file) => attachToIssue(ctx, caller, place.view, place, file),
}

/** Comments tell what was wrong, and names are checked there. */
const ofComments: Kind = {
  path: '/repos/:owner/:repo/issues/comments/:id/assets',
  endpoints: {
    list: endpoints.issueListIssueCommentAttachments,
    get: endpoints.issueGetIssueCommentAttachment,
    create: endpoints.issueCreateIssueCommentAttachment,
    edit: endpoints.issueEditIssueCommentAttachment,
    remove: endpoints.issueDeleteIssueCommentAttachment,
  },
  codes: {
    ...ofIssues.codes,
    forbidden_type: 'invalid',
    too_large: 'too_large',
    storage_full: 'insufficient_storage',
  },
  renameTypes: ({ config }) => config.attachment.allowed_types,
  load: async (ctx, call, view) => {
    const commentId = call.id('id')
    return { ...(await loadComment(ctx, view, commentId)), view, commentId }
  },
  assertWrites: assertEditsComment,
  list: (ctx, { commentId }) => listOfComment(ctx, commentId),
  find: (ctx, { view, commentId }, id) => loadOfComment(ctx, view, commentId, id),
  attach: (ctx, caller, place, file) => attachToComment(ctx, caller, place.view, place, file),
}

export function issueAttachmentRoutes(api: Api, ctx: Context): void {
  for (const kind of [ofIssues, ofComments]) {
    readRoutes(api, ctx, kind)
    changeRoutes(api, ctx, kind)
  }
}

function readRoutes(api: Api, ctx: Context, kind: Kind): void {
  api.get(kind.path, kind.endpoints.list, async (call) => {
    const found = await kind.list(ctx, await enter(ctx, call, kind))
    return ok(found.map((attachment) => present(ctx, call, attachment)))
  })

  api.get(`${kind.path}/:attachment_id`, kind.endpoints.get, async (call) => {
    const place = await enter(ctx, call, kind)
    const attachment = await kind.find(ctx, place, call.id('attachment_id'))
    return recordAnswer(call, present(ctx, call, attachment))
  })
}

function changeRoutes(api: Api, ctx: Context, kind: Kind): void {
  api.post(kind.path, kind.endpoints.create, async (call) => {
    return created(present(ctx, call, await attachUpload(ctx, call, kind)))
  })

  api.patch(`${kind.path}/:attachment_id`, kind.endpoints.edit, async (call) => {
    const view = await loadWritable(ctx, call)
    const { name } = await call.body(EditAttachmentOptions)
    const place = await kind.load(ctx, call, view)
    kind.assertWrites(view, call.signedIn(), place)
    const attachment = await findForChange(ctx, call, kind, place)
    assertAllowed(ctx, kind, name || attachment.name)
    const renamed = await renameAttachment(ctx, attachment, name, unchanged(ctx, call))
    return created(present(ctx, call, renamed))
  })

  api.delete(`${kind.path}/:attachment_id`, kind.endpoints.remove, async (call) => {
    const place = await enterToWrite(ctx, call, kind)
    const attachment = await findForChange(ctx, call, kind, place)
    await removeAttachment(ctx, call.signedIn(), attachment, unchanged(ctx, call))
    return noContent()
  })
}

/** For pages, which tell everybody what was wrong. */
const codesOfPages: FailureCodes = { ...ofComments.codes, no_file: 'invalid' }

export async function attachToIssueOfPath(ctx: Context, call: Call): Promise<Attachment> {
  return attachUpload(ctx, call, { ...ofIssues, codes: codesOfPages })
}

/** A comment whose address names its issue too. */
export async function attachToCommentOfPath(ctx: Context, call: Call): Promise<Attachment> {
  return attachUpload(ctx, call, { ...ofComments, codes: codesOfPages, load: loadCommentOfIssue })
}

async function loadCommentOfIssue(ctx: Context, call: Call, view: RepositoryView): Promise<Place> {
  const { issueId } = await loadIssue(ctx, view, call.id('index'))
  const place = await ofComments.load(ctx, call, view)
  if (place.issueId !== issueId) throw notFound()
  return place
}

async function attachUpload(ctx: Context, call: Call, kind: Kind): Promise<Attachment> {
  const terms = { rules: issueRules(ctx), takesRaw: false, codes: kind.codes }
  const { file, place } = await receiveUpload(ctx, call, terms, async () => {
    const to = await enterToWrite(ctx, call, kind)
    await assertMayAdd(ctx, to.view, call.signedIn(), to)
    return to
  })
  return kind.attach(ctx, call.signedIn(), place, file)
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

async function enter(ctx: Context, call: Call, kind: Kind): Promise<Place> {
  return kind.load(ctx, call, await loadReadable(ctx, call))
}

async function enterToWrite(ctx: Context, call: Call, kind: Kind): Promise<Place> {
  const place = await kind.load(ctx, call, await loadWritable(ctx, call))
  kind.assertWrites(place.view, call.signedIn(), place)
  return place
}

async function findForChange(
  ctx: Context,
  call: Call,
  kind: Kind,
  place: Place,
): Promise<Attachment> {
  const attachment = await kind.find(ctx, place, call.id('attachment_id'))
  await assertMatches(call, async () => present(ctx, call, attachment))
  return attachment
}

function unchanged(ctx: Context, call: Call): Guard<Attachment> | undefined {
  return guardOf(call, async (_tx, current) => present(ctx, call, current))
}

function present({ config }: Context, call: Call, attachment: Attachment) {
  return presentAttachment(config, attachment, { showDigest: call.query.boolean('digest') })
}

function assertAllowed(ctx: Context, { renameTypes, codes }: Kind, name: string): void {
  if (!renameTypes) return
  try {
    assertNameAllowed(renameTypes(ctx), name)
  } catch (error) {
    throw asAppError(error, codes)
  }
}
