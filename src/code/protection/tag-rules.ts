import { logRightsChange } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import { isDuplicate } from '../../platform/db/database.ts'
import { AppError, forbidden, invalid, notFound } from '../../platform/errors.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { findIds, idsOf, type NameLists } from './people.ts'
import {
  deleteTagRule,
  findTagRule,
  findTagRules,
  hasTagRule,
  insertTagRule,
  updateTagRule,
} from './queries.ts'
import type { TagRule } from './rule.ts'
import { compileTagPattern } from './tag-pattern.ts'

/** What is absent stays as it is. */
export interface TagRuleEdit extends NameLists {
  readonly pattern: string | undefined
}

export async function loadTagRules(ctx: Context, repo: Repository): Promise<readonly TagRule[]> {
  return findTagRules(ctx.db, repo.id)
}

export async function loadTagRule(ctx: Context, repo: Repository, id: number): Promise<TagRule> {
  const rule = await findTagRule(ctx.db, repo.id, id)
  if (!rule) throw notFound()
  return rule
}

export async function createTagRule(
  ctx: Context,
  repo: Repository,
  edit: TagRuleEdit,
): Promise<TagRule> {
  const { pattern = '' } = edit
  assertPattern(pattern)
  assertLists(edit.usernames ?? [], edit.teams ?? [])
  if (await hasTagRule(ctx.db, repo.id, pattern)) throw alreadyThere()
  const lists = await readLists(ctx, repo, edit)
  const now = ctx.now()
  const rule = await orExists(() =>
    insertTagRule(ctx.db, {
      repository_id: repo.id,
      pattern,
      ...lists,
      created_at: now,
      updated_at: now,
    }),
  )
  logRule(ctx, 'tag protection added', repo, pattern)
  return rule
}

function logRule({ log }: Context, what: string, { id, name }: Repository, rule: string): void {
  logRightsChange(log, what, { repository: id, repositoryName: name, rule })
}

/** Both lists may be emptied: nobody makes these tags then, until somebody is named again. */
export async function editTagRule(
  ctx: Context,
  repo: Repository,
  rule: TagRule,
  edit: TagRuleEdit,
): Promise<TagRule> {
  if (edit.pattern !== undefined) assertPattern(edit.pattern)
  const lists = await readLists(ctx, repo, edit)
  const changes = {
    ...(edit.pattern === undefined ? {} : { pattern: edit.pattern }),
    ...lists,
    updated_at: ctx.now(),
  }
  const edited = await orExists(() => updateTagRule(ctx.db, rule.id, changes))
  if (!edited) throw notFound()
  logRule(ctx, 'tag protection edited', repo, edited.pattern)
  return edited
}

export async function removeTagRule(ctx: Context, repo: Repository, id: number): Promise<void> {
  if (!(await deleteTagRule(ctx.db, repo.id, id))) throw notFound()
  logRule(ctx, 'tag protection removed', repo, String(id))
}

function assertPattern(pattern: string): void {
  if (pattern === '')
    throw new AppError('bad_request', 'name_pattern are empty', { reason: 'name_missing' })
  if (!compileTagPattern(pattern))
    throw invalid(`${pattern} is not a valid pattern`, { reason: 'pattern_invalid' })
}

function assertLists(people: readonly unknown[], teams: readonly unknown[]): void {
  if (people.length > 0 || teams.length > 0) return
  throw new AppError('bad_request', 'both whitelist_usernames and whitelist_teams are empty', {
    reason: 'nobody_named',
  })
}

async function readLists(ctx: Context, repo: Repository, edit: TagRuleEdit) {
  const ids = await findIds(ctx, repo, [edit])
  const accountIds = idsOf(edit.usernames, ids.people)
  const teamIds = idsOf(edit.teams, ids.teams)
  return {
    ...(accountIds ? { account_ids: JSON.stringify(accountIds) } : {}),
    ...(teamIds ? { team_ids: JSON.stringify(teamIds) } : {}),
  }
}

async function orExists<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (cause) {
    if (isDuplicate(cause)) throw alreadyThere(cause)
    throw cause
  }
}

function alreadyThere(cause?: unknown): AppError {
  return forbidden('Tag protection already exist', { cause, reason: 'name_taken' })
}
