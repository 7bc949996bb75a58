import type { Context } from '../../platform/context.ts'
import type { Guard } from '../../platform/db/guard.ts'
import { created, noContent } from '../../platform/http/answer.ts'
import type { Answers, Api, Endpoint } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertMatches, guardOf, recordAnswer } from '../../platform/http/record.ts'
import type { RepositoryView } from '../repository/view.ts'
import { asAppError, type FailureCodes } from '../../platform/storage/upload-error.ts'
import type { Attachment } from './attachment.ts'
import { assertNameAllowed, removeAttachment, renameAttachment } from './edit.ts'
import { presentAttachment } from './present.ts'
import { EditAttachmentOptions, type AttachmentBody } from './schema.ts'

type Giving<A extends Answers> = Omit<Endpoint, 'answers'> & { readonly answers: A }

/** In what single attachments differ: `Place` is what they hang on. */
export interface RecordKind<Place> {
  /** The address of one of them, as `:attachment_id`. */
  readonly path: string
  readonly endpoints: {
    readonly get: Giving<{ 200: typeof AttachmentBody; 304: string }>
    readonly edit: Giving<{ 201: typeof AttachmentBody }>
    readonly remove: Giving<{ 204: string }>
  }
  /** What a refused name is. */
  readonly codes: FailureCodes
  /** Types that may be renamed to; all where this is absent. */
  readonly renameTypes?: (ctx: Context) => string
  readonly enter: (ctx: Context, call: Call) => Promise<Place>
  /** What is known before the body is read. */
  readonly loadWritable: (ctx: Context, call: Call) => Promise<RepositoryView>
  readonly enterToWrite: (ctx: Context, call: Call, view: RepositoryView) => Promise<Place>
  readonly find: (ctx: Context, of: Place, id: number) => Promise<Attachment>
}

/** One attachment, whatever it hangs on: shown, renamed and removed. */
export function recordRoutes<Place>(api: Api, ctx: Context, kind: RecordKind<Place>): void {
  api.get(kind.path, kind.endpoints.get, async (call) => {
    const place = await kind.enter(ctx, call)
    const attachment = await kind.find(ctx, place, call.id('attachment_id'))
    return recordAnswer(call, presentTo(ctx, call, attachment))
  })

  api.patch(kind.path, kind.endpoints.edit, async (call) => {
    const view = await kind.loadWritable(ctx, call)
    const { name } = await call.body(EditAttachmentOptions)
    const attachment = await findForChange(ctx, call, kind, view)
    assertRenamable(ctx, kind, name || attachment.name)
    const renamed = await renameAttachment(ctx, attachment, name, unchanged(ctx, call))
    return created(presentTo(ctx, call, renamed))
  })

  api.delete(kind.path, kind.endpoints.remove, async (call) => {
    const view = await kind.loadWritable(ctx, call)
    const attachment = await findForChange(ctx, call, kind, view)
    await removeAttachment(ctx, call.signedIn(), attachment, unchanged(ctx, call))
    return noContent()
  })
}

/** With the hash for those that ask for it. */
export function presentTo({ config }: Context, call: Call, attachment: Attachment): AttachmentBody {
  return presentAttachment(config, attachment, { showDigest: call.query.boolean('digest') })
}

async function findForChange<Place>(
  ctx: Context,
  call: Call,
  kind: RecordKind<Place>,
  view: RepositoryView,
): Promise<Attachment> {
  const place = await kind.enterToWrite(ctx, call, view)
  const attachment = await kind.find(ctx, place, call.id('attachment_id'))
  await assertMatches(call, async () => presentTo(ctx, call, attachment))
  return attachment
}

function unchanged(ctx: Context, call: Call): Guard<Attachment> | undefined {
  return guardOf(call, async (_tx, current) => presentTo(ctx, call, current))
}

function assertRenamable<Place>(
  ctx: Context,
  { renameTypes, codes }: RecordKind<Place>,
  name: string,
): void {
  if (!renameTypes) return
  try {
    assertNameAllowed(renameTypes(ctx), name)
  } catch (error) {
    throw asAppError(error, codes)
  }
}
