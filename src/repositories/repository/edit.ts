import { logRightsChange } from '../../platform/audit.ts'
import { recordActivity } from '../../events/activity/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { flag } from '../../platform/db/columns.ts'
import { isDuplicate, type Executor, type Remembered } from '../../platform/db/database.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { AppError, invalid, invalidField, notFound } from '../../platform/errors.ts'
import { branchExists, setHead } from '../../platform/git/refs.ts'
import { isNewBranchName, isRefName } from '../../platform/git/ref-name.ts'
import type { MirrorEdit } from '../../code/mirrors/edit.ts'
import type { Account } from '../../identity/users/account.ts'
import { announceRepository } from './webhook-events.ts'
import { editUnits, mentionsUnits, type UnitsEdit } from './edit-units.ts'
import { changeVisibility, confirmVisibility, newVisibility } from './change-visibility.ts'
import { folderOf } from './folder.ts'
import { followRow } from './head.ts'
import { holdRepository } from './hold.ts'
import { keepView } from './load.ts'
import { deleteRedirect, findRepositoryById, insertRedirect, updateRepository } from './queries.ts'
import { mayReuse } from './redirects.ts'
import { assertRepositoryNameAllowed, type Repository } from './repository.ts'
import { viewRepository, type RepositoryView } from './view.ts'

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
 * Four groups one after the other, each applied whole or not at all: the contract keeps what came
 * before a group that is refused. All are one transaction, in which the answer is found, too: it
 * tells what the edit made of the repository, whatever others write at the same moment.
 */
export async function editRepository(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  edit: RepositoryEdit,
): Promise<RepositoryView> {
  const { repo, access, units } = view
  const basic = await planBasic(ctx, caller, repo, edit.basic)
  const edited = await withHead(ctx, repo, basic.branch, () =>
    ctx.db.transaction().execute((tx) => applyEdit(ctx, tx, caller, view, { ...edit, basic })),
  )
  ctx.jobs.wake()
  if (basic.visibility !== undefined) {
    const details = { repository: nameOf(view), isPrivate: basic.visibility }
    logRightsChange(ctx.log, 'repository visibility changed', details)
  }
  if (edited instanceof AppError) throw edited
  keepView(ctx, caller, edited)
  return { ...edited.value, access, accessUnits: units }
}

function nameOf({ owner, repo }: RepositoryView): string {
  return `${owner.name}/${repo.name}`
}

/** What is there then, or what a group is refused for: those before it are to be kept. */
async function applyEdit(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  { repo, owner }: RepositoryView,
  edit: RepositoryEdit & { readonly basic: BasicPlan },
): Promise<Remembered<RepositoryView> | AppError> {
  await editBasic(ctx, tx, caller, owner, repo, edit.basic)
  const refusal = await refusalOf(async () => {
    await editUnits(ctx, tx, repo, edit.units)
    await editArchived(ctx, tx, caller, repo, edit.archived)
    await ctx.above.mirrorEdit.apply(ctx, tx, repo, edit.mirror)
  })
  if (refusal) return refusal
  return ctx.db.remember(ctx.db.writtenVersion(), () => viewEdited(ctx, tx, caller, repo, edit))
}

/**
 * What a group is refused for, before anything of it is written; any other failure undoes all
 * groups.
 */
async function refusalOf(work: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/** What stands around the row is mostly known; an edit that changes some of that has to look. */
async function viewEdited(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  { id }: Repository,
  { basic: { isPrivate }, units, mirror }: RepositoryEdit,
): Promise<RepositoryView> {
  const repo = await findRepositoryById(tx, id)
  if (!repo) throw notFound()
  const isKnown =
    !mentionsUnits(units) && !ctx.above.mirrorEdit.mentions(mirror) && isPrivate === undefined
  return viewRepository(isKnown && ctx.surroundings ? ctx : { ...ctx, db: tx }, caller, repo)
}

/** A basic edit with what is to become of the visibility and of HEAD. */
interface BasicPlan extends BasicEdit {
  readonly visibility: boolean | undefined
  readonly branch: string | undefined
}

async function planBasic(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  edit: BasicEdit,
): Promise<BasicPlan> {
  if (isRename(repo, edit)) assertNewName(edit.name)
  return {
    ...edit,
    visibility: await newVisibility(ctx, caller, repo, edit.isPrivate),
    branch: await newDefaultBranch(ctx, repo, edit.defaultBranch),
  }
}

async function editBasic(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
  repo: Repository,
  { visibility, branch, ...edit }: BasicPlan,
): Promise<void> {
  const now = edit.name === undefined ? repo : await holdRepository(ctx, tx, repo)
  const isPrivate = await confirmVisibility(ctx, tx, repo, visibility)
  await applyChanges(tx, owner, repo, {
    name: edit.name,
    lower_name: edit.name?.toLowerCase(),
    description: edit.description,
    lower_description: edit.description?.toLowerCase(),
    website: edit.website,
    is_template: flag(edit.isTemplate),
    default_branch: branch,
  })
  if (isRename(now, edit)) await noteRename(ctx, tx, caller, owner, now, edit.name)
  if (isPrivate !== undefined) await changeVisibility(ctx, tx, caller, repo, isPrivate)
  await announceEdit(ctx, tx, caller, now, { ...edit, isPrivate, defaultBranch: branch })
  if (branch === undefined || repo.isEmpty) return
  // Licenses, languages and schedules are those of the default branch.
  await ctx.jobs.enqueue(tx, 'measure_repository', { id: repo.id })
}

/**
 * Moves HEAD before `work`, so that a crash in between leaves a branch that exists and a repeated
 * request mends the row; and to what the row says after it, which is the old one when `work` fails.
 */
async function withHead<T>(
  ctx: Context,
  repo: Repository,
  branch: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (branch === undefined) return work()
  await setHead(ctx.git, folderOf(ctx, repo), branch)
  try {
    return await work()
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

/**
 * A branch that does not exist is silently left alone; an empty repository takes any name that git
 * would.
 */
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
  tx: Executor,
  { account }: SignedInCaller,
  repo: Repository,
  archived: boolean | undefined,
): Promise<void> {
  if (archived === undefined) return
  if (repo.isMirror) throw invalid('repo is a mirror, cannot archive/un-archive')
  await updateRepository(tx, repo.id, {
    is_archived: archived ? 1 : 0,
    archived_at: archived ? ctx.now() : 0,
  })
  await ctx.jobs.enqueue(tx, 'detect_schedules', { repositoryId: repo.id })
  if (archived === repo.isArchived) return
  await announceRepository(ctx, tx, account, repo.id, archived ? 'archived' : 'unarchived')
}
