import { assertBranchNameAllowed } from '../branches/change.ts'
import { readingCode } from '../commits/code.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import type { NewCommit, WrittenFile } from '../../platform/git/commit-files.ts'
import type { Identity } from '../../platform/git/create.ts'
import { readCommit } from '../../platform/git/history.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Signature } from '../../platform/git/parse.ts'
import { findBranch } from '../../platform/git/revisions.ts'
import { assertMayCommit } from '../protection/enforce.ts'
import { recordMoved } from '../pushes/move-refs.ts'
import { planMending } from '../pushes/plan-measuring.ts'
import { assertNotStray, folderOf } from '../../repositories/repository/folder.ts'
import { gitIdentity } from '../../repositories/repository/identity.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { inTurn } from '../../repositories/repository/turns.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { commitWithin } from './commit-within.ts'
import { commitMessage } from './message.ts'
import { applyOperation, type FileOperation } from './operations.ts'
import { Overlay } from './overlay.ts'
import { patchFiles } from './patch.ts'

export interface Moment {
  readonly at: number
  readonly zone: number
}

export interface FilesChange {
  readonly operations: readonly FileOperation[]
  /** In place of operations: as git writes it. */
  readonly patch?: string
  /** Empty for the default branch. */
  readonly branch: string
  /** Empty unless the change goes to a branch of its own. */
  readonly newBranch: string
  readonly message: string
  readonly author: Identity | undefined
  readonly committer: Identity | undefined
  readonly authoredAt: Moment | undefined
  readonly committedAt: Moment | undefined
  readonly signOff: boolean
  /** Whether the new branch may take the place of one of its name. */
  readonly force: boolean
}

export interface ChangedFiles {
  readonly branch: string
  readonly commitId: string
}

/** How often a change is tried again on what somebody else has committed meanwhile. */
const MAX_ATTEMPTS = 20

/** All operations, or all of the patch, in one commit, or none of them. */
export async function changeFiles(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  change: FilesChange,
): Promise<ChangedFiles> {
  const { repo } = view
  try {
    const written = await inTurn(ctx, repo.id, () => commitOnTip(ctx, caller, repo, change))
    const { branch, before, commitId } = written
    await recordMoved(ctx, caller, view, [{ ref: `refs/heads/${branch}`, before, after: commitId }])
    return { branch, commitId }
  } catch (error) {
    // Git also writes where the folder was just removed, be it only how it failed.
    await assertNotStray(ctx, repo, folderOf(ctx, repo))
    throw error
  }
}

interface Written extends ChangedFiles {
  readonly before: string | undefined
}

/** Whatever the branch is by then: the operations themselves say which files they expect. */
async function commitOnTip(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  change: FilesChange,
): Promise<Written> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const planned = await readingCode(ctx, repo, (objects) =>
      plan(ctx, caller, repo, objects, change),
    )
    const { branch } = planned.commit
    await planMending(ctx, repo.id)
    const outcome = await commitWithin(ctx, repo, folderOf(ctx, repo), planned.commit)
    if (outcome.kind === 'taken') throw branchExists(branch)
    if (outcome.kind === 'written') return { branch, before: planned.before, commitId: outcome.id }
  }
  throw new AppError('conflict', 'the branch changes too often to be committed to')
}

interface Planned {
  readonly commit: NewCommit
  readonly before: string | undefined
}

async function plan(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  objects: ObjectReader,
  change: FilesChange,
): Promise<Planned> {
  const branch = change.branch || repo.defaultBranch
  const base = await findBranch(objects, branch)
  if (!base && !repo.isEmpty) throw notFound(`branch does not exist [name: ${branch}]`)
  const target = change.newBranch || branch
  assertBranchNameAllowed(target)
  const before = target === branch ? base : await findReplaced(objects, target, change.force)
  const treeId = base && (await readCommit(objects, base.commitId)).treeId
  const files = await filesAfter(ctx, repo, { objects, treeId }, change)
  await assertMayCommit(ctx, caller, repo, {
    branch: target,
    files: files.map(({ path }) => path),
    isForce: target !== branch && before !== undefined,
    isNew: before === undefined,
  })
  const { author, committer } = signatures(ctx, caller, change)
  const commit = {
    branch: target,
    parent: base?.commitId,
    message: commitMessage(
      change.message,
      change.operations,
      change.signOff ? committer : undefined,
    ),
    author,
    committer,
    files,
    force: target !== branch && change.force,
  }
  return { commit, before: before?.commitId }
}

interface Tree {
  readonly objects: ObjectReader
  /** None where there is no commit yet. */
  readonly treeId: string | undefined
}

async function filesAfter(
  ctx: Context,
  repo: Repository,
  { objects, treeId }: Tree,
  { operations, patch }: FilesChange,
): Promise<readonly WrittenFile[]> {
  if (patch !== undefined) return patchFiles(ctx, repo, treeId, patch)
  const overlay = new Overlay(objects, treeId, repo.objectFormat)
  for (const operation of operations) await applyOperation(overlay, operation)
  return overlay.files
}

async function findReplaced(objects: ObjectReader, name: string, force: boolean) {
  const existing = await findBranch(objects, name)
  if (existing && !force) throw branchExists(name)
  return existing
}

function branchExists(name: string): AppError {
  return invalid(`branch already exists [name: ${name}]`, { reason: 'branch_taken' })
}

/** Who is given alone is both; who is not given is the caller. */
function signatures(
  ctx: Context,
  caller: SignedInCaller,
  change: FilesChange,
): { readonly author: Signature; readonly committer: Signature } {
  const self = gitIdentity(ctx.config, caller.account)
  const now = { at: ctx.now(), zone: 0 }
  return {
    author: { ...(change.author ?? change.committer ?? self), ...(change.authoredAt ?? now) },
    committer: { ...(change.committer ?? change.author ?? self), ...(change.committedAt ?? now) },
  }
}
