import { logRightsChange } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import { isDuplicate, type Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { AppError, forbidden, invalid, notFound } from '../../platform/errors.ts'
import { compileGlob, isGlob } from '../../platform/parsing/glob.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { readFilePatterns } from './file-patterns.ts'
import { findIds, idsOf, type Ids, type NameLists } from './people.ts'
import {
  deleteBranchRule,
  findBranchRule,
  findBranchRules,
  insertBranchRule,
  renameBranchRule,
  updateBranchRule,
} from './queries.ts'
import {
  newSettings,
  type Allowlist,
  type AllowlistName,
  type BranchRule,
  type BranchSettings,
} from './rule.ts'

interface AllowlistEdit extends NameLists {
  readonly isEnabled?: boolean | undefined
  readonly deployKeys?: boolean | undefined
}

type Plain = Omit<BranchSettings, 'lists'>

/** What is absent stays as it is. */
export interface BranchRuleEdit {
  readonly priority: number | undefined
  readonly settings: { readonly [Key in keyof Plain]?: Plain[Key] | undefined }
  readonly lists: Readonly<Record<AllowlistName, AllowlistEdit>>
}

export async function loadBranchRules(
  ctx: Context,
  repo: Repository,
): Promise<readonly BranchRule[]> {
  return findBranchRules(ctx.db, repo.id)
}

export async function loadBranchRule(
  ctx: Context,
  repo: Repository,
  name: string,
): Promise<BranchRule> {
  const rule = await findBranchRule(ctx.db, repo.id, name)
  if (!rule) throw notFound()
  return rule
}

export async function createBranchRule(
  ctx: Context,
  repo: Repository,
  name: string,
  edit: BranchRuleEdit,
): Promise<BranchRule> {
  if (name === '')
    throw new AppError('bad_request', 'both rule_name and branch_name are empty', {
      reason: 'name_missing',
    })
  if (await findBranchRule(ctx.db, repo.id, name)) throw alreadyThere()
  if (isGlob(name) && !compileGlob(name))
    throw invalid(`${name} is not a valid glob`, { reason: 'glob_invalid', subject: name })
  assertFilePatterns(edit)
  const ids = await findIds(ctx, repo, Object.values(edit.lists))
  const now = ctx.now()
  try {
    const rule = await insertBranchRule(ctx.db, {
      repository_id: repo.id,
      name,
      ...priorityOf(edit),
      settings: JSON.stringify(applyEdit(newSettings, edit, ids)),
      created_at: now,
      updated_at: now,
    })
    logRule(ctx, 'branch protection added', repo, name)
    return rule
  } catch (cause) {
    if (isDuplicate(cause)) throw alreadyThere(cause)
    throw cause
  }
}

function alreadyThere(cause?: unknown): AppError {
  return forbidden('Branch protection already exist', { cause, reason: 'name_taken' })
}

export async function editBranchRule(
  ctx: Context,
  repo: Repository,
  { name }: BranchRule,
  edit: BranchRuleEdit,
): Promise<BranchRule> {
  assertFilePatterns(edit)
  const ids = await findIds(ctx, repo, Object.values(edit.lists))
  const edited = await ctx.db.transaction().execute(async (tx) => {
    // All settings are one value: an edit must not write back what another has changed meanwhile.
    await lock(ctx.db.dialect, tx, 'branch_protections', repo.id)
    const rule = await findBranchRule(tx, repo.id, name)
    if (!rule) throw notFound()
    return updateBranchRule(tx, rule.id, {
      ...priorityOf(edit),
      settings: JSON.stringify(applyEdit(rule.settings, edit, ids)),
      updated_at: ctx.now(),
    })
  })
  logRule(ctx, 'branch protection edited', repo, name)
  return edited
}

function logRule({ log }: Context, what: string, { id, name }: Repository, rule: string): void {
  logRightsChange(log, what, { repository: id, repositoryName: name, rule })
}

/**
 * By their ids. What is no rule of the repository leaves its place empty; rules that are not named
 * keep theirs.
 */
export async function orderBranchRules(
  ctx: Context,
  repo: Repository,
  ids: readonly number[],
): Promise<void> {
  const priorities = new Map(ids.map((id, index) => [id, index + 1]))
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'branch_protections', repo.id)
    for (const rule of await findBranchRules(tx, repo.id)) {
      const priority = priorities.get(rule.id) ?? rule.priority
      if (priority === rule.priority) continue
      await updateBranchRule(tx, rule.id, { priority, updated_at: ctx.now() })
    }
  })
}

export async function removeBranchRule(
  ctx: Context,
  repo: Repository,
  name: string,
): Promise<void> {
  if (!(await deleteBranchRule(ctx.db, repo.id, name))) throw notFound()
  logRule(ctx, 'branch protection removed', repo, name)
}

/** The rule that names a branch goes with it to its new name. */
export async function followBranch(
  tx: Executor,
  repo: Repository,
  from: string,
  to: string,
): Promise<void> {
  await renameBranchRule(tx, repo.id, from, to)
}

function priorityOf({ priority }: BranchRuleEdit): { priority?: number } {
  return priority !== undefined && priority > 0 ? { priority } : {}
}

function assertFilePatterns({ settings }: BranchRuleEdit): void {
  for (const patterns of [settings.protectedFiles, settings.unprotectedFiles]) {
    readFilePatterns(patterns ?? '')
  }
}

function applyEdit(base: BranchSettings, { settings, lists }: BranchRuleEdit, ids: Ids) {
  const merged: BranchSettings = { ...base, ...present(settings) }
  return {
    ...merged,
    requiredApprovals: Math.max(0, merged.requiredApprovals),
    lists: {
      push: applyList(base.lists.push, lists.push, ids),
      forcePush: applyList(base.lists.forcePush, lists.forcePush, ids),
      merge: applyList(base.lists.merge, lists.merge, ids),
      bypass: applyList(base.lists.bypass, lists.bypass, ids),
      approvals: applyList(base.lists.approvals, lists.approvals, ids),
    },
  }
}

function applyList(base: Allowlist, edit: AllowlistEdit, ids: Ids): Allowlist {
  return {
    isEnabled: edit.isEnabled ?? base.isEnabled,
    accountIds: idsOf(edit.usernames, ids.people) ?? base.accountIds,
    teamIds: idsOf(edit.teams, ids.teams) ?? base.teamIds,
    deployKeys: edit.deployKeys ?? base.deployKeys,
  }
}

/** Only what has a value. */
function present(settings: BranchRuleEdit['settings']): Partial<Plain> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}
