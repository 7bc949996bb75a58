import { recordActivity } from '../activity/record.ts'
import type { Context, SignedInCaller } from '../context.ts'
import { flag } from '../db/columns.ts'
import { isDuplicate, type Executor } from '../db/database.ts'
import type { Changes } from '../db/schema.ts'
import { AppError, invalid, invalidField, notFound } from '../errors.ts'
import { branchExists, setHead } from '../git/refs.ts'
import { isNewBranchName, isRefName } from '../git/ref-name.ts'
import { editMirror, type MirrorEdit } from '../mirrors/edit.ts'
import type { Account } from '../users/account.ts'
import { announceRepository } from '../webhooks/repository-events.ts'
import { editUnits, type UnitsEdit } from './edit-units.ts'
import { changeVisibility, confirmVisibility, newVisibility } from './change-visibility.ts'
import { folderOf } from './folder.ts'
import { followRow } from './head.ts'
import { holdRepository } from './hold.ts'
import { deleteRedirect, insertRedirect, updateRepository } from './queries.ts'
import { mayReuse } from './redirects.ts'
import { assertRepositoryNameAllowed, type Repository } from './repository.ts'
import type { RepositoryView } from './view.ts'

/** `undefined` leaves a field as it is. */
export interface RepositoryEdit {
  readonly basic: BasicEdit
  readonly units: UnitsEdit
  readonly archived: boolean | undefined
  readonly mirror: MirrorEdit
}

interface BasicEdit {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly website?: string | undefined
  readonly isPrivate?: boolean | undefined
  readonly isTemplate?: boolean | undefined
  readonly defaultBranch?: string | undefined
}

/**
 * Four groups one after the other, each applied whole or not at all: the contract keeps what came before a
 * group that is refused.
 */
export async function editRepository(
  ctx: Context,
  caller: SignedInCaller,
  { repo, owner }: RepositoryView,
  edit: RepositoryEdit,
): Promise<void> {
  await editBasic(ctx, caller, owner, repo, edit.basic)
  await editUnits(ctx, repo, edit.units)
  await editArchived(ctx, caller, repo, edit.archived)
  await editMirror(ctx, repo, edit.mirror)
}

async function editBasic(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  repo: Repository,
  edit: BasicEdit,
): Promise<void> {
  if (isRename(repo, edit)) assertNewName(edit.name)
  const wanted = await newVisibility(ctx, caller, repo, edit.isPrivate)
  const branch = await newDefaultBranch(ctx, repo, edit.defaultBranch)
  const changes: Changes<'repository'> = {
    name: edit.name,
    lower_name: edit.name?.toLowerCase(),
    description: edit.description,
    lower_description: edit.description?.toLowerCase(),
    website: edit.website,
    is_template: flag(edit.isTemplate),
    default_branch: branch,
  }
  await withHead(ctx, repo, branch, () =>
    ctx.db.transaction().execute(async (tx) => {
      const now = edit.name === undefined ? repo : await holdRepository(ctx, tx, repo)
      const isPrivate = await confirmVisibility(ctx, tx, repo, wanted)
      await applyChanges(tx, owner, repo, changes)
      if (isRename(now, edit)) await noteRename(ctx, tx, caller, owner, now, edit.name)
      if (isPrivate !== undefined) await changeVisibility(tx, repo, isPrivate)
      await announceEdit(ctx, tx, caller, now, { ...edit, isPrivate, defaultBranch: branch })
      if (branch === undefined || repo.isEmpty) return
      // Licenses, languages and schedules are those of the default branch.
      await ctx.jobs.enqueue(tx, 'measure_repository', { id: repo.id })
    }),
  )
  ctx.jobs.wake()
}

/**
 * Moves HEAD before `work`, so that a crash in between leaves a branch that exists and a repeated request mends the
 * row; and to what the row says after it, which is the old one when `work` fails.
 */
async function withHead(
  ctx: Context,
  repo: Repository,
  branch: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (branch === undefined) return work()
  await setHead(ctx.git, folderOf(ctx, repo), branch)
  try {
    await work()
  } finally {
    await followRow(ctx, repo)
  }
}

/** Another spelling of the same name is none. */
function isRename(
  repo: Repository,
  edit: BasicEdit,
): edit is BasicEdit & { readonly name: string } {
  return edit.name !== undefined && edit.name.toLowerCase() !== repo.name.toLowerCase()
}

/** What webhooks hear of it: a new name by the contract, anything else beyond it. */
async function announceEdit(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  repo: Repository,
  edit: BasicEdit,
): Promise<void> {
  const { name: _, isPrivate, ...rest } = edit
  if (isRename(repo, edit)) {
    const changes = { name: { from: repo.name } }
    await announceRepository(ctx, tx, account, repo.id, 'renamed', changes)
  }
  if (isPrivate !== undefined) {
    await announceRepository(ctx, tx, account, repo.id, isPrivate ? 'privatized' : 'publicized')
  }
  const isEdited = (Object.keys(rest) as (keyof typeof rest)[]).some(
    (key) => rest[key] !== undefined && rest[key] !== repo[key],
  )
  if (isEdited) await announceRepository(ctx, tx, account, repo.id, 'edited')
}

/** Every failure to rename is 422 here, also a taken name. */
function assertNewName(name: string): void {
  if (name === '')
    throw invalid('ChangeRepositoryName: the name is empty', { reason: 'name_missing' })
  try {
    assertRepositoryNameAllowed(name)
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'name_invalid') throw error
    const { message, reason } = error
    throw invalid(`ChangeRepositoryName: ${message}`, { reason })
  }
}

async function applyChanges(
  tx: Executor,
  owner: Account,
  repo: Repository,
  changes: Changes<'repository'>,
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return
  try {
    if (!(await updateRepository(tx, repo.id, changes))) throw notFound()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw nameInUse(owner, changes.lower_name ?? '', error)
  }
}

function nameInUse(owner: Account, lowerName: string, cause?: unknown): Error {
  return invalid(`repository already exists [uname: ${owner.name}, name: ${lowerName}]`, {
    cause,
    reason: 'name_taken',
  })
}

async function noteRename(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
  repo: Repository,
  name: string,
): Promise<void> {
  const lowerName = name.toLowerCase()
  if (!(await mayReuse(ctx, tx, caller, repo.ownerId, name))) throw nameInUse(owner, lowerName)
  await deleteRedirect(tx, repo.ownerId, lowerName)
  await insertRedirect(tx, repo.ownerId, repo.name.toLowerCase(), repo.id)
  await recordActivity(tx, {
    repositoryId: repo.id,
    accountId: caller.account.id,
    kind: 'rename_repo',
    content: repo.name,
    isPrivate: repo.isPrivate,
    at: ctx.now(),
  })
}

/** A branch that does not exist is silently left alone; an empty repository takes any name that git would. */
async function newDefaultBranch(
  ctx: Context,
  repo: Repository,
  wanted: string | undefined,
): Promise<string | undefined> {
  if (!wanted || wanted === repo.defaultBranch) return undefined
  if (repo.isEmpty) {
    if (!isNewBranchName(wanted)) throw invalidField('DefaultBranch', 'GitRefName')
    return wanted
  }
  if (!isRefName(wanted)) return undefined
  const exists = await branchExists(ctx.git, folderOf(ctx, repo), wanted)
  return exists ? wanted : undefined
}

async function editArchived(
  ctx: Context,
  { account }: SignedInCaller,
  repo: Repository,
  archived: boolean | undefined,
): Promise<void> {
  if (archived === undefined) return
  if (repo.isMirror) throw invalid('repo is a mirror, cannot archive/un-archive')
  await ctx.db.transaction().execute(async (tx) => {
    await updateRepository(tx, repo.id, {
      is_archived: archived ? 1 : 0,
      archived_at: archived ? ctx.now() : 0,
    })
    await ctx.jobs.enqueue(tx, 'detect_schedules', { repositoryId: repo.id })
    if (archived === repo.isArchived) return
    await announceRepository(ctx, tx, account, repo.id, archived ? 'archived' : 'unarchived')
  })
  ctx.jobs.wake()
}
