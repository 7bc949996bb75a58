import type { Attachment } from '../attachments/attachment.ts'
import { assertNameAllowed, removeAttachment, renameAttachment } from '../attachments/edit.ts'
import { presentAttachment } from '../attachments/present.ts'
import { releaseRules } from '../attachments/receive.ts'
import { EditAttachmentOptions } from '../attachments/schema.ts'
import { asAppError, type FailureCodes } from '../attachments/upload-error.ts'
import type { Context } from '../context.ts'
import type { Guard } from '../db/guard.ts'
import { notFound } from '../errors.ts'
import { created, noContent, ok, plainText } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import type { Call } from '../http/call.ts'
import { assertMatches, assertMayReplace, guardOf, recordAnswer } from '../http/record.ts'
import { receiveUpload, type Received } from '../http/upload.ts'
import { loadWithFiles } from '../releases/load.ts'
import { presentFiles } from '../releases/present.ts'
import type { Release } from '../releases/release.ts'
import { loadReleases, loadWritable } from '../releases/routes.ts'
import type { RepositoryView } from '../repositories/view.ts'
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
const renameCodes: FailureCodes = { ...uploadCodes, forbidden_type: 'invalid' }

const all = '/repos/:owner/:repo/releases/:id/assets'
const one = `${all}/:attachment_id`

interface Place {
  readonly view: RepositoryView
  readonly release: Release
}

export function releaseAttachmentRoutes(api: Api, ctx: Context): void {
  readRoutes(api, ctx)
  uploadRoutes(api, ctx)
  changeRoutes(api, ctx)
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

  api.get(one, repoGetReleaseAttachment, async (call) => {
    const { release } = await enter(ctx, call)
    const attachment = await loadOfRelease(ctx, release, call.id('attachment_id'))
    return recordAnswer(call, present(ctx, call, attachment))
  })
}

function uploadRoutes(api: Api, ctx: Context): void {
  api.post(all, repoCreateReleaseAttachment, async (call) => {
    const { file, place } = await receive(ctx, call)
    const attached = await attachToRelease(ctx, call.signedIn(), place.view, place.release, file)
    return created(present(ctx, call, attached))
  })

  api.put(all, repoReplaceReleaseAttachment, async (call) => {
    const { file, place } = await receive(ctx, call)
    const { view, release } = place
    const assertReplaceable: AssertReplaceable = (current) =>
      assertMayReplace(call, current && present(ctx, call, current))
    const caller = call.signedIn()
    const replaced = await replaceInRelease(ctx, caller, view, release, file, assertReplaceable)
    const body = present(ctx, call, replaced.attachment)
    return replaced.isNew ? created(body) : ok(body)
  })
}

function changeRoutes(api: Api, ctx: Context): void {
  api.patch(one, repoEditReleaseAttachment, async (call) => {
    const view = await loadWritable(ctx, call)
    const { name } = await call.body(EditAttachmentOptions)
    const release = await loadWithFiles(ctx, call.caller, view, call.id('id'))
    const attachment = await findForChange(ctx, call, release)
    assertAllowed(ctx, name || attachment.name)
    const renamed = await renameAttachment(ctx, attachment, name, unchanged(ctx, call))
    return created(present(ctx, call, renamed))
  })

  api.delete(one, repoDeleteReleaseAttachment, async (call) => {
    const view = await loadWritable(ctx, call)
    const release = await loadWithFiles(ctx, call.caller, view, call.id('id'))
    const attachment = await findForChange(ctx, call, release)
    await removeAttachment(ctx, call.signedIn(), attachment, unchanged(ctx, call))
    return noContent()
  })
}

async function findForChange(ctx: Context, call: Call, release: Release): Promise<Attachment> {
  const attachment = await loadOfRelease(ctx, release, call.id('attachment_id'))
  await assertMatches(call, async () => present(ctx, call, attachment))
  return attachment
}

function unchanged(ctx: Context, call: Call): Guard<Attachment> | undefined {
  return guardOf(call, async (_tx, current) => present(ctx, call, current))
}

function present({ config }: Context, call: Call, attachment: Attachment) {
  return presentAttachment(config, attachment, { showDigest: call.query.boolean('digest') })
}

async function enter(ctx: Context, call: Call): Promise<Place> {
  const view = await loadReleases(ctx, call)
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
    return { view, release: await loadWithFiles(ctx, call.caller, view, call.id('id')) }
  })
}

function assertAllowed(ctx: Context, name: string): void {
  try {
    assertNameAllowed(ctx.config.release.allowed_types, name)
  } catch (error) {
    throw asAppError(error, renameCodes)
  }
}
