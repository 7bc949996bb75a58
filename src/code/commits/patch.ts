import type { Context } from '../../platform/context.ts'
import { readableDiff } from '../../platform/git/diff.ts'
import { readPatch, type Patch } from '../../platform/git/patch.ts'
import type { Commit } from '../../platform/git/parse.ts'
import type { Whitespace } from '../../platform/git/whitespace.ts'
import { splitLines } from '../../platform/git/stream.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { comparedText, type Compared } from './compare.ts'

/** More than this is not shown of a difference. */
const limits = { files: 300, lines: 10_000, linesOfFile: 2_000, lineLength: 2_000 }

/** What a commit changed in its first parent, for people to read. */
export async function loadPatch(
  ctx: Context,
  repo: Repository,
  commit: Commit,
  whitespace: Whitespace,
): Promise<Patch> {
  return loadPatchIn(ctx, folderOf(ctx, repo), commit, whitespace)
}

/** Like `loadPatch`, in any repository on the disk, such as a wiki. */
export async function loadPatchIn(
  ctx: Context,
  folder: string,
  commit: Commit,
  whitespace: Whitespace,
): Promise<Patch> {
  return readPatch(splitLines(readableDiff(ctx.git, folder, commit, whitespace)), limits)
}

/** What two commits differ in, within the same limits. */
export async function loadComparedPatch(
  ctx: Context,
  repo: Repository,
  compared: Compared,
  whitespace: Whitespace,
): Promise<Patch> {
  const text = await comparedText(ctx, repo, compared, 'diff', whitespace)
  return readPatch(splitLines(text), limits)
}
