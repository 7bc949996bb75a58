import { findNamedRevision, readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { archive, archiveFormats, type ArchiveFormat } from '../../platform/git/archive.ts'
import { readCommit } from '../../platform/git/history.ts'
import { findEntry, splitPath } from '../../platform/git/tree.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

export interface WantedArchive {
  readonly ref: string
  readonly format: ArchiveFormat
  /** Only these parts of the tree; all of it when there are none. */
  readonly paths: readonly string[]
}

export interface Archive {
  readonly name: string
  readonly commitId: string
  /** The folder in which everything lies. */
  readonly prefix: string
  /** Whether nothing of the tree is left out. */
  readonly isWhole: boolean
  readonly pack: () => AsyncIterable<Buffer>
}

/** `main.tar.gz` is the branch `main` as tar.gz. */
export function readArchiveName(text: string): Omit<WantedArchive, 'paths'> {
  const format = archiveFormats.find((known) => text.endsWith(`.${known}`))
  if (!format) throw new AppError('bad_request', `unknown format: ${text}`)
  return { ref: text.slice(0, -format.length - 1), format }
}

export async function loadArchive(
  ctx: Context,
  repo: Repository,
  { ref, format, paths: asked }: WantedArchive,
): Promise<Archive> {
  const paths = asked.map((path) => splitPath(path).join('/'))
  const commitId = await readingCode(ctx, repo, async (objects) => {
    const revision = ref === '' ? undefined : await findNamedRevision(objects, repo, ref)
    if (!revision) throw notFound(`unrecognized repository reference: ${ref}`)
    const { treeId } = await readCommit(objects, revision.commitId)
    // Git would notice only when the answer has begun.
    for (const path of paths) {
      if (!(await findEntry(objects, treeId, path))) throw notFound(`no such path: ${path}`)
    }
    return revision.commitId
  })
  const parts = {
    commitId,
    prefix: repo.name.toLowerCase(),
    paths: paths.includes('') ? [] : paths,
  }
  return {
    name: `${repo.name}-${ref.replaceAll('/', '-')}.${format}`,
    commitId,
    prefix: parts.prefix,
    isWhole: parts.paths.length === 0,
    pack: () => archive(ctx.git, folderOf(ctx, repo), format, parts),
  }
}
