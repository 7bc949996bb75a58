import { findNamedRevision, loadRevision, readingCode } from '../commits/code.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { AppError, forbidden, invalid, invalidField, notFound } from '../../platform/errors.ts'
import { isAncestor } from '../../platform/git/merge-base.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import { isNewBranchName } from '../../platform/git/ref-name.ts'
import { findBranch, findTag } from '../../platform/git/revisions.ts'
import { setHead } from '../../platform/git/refs.ts'
import { assertMayMove, assertMayRename } from '../protection/enforce.ts'
import { moveRefs } from '../pushes/move-refs.ts'
import { reaches } from '../../platform/access-level.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { followRename } from './rename.ts'

export interface NewBranch {
  readonly name: string
  /** Branch, tag or commit; it comes before `fromBranch`. */
  readonly from: string
  readonly fromBranch: string
}

export async function createBranch(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  wanted: NewBranch,
): Promise<void> {
  const { repo } = view
  assertChangeable(repo)
  assertBranchNameAllowed(wanted.name)
  const after = await readingCode(ctx, repo, async (objects) => {
    const id = await findStart(objects, repo, wanted)
    if (await findTag(objects, wanted.name)) throw exists('The tag with the same name exists.')
    return id
  })
  const update = { ref: `refs/heads/${wanted.name}`, before: undefined, after }
  await assertMayMove(ctx, caller, repo, update)
  const isDone = await moveRefs(ctx, caller, view, [update])
  if (!isDone) throw exists('The branch already exists.')
}

async function findStart(
  objects: ObjectReader,
  repo: Repository,
  { from, fromBranch }: NewBranch,
): Promise<string> {
  if (from !== '') {
    const revision = await findNamedRevision(objects, repo, from)
    if (!revision) throw notFound('The old ref does not exist')
    return revision.commitId
  }
  const branch = await findBranch(objects, fromBranch || repo.defaultBranch)
  if (!branch) throw notFound('The old branch does not exist')
  return branch.commitId
}

export async function deleteBranch(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  name: string,
): Promise<void> {
  const { repo } = view
  assertChangeable(repo)
  const before = await loadTip(ctx, repo, name)
  if (name === repo.defaultBranch) {
    throw forbidden('can not delete default or pull request target branch')
  }
  const update = { ref: `refs/heads/${name}`, before, after: undefined }
  await assertMayMove(ctx, caller, repo, update)
  if (await moveRefs(ctx, caller, view, [update])) return
  await loadTip(ctx, repo, name)
  throw moved()
}

/** The default branch stays the default branch; for its name only administrators decide. */
export async function renameBranch(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const { repo } = view
  assertChangeable(repo)
  const id = await loadTip(ctx, repo, from, "Branch doesn't exist.")
  const isDefault = from === repo.defaultBranch
  if (isDefault && !reaches(view.access.level, 'admin')) {
    throw forbidden('User must be a repo or site admin to rename default or protected branches.')
  }
  assertBranchNameAllowed(to)
  const updates = [
    { ref: `refs/heads/${to}`, before: undefined, after: id },
    { ref: `refs/heads/${from}`, before: id, after: undefined },
  ]
  if (from !== to) await assertMayRename(ctx, caller, view, { from, to, id })
  let isDefaultNow = false
  const alongside = async (tx: Executor) => {
    isDefaultNow = await followRename(ctx, tx, repo, { from, to })
  }
  const facts = { alongside, renamed: { from, to } }
  if (from === to || !(await moveRefs(ctx, caller, view, updates, facts))) {
    throw invalid(
      'Cannot rename a branch using the same name or rename to a branch that already exists.',
    )
  }
  if (isDefaultNow) await pointHead(ctx, repo, to)
}

/** The row says it already: should this fail, the job after each push mends it. */
async function pointHead(ctx: Context, repo: Repository, branch: string): Promise<void> {
  try {
    await setHead(ctx.git, folderOf(ctx, repo), branch)
  } catch (error) {
    ctx.log.error({ err: error, repository: repo.id }, 'HEAD not moved')
  }
}

export interface Move {
  readonly to: string
  /** Where it must be now; empty for anywhere. */
  readonly from: string
  /** Whether commits may be lost by it. */
  readonly force: boolean
}

export async function moveBranch(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  name: string,
  { to, from, force }: Move,
): Promise<void> {
  const { repo } = view
  assertChangeable(repo)
  const folder = folderOf(ctx, repo)
  const before = await loadTip(ctx, repo, name, "Branch doesn't exist.")
  if (from !== '' && from.toLowerCase() !== before)
    throw invalid('The branch is not at the old commit.')
  const after = await readingCode(
    ctx,
    repo,
    async (objects) => (await loadRevision(objects, repo, to)).commitId,
  )
  if (!force && !(await isAncestor(ctx.git, folder, { base: before, head: after }))) {
    throw invalid('The move is not a fast-forward.')
  }
  const update = { ref: `refs/heads/${name}`, before, after }
  await assertMayMove(ctx, caller, repo, update)
  if (!(await moveRefs(ctx, caller, view, [update]))) throw moved()
}

async function loadTip(
  ctx: Context,
  repo: Repository,
  name: string,
  absence?: string,
): Promise<string> {
  const found = await readingCode(ctx, repo, (objects) => findBranch(objects, name))
  if (!found) throw notFound(absence)
  return found.commitId
}

/** Beyond git's own rules: what could be taken for an option, or for what is checked out. */
export function assertBranchNameAllowed(name: string): void {
  if (!isNewBranchName(name)) throw invalidField('BranchName', 'GitRefName')
}

/** The branches of a mirror are those of its remote. */
function assertChangeable({ isEmpty, isMirror }: Repository): void {
  if (isEmpty) throw notFound('Git Repository is empty.')
  if (isMirror) throw forbidden('Git Repository is a mirror.')
}

function exists(message: string): AppError {
  return new AppError('conflict', message)
}

/** Somebody else was faster; what is there now is theirs. */
function moved(): AppError {
  return new AppError('conflict', 'The branch has been moved meanwhile.')
}
