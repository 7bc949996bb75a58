import { BINARY } from '../files/media-type.ts'
import type { Context } from '../context.ts'
import type { ByteRange, SentAs } from '../storage/file-storage.ts'
import type { Answer } from './answer.ts'
import { sentInTurn } from './sent-in-turn.ts'
import type { PlannedAnswer } from './stored-file.ts'

/** As little as shows that the bytes are there. */
export const firstByte: ByteRange = { from: 0, to: 0 }

const CORP = 'cross-origin-resource-policy'

/** A planned answer with the bytes that it is about, or the way to them. */
export async function answerStored(
  ctx: Context,
  key: string,
  planned: PlannedAnswer,
  client: string,
): Promise<Answer> {
  const { part, ...answer } = planned
  const fromBucket = await answerFromBucket(ctx, key, answer)
  return fromBucket ?? { ...answer, body: sentInTurn(await ctx.files.open(key, part), client) }
}

/**
 * The way to the bucket in place of the whole file or a part of it; nothing where the file is to be
 * sent here.
 */
export async function answerFromBucket(
  ctx: Context,
  key: string,
  { status, headers = {} }: Answer,
): Promise<Answer | undefined> {
  const hasBytes = status < 300 && headers['content-length'] !== '0'
  const sentAs = hasBytes ? sentByBucket(headers) : undefined
  const location = sentAs && (await ctx.files.linkTo(key, sentAs))
  if (location === undefined) return undefined
  // Nobody is led to what is missing: that is told, and logged, here.
  await (await ctx.files.open(key, firstByte)).toArray()
  const { [CORP]: policy } = headers
  return {
    status: 303,
    headers: {
      location,
      'cache-control': 'private, no-store',
      ...(policy === undefined ? {} : { [CORP]: policy }),
    },
  }
}

/**
 * A bucket sends none of our policies with a file, so it sends what browsers save and what players
 * play. What browsers show is sent by us, and so are the pictures that pages embed, which may be of
 * no other host.
 */
function sentByBucket(headers: Readonly<Record<string, string>>): SentAs | undefined {
  const { 'content-type': type = '', 'content-disposition': disposition = '' } = headers
  if (type.startsWith('image/')) return undefined
  if (type === BINARY || disposition.startsWith('attachment')) {
    return {
      contentType: BINARY,
      contentDisposition: disposition.replace(/^inline/, 'attachment'),
    }
  }
  if (!/^(?:audio|video)\//.test(type)) return undefined
  return { contentType: type, contentDisposition: disposition }
}
