import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { linksOf } from '../commits/present.ts'
import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { begunStreamOf } from '../git/stream.ts'
import { ok, type Answer } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import { answerFromBucket } from '../http/bucket.ts'
import type { Call } from '../http/call.ts'
import { HEAD_BYTES } from '../attachments/media-type.ts'
import { disposition, fileAnswer, fileRequest } from '../http/file-answer.ts'
import { sentInTurn } from '../http/sent-in-turn.ts'
import { asPage, type Handle } from '../repositories/as-page.ts'
import { loadCode } from '../repositories/routes.ts'
import { loadArchive, readArchiveName, type WantedArchive } from './archive.ts'
import { loadMediaFile } from './media.ts'
import { loadRawFile, type RawFile, type RawPlace } from './raw.ts'
import {
  repoGetArchive,
  repoGetBundle,
  repoGetRawFile,
  repoGetRawFileOrLFS,
  repoGetTarball,
  repoGetZipball,
} from './schema.ts'

type LoadFile = typeof loadRawFile

/** Bytes instead of records. */
export function downloadRoutes(api: Api, ctx: Context): void {
  const root = '/repos/:owner/:repo'
  const raw =
    (load: LoadFile): Handle =>
    async (call) => {
      const ref = call.query.text('ref')
      const place: RawPlace = ref
        ? { kind: 'ref', ref, path: call.rest }
        : { kind: 'any', refAndPath: call.rest }
      return answerFile(ctx, call, place, load)
    }
  api.get(`${root}/raw/*filepath`, repoGetRawFile, raw(loadRawFile))
  api.get(`${root}/media/*filepath`, repoGetRawFileOrLFS, raw(loadMediaFile))

  const inFormat =
    (format: WantedArchive['format']): Handle =>
    (call) =>
      answerArchive(ctx, call, () => ({ ref: call.rest, format }))
  api.get(`${root}/archive/*archive`, repoGetArchive, archiveByName(ctx))
  api.get(`${root}/zipball/*ref`, repoGetZipball, inFormat('zip'))
  api.get(`${root}/tarball/*ref`, repoGetTarball, inFormat('tar.gz'))
  api.get(`${root}/bundle/*ref`, repoGetBundle, inFormat('bundle'))
}

/** Files and archives at the addresses that records hand out, outside /api/v1. */
export function downloadPages(server: FastifyInstance, ctx: Context): void {
  for (const kind of ['branch', 'tag', 'commit'] as const) {
    const answer =
      (load: LoadFile): Handle =>
      (call) =>
        answerFile(ctx, call, { kind, refAndPath: call.rest }, load)
    const root = '/:owner/:repo'
    const raw = asPage(ctx, repoGetRawFile, answer(loadRawFile))
    const media = asPage(ctx, repoGetRawFileOrLFS, answer(loadMediaFile))
    server.get(`${root}/raw/${kind}/*`, { config: { isFile: true } }, raw)
    server.get(`${root}/media/${kind}/*`, { config: { isFile: true } }, media)
  }
  server.get('/:owner/:repo/archive/*', asPage(ctx, repoGetArchive, archiveByName(ctx)))
}

function archiveByName(ctx: Context): Handle {
  return (call) => answerArchive(ctx, call, () => readArchiveName(call.rest))
}

async function answerFile(
  ctx: Context,
  call: Call,
  place: RawPlace,
  load: LoadFile,
): Promise<Answer> {
  const { repo, owner } = await loadCode(ctx, call)
  const file = await load(ctx, repo, place, HEAD_BYTES)
  if (file.isFromGit) await call.holdPlace(repo)
  const isPrivate = repo.isPrivate || owner.visibility !== 'public'
  const elsewhere = call.elsewhere(isPrivate)
  if (elsewhere) return elsewhere
  const request = fileRequest(call)
  const showsSvg = ctx.config.attachment.show_svg
  const planned = fileAnswer(request, { ...file, isPrivate, showsSvg })
  const isLed = file.key !== undefined && !call.isHead
  const fromBucket = isLed ? await answerFromBucket(ctx, file.key, planned) : undefined
  const answer = fromBucket ?? sentAs(planned, file, call.client)
  return { ...answer, headers: { ...answer.headers, 'x-gitea-object-type': 'file' } }
}

/** What comes from the storage is sent as all stored files are. */
function sentAs(answer: Answer, { key }: RawFile, client: string): Answer {
  const { body } = answer
  return key !== undefined && body instanceof Readable
    ? { ...answer, body: sentInTurn(body, client) }
    : answer
}

async function answerArchive(
  ctx: Context,
  call: Call,
  read: () => Omit<WantedArchive, 'paths'>,
): Promise<Answer> {
  const view = await loadCode(ctx, call)
  const wanted = read()
  if (wanted.ref === '') throw notFound()
  const paths = [...call.query.all('path'), ...call.query.all('path[]')].filter(
    (path) => path !== '',
  )
  const { name, commitId, chunks } = await loadArchive(ctx, view.repo, { ...wanted, paths })
  await call.holdPlace(view.repo)
  const link = `${linksOf(ctx.config, view).api}/archive/${commitId}.${wanted.format}?rev=${commitId}`
  return ok(await begunStreamOf(chunks), {
    'content-type': 'application/octet-stream',
    'content-disposition': disposition('attachment', name),
    'access-control-expose-headers': 'Content-Disposition',
    link: `<${link}>; rel="immutable"`,
  })
}
