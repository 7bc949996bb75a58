import type { Static } from 'typebox'
import { enterAsOwner } from '../../identity/organizations/access.ts'
import { loadOrganization } from '../../identity/organizations/load.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { invalid, isNotFound } from '../../platform/errors.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import type { Account } from '../../identity/users/account.ts'
import { findByName, loadVisibleAccount } from '../../identity/users/load.ts'
import { isAbsence } from './absence.ts'
import { createRepository } from './create.ts'
import { editRepository } from './edit.ts'
import {
  assertAdministers,
  assertEditsCode,
  assertNotArchived,
  assertReads,
  assertWrites,
  loadVisible,
  loadVisibleById,
} from './load.ts'
import { presentRepository } from './present.ts'
import { loadForCreation } from './may-create.ts'
import { readEdit } from './read-edit.ts'
import { readNew } from './read-new.ts'
import { assertOwns, removeRepository } from './remove.ts'
import { markAllForRemoval } from './remove-all.ts'
import {
  adminCreateRepo,
  createCurrentUserRepo,
  createOrgRepo,
  createOrgRepoDeprecated,
  CreateRepoOption,
  EditRepoOption,
  orgDeleteRepos,
  repoDelete,
  repoEdit,
  repoGet,
  repoGetByID,
} from './schema.ts'
import type { RepositoryView } from './view.ts'

export function repositoryRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  const present = (view: RepositoryView) => presentRepository(config, view, { language: true })
  const presentKept = keptBy((view: RepositoryView) => Object.freeze(present(view)))
  api.get('/repos/:owner/:repo', repoGet, async (call) => {
    const view = await loadOfPath(ctx, call)
    return ok(isInWork(view) ? present(view) : presentKept(view))
  })

  api.get('/repositories/:id', repoGetByID, async (call) => {
    const view = await loadVisibleById(ctx, call.caller, call.id('id'))
    return ok(presentRepository(config, view))
  })

  api.patch('/repos/:owner/:repo', repoEdit, async (call) => {
    const view = await loadOfPath(ctx, call)
    const caller = call.signedIn()
    assertAdministers(view)
    const edit = readEdit(await call.body(EditRepoOption))
    return ok(presentRepository(config, await editRepository(ctx, caller, view, edit)))
  })

  api.delete('/repos/:owner/:repo', repoDelete, async (call) => {
    const view = await loadOfPath(ctx, call)
    const { account } = call.signedIn()
    assertOwns(view)
    await removeRepository(ctx, account, view.repo)
    return noContent()
  })

  api.delete('/orgs/:org/repos', orgDeleteRepos, async (call) => {
    const { caller, org } = await enterAsOwner(ctx, call)
    return (await markAllForRemoval(ctx, caller, org)) ? { status: 202 } : noContent()
  })
}

/** What is shown of a mirror then is over without anything being written, should its worker die. */
function isInWork({ mirror, parent }: RepositoryView): boolean {
  return [mirror, parent?.mirror].some((state) => state?.isWorking())
}

export function repositoryCreationRoutes(api: Api, ctx: Context): void {
  const { config } = ctx

  const answerCreated = async (
    call: Call,
    owner: Account,
    body: Static<typeof CreateRepoOption>,
  ) => {
    const caller = call.signedIn()
    const view = await createRepository(ctx, caller, owner, readNew(ctx, body))
    return created(presentRepository(config, view))
  }

  api.post('/user/repos', createCurrentUserRepo, async (call) => {
    const { account } = call.signedIn()
    const body = await call.body(CreateRepoOption)
    if (account.kind === 'organization') {
      throw invalid('not allowed creating repository for organization')
    }
    return answerCreated(call, account, body)
  })

  // A renamed organization redirects before sign-in is looked at; any other unknown one is told
  // after the body.
  api.post('/orgs/:org/repos', createOrgRepo, async (call) => {
    await followRename(ctx, call)
    const caller = call.signedIn()
    await assertWithinToken(ctx, caller, call.param('org'))
    const body = await call.body(CreateRepoOption)
    return answerCreated(call, await loadForCreation(ctx, caller, call.param('org')), body)
  })

  api.post('/org/:org/repos', createOrgRepoDeprecated, async (call) => {
    const caller = call.signedIn()
    await assertWithinToken(ctx, caller, call.param('org'))
    const body = await call.body(CreateRepoOption)
    return answerCreated(call, await loadForCreation(ctx, caller, call.param('org')), body)
  })

  api.post('/admin/users/:username/repos', adminCreateRepo, async (call) => {
    const owner = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    return answerCreated(call, owner, await call.body(CreateRepoOption))
  })
}

/** For every route below a repository. */
export async function loadOfPath(ctx: Context, call: Call): Promise<RepositoryView> {
  return loadVisible(ctx, call.caller, { owner: call.param('owner'), repo: call.param('repo') })
}

/** For routes about how a repository is set up. */
export async function loadAdministered(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  call.signedIn()
  assertAdministers(view)
  return view
}

/** For routes about what git holds. */
export async function loadCode(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  assertReads(view, 'repo.code')
  return view
}

/** For routes that change what git holds. */
export async function loadWritableCode(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadCode(ctx, call)
  call.signedIn()
  assertNotArchived(view)
  assertWrites(view, 'repo.code')
  return view
}

/** For routes that change single files. */
export async function loadEditableCode(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadCode(ctx, call)
  call.signedIn()
  assertEditsCode(view)
  return view
}

async function followRename(ctx: Context, call: Call): Promise<void> {
  const name = call.param('org')
  if (await findByName(ctx, name)) return
  await loadOrganization(ctx, call.caller, name).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
}

/**
 * A token for what is public is refused before the body is read; what the caller does not see is
 * told after it.
 */
async function assertWithinToken(
  ctx: Context,
  caller: SignedInCaller,
  name: string,
): Promise<void> {
  if (!caller.publicOnly) return
  await loadOrganization(ctx, caller, name).catch((error: unknown) => {
    if (!isAbsence(error)) throw error
  })
}
