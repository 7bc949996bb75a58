import { findAuthorsFor } from '../commits/authors.ts'
import { linksOf, roomOfEach } from '../commits/present.ts'
import { verifyCommits } from '../commits/verification.ts'
import type { Caller, Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadProtection } from '../protection/enforce.ts'
import { loadCode, loadWritableCode } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { createBranch, deleteBranch, moveBranch, renameBranch } from './change.ts'
import { listBranches, loadBranch, type Branch } from './list.ts'
import { presentBranch, type BranchDetails } from './present.ts'
import {
  CreateBranchRepoOption,
  RenameBranchRepoOption,
  repoCreateBranch,
  repoDeleteBranch,
  repoGetBranch,
  repoListBranches,
  repoRenameBranch,
  repoUpdateBranch,
  UpdateBranchRepoOption,
  type BranchBody,
} from './schema.ts'

export function branchRoutes(api: Api, ctx: Context): void {
  const all = '/repos/:owner/:repo/branches'
  const one = `${all}/*branch`

  api.get(all, repoListBranches, async (call) => {
    const view = await loadCode(ctx, call)
    const found = await listBranches(ctx, view.repo, call.query.text('q') ?? '', call.page)
    return call.listOf(found, await presentBranches(ctx, call.caller, view, found.items))
  })

  api.get(one, repoGetBranch, async (call) => {
    const view = await loadCode(ctx, call)
    return ok(await presentOne(ctx, call.caller, view, call.rest))
  })

  api.post(all, repoCreateBranch, async (call) => {
    const view = await loadWritableCode(ctx, call)
    const body = await call.body(CreateBranchRepoOption)
    await createBranch(ctx, call.signedIn(), view, {
      name: body.new_branch_name,
      from: body.old_ref_name ?? '',
      fromBranch: body.old_branch_name ?? '',
    })
    return created(await presentOne(ctx, call.caller, view, body.new_branch_name))
  })

  api.delete(one, repoDeleteBranch, async (call) => {
    const view = await loadWritableCode(ctx, call)
    await deleteBranch(ctx, call.signedIn(), view, call.rest)
    return noContent()
  })

  api.patch(one, repoRenameBranch, async (call) => {
    const view = await loadWritableCode(ctx, call)
    const { name } = await call.body(RenameBranchRepoOption)
    await renameBranch(ctx, call.signedIn(), view, { from: call.rest, to: name })
    return noContent()
  })

  api.put(one, repoUpdateBranch, async (call: Call) => {
    const view = await loadWritableCode(ctx, call)
    const body = await call.body(UpdateBranchRepoOption)
    await moveBranch(ctx, call.signedIn(), view, call.rest, {
      to: body.new_commit_id,
      from: body.old_commit_id ?? '',
      force: body.force ?? false,
    })
    return noContent()
  })
}

async function presentOne(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  name: string,
): Promise<BranchBody> {
  const branch = await loadBranch(ctx, view.repo, name)
  const details = await detailsOf(ctx, caller, view, [branch])
  return presentBranch(view, linksOf(ctx.config, view), branch, details)
}

async function presentBranches(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  branches: readonly Branch[],
): Promise<BranchBody[]> {
  const links = linksOf(ctx.config, view)
  const details = await detailsOf(ctx, caller, view, branches)
  const room = roomOfEach(branches.length)
  return branches.map((branch) => presentBranch(view, links, branch, details, room))
}

async function detailsOf(
  ctx: Context,
  caller: Caller,
  { repo }: RepositoryView,
  branches: readonly Branch[],
): Promise<BranchDetails> {
  const commits = branches.map(({ commit }) => commit)
  const known = await findAuthorsFor(ctx, caller, commits)
  const verifications = await verifyCommits(ctx, commits, known)
  return {
    authors: known.authors,
    verifications,
    protection: await loadProtection(ctx, caller, repo),
  }
}
