import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { linksOf } from '../../code/commits/present.ts'
import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { begunStreamOf } from '../../platform/git/stream.ts'
import { ok, type Answer } from '../../platform/http/answer.ts'
import { archiveKey, forgetArchive, keptArchive } from '../../code/content/kept-archives.ts'
import { BINARY, HEAD_BYTES } from '../../platform/files/media-type.ts'
import type { Api } from '../../platform/http/api.ts'
import { answerFromBucket, answerStored } from '../../platform/http/bucket.ts'
import type { Call } from '../../platform/http/call.ts'
import { disposition, fileAnswer, fileRequest } from '../../platform/http/file-answer.ts'
import { sentInTurn } from '../../platform/http/sent-in-turn.ts'
import { planAnswer } from '../../platform/http/stored-file.ts'
import { asPage, type Handle } from '../../repositories/repository/as-page.ts'
import { loadCode } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { FileMissing } from '../../platform/storage/file-storage.ts'
import {
  loadArchive,
  readArchiveName,
  type Archive,
  type WantedArchive,
} from '../../code/content/archive.ts'
import { loadMediaFile } from '../../code/content/media.ts'
import { loadRawFile, type RawFile, type RawPlace } from '../../code/content/raw.ts'
import {
  repoGetArchive,
  repoGetBundle,
  repoGetRawFile,
  repoGetRawFileOrLFS,
  repoGetTarball,
  repoGetZipball,
} from '../../code/content/schema.ts'

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
  const archive = await loadArchive(ctx, view.repo, { ...wanted, paths })
  const { name, commitId, pack } = archive
  const link = `${linksOf(ctx.config, view).api}/archive/${commitId}.${wanted.format}?rev=${commitId}`
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': disposition('attachment', name),
    'access-control-expose-headers': 'Content-Disposition',
    link: `<${link}>; rel="immutable"`,
  }
  const kept = await answerKept(ctx, call, view, { ...archive, format: wanted.format })
  if (kept && kept.status >= 300) return kept
  if (kept) return { ...kept, headers: { ...kept.headers, ...headers } }
  await call.holdPlace(view.repo)
  return ok(await begunStreamOf(pack()), headers)
}

/** From the storage, with its tag and its parts; nothing where the archive is not kept. */
async function answerKept(
  ctx: Context,
  call: Call,
  { repo, owner }: RepositoryView,
  { name, commitId, prefix, isWhole, pack, format }: Archive & Pick<WantedArchive, 'format'>,
): Promise<Answer | undefined> {
  if (!isWhole) return undefined
  const named = { repository_id: repo.id, commit_id: commitId, format, prefix }
  const kept = await keptArchive(ctx, { ...named, pack })
  if (!kept) return undefined
  const conditions = { ...fileRequest(call), ifModifiedSince: call.header('if-modified-since') }
  const { uuid, size, sha256, created_at: uploadedAt } = kept
  const isPrivate = repo.isPrivate || owner.visibility !== 'public'
  const file = { uuid, name, size, sha256, uploadedAt, isPrivate }
  const served = { ...file, mediaType: BINARY, disposition: 'attachment' as const }
  const asked = planAnswer(served, conditions)
  // What is no range asks for the whole.
  const planned =
    asked.status === 400 ? planAnswer(served, { ...conditions, range: undefined }) : asked
  if (planned.status === 304) return planned
  if (planned.status === 416) {
    return { status: 416, headers: { 'content-range': `bytes */${size}` } }
  }
  try {
    return await answerStored(ctx, archiveKey(uuid), planned, call.client)
  } catch (error) {
    if (!(error instanceof FileMissing)) throw error
    await forgetArchive(ctx, kept)
    return undefined
  }
}
