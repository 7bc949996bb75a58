import { readingCode } from '../commits/code.ts'
import { linksOf, presentVerification } from '../commits/present.ts'
import { verifyCommits } from '../commits/verification.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { mapInTurns } from '../../platform/concurrency/give-way.ts'
import { readCommit } from '../../platform/git/history.ts'
import { created, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { bind } from '../../platform/http/binding.ts'
import type { Call } from '../../platform/http/call.ts'
import { JsonError, parseJson } from '../../platform/http/strict-json.ts'
import { loadCode, loadEditableCode } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { changeFiles, type ChangedFiles, type FilesChange } from './change.ts'
import { loadDefinition } from './editorconfig.ts'
import { loadContents, loadFiles } from './entries.ts'
import { readIncludes } from './includes.ts'
import type { FileOperation } from './operations.ts'
import { tidyPath } from './path.ts'
import { presentContents, presentEntry, presentExtended, presentFileCommit } from './present.ts'
import { readChange, readOperation } from './read-change.ts'
import {
  ApplyDiffPatchFileOptions,
  ChangeFilesOptions,
  CreateFileOptions,
  DeleteFileOptions,
  GetFilesOptions,
  repoApplyDiffPatch,
  repoChangeFiles,
  repoCreateFile,
  repoDeleteFile,
  repoGetContents,
  repoGetContentsExt,
  repoGetContentsExtRoot,
  repoGetContentsList,
  repoGetEditorConfig,
  repoGetFileContents,
  repoGetFileContentsPost,
  repoUpdateFile,
  UpdateFileOptions,
} from './schema.ts'

const root = '/repos/:owner/:repo/contents'
const one = `${root}/*filepath`

export function contentRoutes(api: Api, ctx: Context): void {
  const read = async (call: Call) => {
    const view = await loadCode(ctx, call)
    const contents = await loadContents(ctx, view.repo, call.query.text('ref'), tidyPath(call.rest))
    return ok(presentContents(linksOf(ctx.config, view), contents))
  }
  api.get(root, repoGetContentsList, read)
  api.get(one, repoGetContents, read)

  const readExtended = async (call: Call) => {
    const view = await loadCode(ctx, call)
    const { included, told } = readIncludes(call.query.text('includes') ?? '')
    const path = call.rest === '.' ? '' : tidyPath(call.rest)
    const contents = await loadContents(ctx, view.repo, call.query.text('ref'), path, included)
    return ok(presentExtended(linksOf(ctx.config, view), contents, told))
  }
  api.get('/repos/:owner/:repo/contents-ext', repoGetContentsExtRoot, readExtended)
  api.get('/repos/:owner/:repo/contents-ext/*filepath', repoGetContentsExt, readExtended)

  api.get('/repos/:owner/:repo/editorconfig/*filepath', repoGetEditorConfig, async (call) => {
    const { repo } = await loadCode(ctx, call)
    return ok(await loadDefinition(ctx, repo, call.query.text('ref'), call.rest))
  })

  const readFiles = async (call: Call, view: RepositoryView, files: readonly string[]) => {
    const { revision, found } = await loadFiles(ctx, view.repo, call.query.text('ref'), files)
    const links = linksOf(ctx.config, view)
    return ok(found.map((entry) => (entry ? presentEntry(links, revision, entry) : null)))
  }
  api.get('/repos/:owner/:repo/file-contents', repoGetFileContents, async (call) => {
    const view = await loadCode(ctx, call)
    const { files } = bind(GetFilesOptions, readQueryJson(call.query.text('body') ?? ''))
    return readFiles(call, view, files)
  })
  api.post('/repos/:owner/:repo/file-contents', repoGetFileContentsPost, async (call) => {
    const view = await loadCode(ctx, call)
    const { files } = await call.body(GetFilesOptions)
    return readFiles(call, view, files)
  })
}

export function contentChangeRoutes(api: Api, ctx: Context): void {
  const limit = maxBodyBytes(ctx.config)

  const changeOne = async (
    call: Call,
    view: RepositoryView,
    body: Parameters<typeof readChange>[0],
    operation: FileOperation,
  ) => {
    const change = readChange(body, [operation])
    const { files, ...written } = await changeAndShow(ctx, call, view, change)
    return { content: files[0] ?? null, ...written }
  }

  api.post(one, repoCreateFile, async (call) => {
    const view = await loadEditableCode(ctx, call)
    const body = await call.body(CreateFileOptions, limit)
    return created(await changeOne(call, view, body, creation(call.rest, body.content)))
  })

  api.put(one, repoUpdateFile, async (call) => {
    const view = await loadEditableCode(ctx, call)
    const body = await call.body(UpdateFileOptions, limit)
    if (!body.sha) {
      return created(await changeOne(call, view, body, creation(call.rest, body.content)))
    }
    const operation = readOperation({ ...body, operation: 'update', path: call.rest })
    return ok(await changeOne(call, view, body, operation))
  })

  api.delete(one, repoDeleteFile, async (call) => {
    const view = await loadEditableCode(ctx, call)
    const body = await call.body(DeleteFileOptions)
    const operation = readOperation({ sha: body.sha, operation: 'delete', path: call.rest })
    return ok(await changeOne(call, view, body, operation))
  })

  api.post(root, repoChangeFiles, async (call) => {
    const view = await loadEditableCode(ctx, call)
    const body = await call.body(ChangeFilesOptions, limit)
    const operations = body.files.map(readOperation)
    return created(await changeAndShow(ctx, call, view, readChange(body, operations)))
  })
}

/** Which files a patch changes is not told. */
export function patchRoutes(api: Api, ctx: Context): void {
  const limit = maxBodyBytes(ctx.config)

  api.post('/repos/:owner/:repo/diffpatch', repoApplyDiffPatch, async (call) => {
    const view = await loadEditableCode(ctx, call)
    const { content: patch, ...body } = await call.body(ApplyDiffPatchFileOptions, limit)
    const message = body.message?.trim() || 'apply-patch'
    const change = { ...readChange({ ...body, message }, []), patch }
    const { files: _, ...written } = await changeAndShow(ctx, call, view, change)
    return ok({ content: null, ...written })
  })
}

function creation(path: string, content = ''): FileOperation {
  return readOperation({ operation: 'create', path, content })
}

/** Makes the change, and shows each file as it is then; none where it is gone. */
async function changeAndShow(ctx: Context, call: Call, view: RepositoryView, change: FilesChange) {
  const changed = await changeFiles(ctx, call.signedIn(), view, change)
  const links = linksOf(ctx.config, view)
  const paths = change.operations.map(({ path }) => path)
  const { revision, found } = await loadFiles(ctx, view.repo, changed.commitId, paths, paths.length)
  const commit = await loadWritten(ctx, view, changed)
  const verifications = await verifyCommits(ctx, [commit])
  const shown = { ...revision, kind: 'branch' as const, name: changed.branch }
  return {
    files: await mapInTurns(found, (entry, index) =>
      entry && change.operations[index]?.kind !== 'delete'
        ? presentEntry(links, shown, entry)
        : null,
    ),
    commit: presentFileCommit(links, commit),
    verification: presentVerification(verifications(commit.id)),
  }
}

async function loadWritten(ctx: Context, { repo }: RepositoryView, { commitId }: ChangedFiles) {
  return readingCode(ctx, repo, (objects) => readCommit(objects, commitId))
}

/**
 * What can be read in a record can be written by one: in base64 a third more, and the rest of the
 * body.
 */
export function maxBodyBytes({ api }: Config): number {
  return Math.ceil(api.default_max_blob_size / 3) * 4 + api.max_body_size
}

function readQueryJson(text: string): unknown {
  try {
    return parseJson(Buffer.from(text)).value
  } catch (error) {
    if (error instanceof JsonError) throw invalid(`[]: ${error.message}`, { cause: error })
    throw error
  }
}
