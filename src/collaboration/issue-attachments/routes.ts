import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { issueRules, type ReceivedFile } from '../../platform/files/receive.ts'
import {
  presentTo,
  recordRoutes,
  type RecordKind,
} from '../../repositories/attachments/record-routes.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { created, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { receiveUpload } from '../../repositories/attachments/receive-upload.ts'
import { assertReadsAny } from '../issues/rights.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { FailureCodes } from '../../platform/storage/upload-error.ts'
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
interface Kind extends Pick<RecordKind<Place>, 'codes' | 'renameTypes' | 'find'> {
  readonly path: string
  readonly endpoints: RecordKind<Place>['endpoints'] & {
    readonly list: typeof endpoints.issueListIssueAttachments
    readonly create: typeof endpoints.issueCreateIssueAttachment
  }
  readonly load: (ctx: Context, call: Call, view: RepositoryView) => Promise<Place>
  readonly assertWrites: (view: RepositoryView, caller: SignedInCaller, to: Place) => void
  readonly list: (ctx: Context, of: Place) => Promise<readonly Attachment[]>
  readonly attach: (
    ctx: Context,
    caller: SignedInCaller,
    to: Place,
    file: ReceivedFile,
  ) => Promise<Attachment>
}

/**
 * The contract makes an error of ours of nearly every failed upload to an issue, and takes any new
 * name.
 */
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
    listRoutes(api, ctx, kind)
    recordRoutes(api, ctx, {
      ...kind,
      path: `${kind.path}/:attachment_id`,
      enter: (_, call) => enter(ctx, call, kind),
      loadWritable,
      enterToWrite: (_, call, view) => loadToWrite(ctx, call, kind, view),
    })
  }
}

function listRoutes(api: Api, ctx: Context, kind: Kind): void {
  api.get(kind.path, kind.endpoints.list, async (call) => {
    const found = await kind.list(ctx, await enter(ctx, call, kind))
    return ok(found.map((attachment) => presentTo(ctx, call, attachment)))
  })

  api.post(kind.path, kind.endpoints.create, async (call) => {
    return created(presentTo(ctx, call, await attachUpload(ctx, call, kind)))
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
    const to = await loadToWrite(ctx, call, kind, await loadWritable(ctx, call))
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

async function loadToWrite(
  ctx: Context,
  call: Call,
  kind: Kind,
  view: RepositoryView,
): Promise<Place> {
  const place = await kind.load(ctx, call, view)
  kind.assertWrites(view, call.signedIn(), place)
  return place
}
