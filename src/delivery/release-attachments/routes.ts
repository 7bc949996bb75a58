import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { releaseRules } from '../../platform/files/receive.ts'
import {
  presentTo,
  recordRoutes,
  type RecordKind,
} from '../../repositories/attachments/record-routes.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { created, ok, plainText } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertMayReplace } from '../../platform/http/record.ts'
import { receiveUpload, type Received } from '../../repositories/attachments/receive-upload.ts'
import { loadRelease, loadWithFiles } from '../releases/load.ts'
import { presentFiles } from '../releases/present.ts'
import type { Release } from '../releases/release.ts'
import { loadReleases, loadWritable } from '../releases/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { FailureCodes } from '../../platform/storage/upload-error.ts'
import {
  attachToRelease,
  checksumsOf,
  listOfRelease,
  loadOfRelease,
  replaceInRelease,
  type AssertReplaceable,
} from './attach.ts'
import {
  repoCreateReleaseAttachment,
  repoDeleteReleaseAttachment,
  repoEditReleaseAttachment,
  repoGetReleaseAttachment,
  repoGetReleaseChecksums,
  repoListReleaseAttachments,
  repoReplaceReleaseAttachment,
} from './schema.ts'

/** What the contract makes of a failed upload here: most of it is an error of ours. */
export const uploadCodes: FailureCodes = {
  no_file: 'upload_failed',
  no_name: 'bad_request',
  forbidden_type: 'bad_request',
  too_large: 'upload_failed',
  too_slow: 'upload_failed',
  wrong_digest: 'invalid',
  storage_full: 'upload_failed',
  storage_failed: 'upload_failed',
}
const pageCodes: FailureCodes = {
  ...uploadCodes,
  no_file: 'invalid',
  no_name: 'invalid',
  forbidden_type: 'invalid',
  too_large: 'too_large',
  too_slow: 'too_slow',
  storage_full: 'insufficient_storage',
}

const all = '/repos/:owner/:repo/releases/:id/assets'

interface Place {
  readonly view: RepositoryView
  readonly release: Release
}

const single: RecordKind<Place> = {
  path: `${all}/:attachment_id`,
  endpoints: {
    get: repoGetReleaseAttachment,
    edit: repoEditReleaseAttachment,
    remove: repoDeleteReleaseAttachment,
  },
  codes: { ...uploadCodes, forbidden_type: 'invalid' },
  renameTypes: ({ config }) => config.release.allowed_types,
  enter,
  loadWritable,
  enterToWrite: placeIn,
  find: (ctx, { release }, id) => loadOfRelease(ctx, release, id),
}

export function releaseAttachmentRoutes(api: Api, ctx: Context): void {
  readRoutes(api, ctx)
  uploadRoutes(api, ctx)
  recordRoutes(api, ctx, single)
}

function readRoutes(api: Api, ctx: Context): void {
  api.get(all, repoListReleaseAttachments, async (call) => {
    const { view, release } = await enter(ctx, call)
    const files = await listOfRelease(ctx, release)
    return ok(presentFiles(ctx.config, view, release, files, call.query.boolean('digest')))
  })

  api.get('/repos/:owner/:repo/releases/:id/SHA256SUMS', repoGetReleaseChecksums, async (call) => {
    const { release } = await enter(ctx, call)
    return plainText(checksumsOf(await listOfRelease(ctx, release)))
  })
}

function uploadRoutes(api: Api, ctx: Context): void {
  api.post(all, repoCreateReleaseAttachment, async (call) => {
    const { file, place } = await receive(ctx, call)
    const attached = await attachToRelease(ctx, call.signedIn(), place.view, place.release, file)
    return created(presentTo(ctx, call, attached))
  })

  api.put(all, repoReplaceReleaseAttachment, async (call) => {
    const { file, place } = await receive(ctx, call)
    const { view, release } = place
    const assertReplaceable: AssertReplaceable = (current) =>
      assertMayReplace(call, current && presentTo(ctx, call, current))
    const caller = call.signedIn()
    const replaced = await replaceInRelease(ctx, caller, view, release, file, assertReplaceable)
    const body = presentTo(ctx, call, replaced.attachment)
    return replaced.isNew ? created(body) : ok(body)
  })
}

async function enter(ctx: Context, call: Call): Promise<Place> {
  return placeIn(ctx, call, await loadReleases(ctx, call))
}

async function placeIn(ctx: Context, call: Call, view: RepositoryView): Promise<Place> {
  return { view, release: await loadWithFiles(ctx, call.caller, view, call.id('id')) }
}

/** For pages, which tell what was wrong. */
export async function attachToReleaseOfPath(ctx: Context, call: Call): Promise<Attachment> {
  const { file, place } = await receive(ctx, call, pageCodes)
  return attachToRelease(ctx, call.signedIn(), place.view, place.release, file)
}

/** The body is not touched before all is known that does not depend on it. */
async function receive(ctx: Context, call: Call, codes = uploadCodes): Promise<Received<Place>> {
  const terms = { rules: releaseRules(ctx), takesRaw: true, codes }
  return receiveUpload(ctx, call, terms, async () => {
    const view = await loadWritable(ctx, call)
    if (!ctx.config.attachment.enabled) throw notFound('attachment is not enabled')
    return { view, release: await loadRelease(ctx, call.caller, view, call.id('id')) }
  })
}
