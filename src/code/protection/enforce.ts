import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, invalid } from '../../platform/errors.ts'
import { findUnverified } from '../commits/unverified.ts'
import { changedFiles } from '../../platform/git/changed-files.ts'
import { isAncestor } from '../../platform/git/merge-base.ts'
import { branchOf, tagOf, type RefUpdate } from '../../platform/git/ref-update.ts'
import { readTip } from '../../platform/git/tip.ts'
import { reaches } from '../../platform/access-level.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { readFilePatterns } from './file-patterns.ts'
import { findTeamsOf } from './people-queries.ts'
import {
  canChangeTag,
  canMerge,
  canPush,
  findRule,
  isLetThrough,
  isProtectedTag,
  type Pusher,
} from './policy.ts'
import { findBranchRules, findTagRules } from './queries.ts'
import type { BranchRule, TagRule } from './rule.ts'

/**
 * Why the rules of a repository forbid a caller to move a ref; owners and administrators are bound
 * too.
 */
async function refusal(
  ctx: Context,
  caller: Caller,
  repo: Repository,
  update: RefUpdate,
): Promise<string | undefined> {
  return (await loadProtection(ctx, caller, repo)).refusal(update)
}

/** For branches: fails with the reason why a rule forbids it. */
export async function assertMayMove(
  ctx: Context,
  caller: Caller,
  repo: Repository,
  update: RefUpdate,
): Promise<void> {
  const reason = await refusal(ctx, caller, repo, update)
  if (reason !== undefined) throw forbidden(reason)
}

/**
 * A rule that names the branch goes with it, if an administrator says so; one that matches it
 * cannot.
 */
export async function assertMayRename(
  ctx: Context,
  caller: Caller,
  { repo, access }: Pick<RepositoryView, 'repo' | 'access'>,
  { from, to, id }: { readonly from: string; readonly to: string; readonly id: string },
): Promise<void> {
  const protection = await loadProtection(ctx, caller, repo)
  const rule = protection.ruleOf(from)
  if (rule?.name === from && !reaches(access.level, 'admin')) {
    throw forbidden('User must be a repo or site admin to rename default or protected branches.')
  }
  const update = { ref: `refs/heads/${to}`, before: undefined, after: id }
  const isMatched = rule !== undefined && rule.name !== from
  if (isMatched || (await protection.refusal(update)) !== undefined) {
    throw forbidden('Failed to rename branch due to branch protection rules.')
  }
}

/** For tags, whose rules the contract counts among those of names: what they forbid is invalid. */
export async function assertMayTag(
  ctx: Context,
  caller: Caller,
  repo: Repository,
  update: RefUpdate,
): Promise<void> {
  const reason = await refusal(ctx, caller, repo, update)
  if (reason !== undefined) throw invalid(reason)
}

/** For a commit through the API, which git does not have yet; no rule is named. */
export async function assertMayCommit(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  commit: PlannedCommit,
): Promise<void> {
  const protection = await loadProtection(ctx, caller, repo)
  if ((await protection.refusalOfCommit(commit)) === undefined) return
  throw forbidden(`user cannot commit to repo [user: ${caller.account.name}]`)
}

/** The rules of branches as they are now. */
export async function rulesOf(db: Executor, repositoryId: number): Promise<readonly BranchRule[]> {
  return findBranchRules(db, repositoryId)
}

/** The rules as they are now, for the questions of one request. */
export async function loadProtection(
  ctx: Context,
  { account, credential }: Caller,
  repo: Repository,
): Promise<Protection> {
  const branchRules = await findBranchRules(ctx.db, repo.id)
  const tagRules = await findTagRules(ctx.db, repo.id)
  const hasRules = branchRules.length + tagRules.length > 0
  const teams = await findTeamsOf(ctx.db, repo, account && hasRules ? [account.id] : [])
  const teamIds = teams.get(account?.id ?? 0) ?? []
  const isDeployKey = credential.kind === 'deploy-key'
  const pusher = { accountId: account?.id, teamIds, isDeployKey }
  return new Protection(ctx, repo, pusher, { branchRules, tagRules })
}

interface Rules {
  readonly branchRules: readonly BranchRule[]
  readonly tagRules: readonly TagRule[]
}

export interface PlannedCommit {
  readonly branch: string
  readonly files: readonly string[]
  readonly isForce: boolean
  /** Whether it is the first of its branch. */
  readonly isNew: boolean
}

/**
 * What rules ask of a push to a branch; each answer costs, and is asked for only where a rule wants
 * it.
 */
interface BranchPush {
  readonly isNew: boolean
  readonly isForce: () => Promise<boolean>
  readonly files: () => AsyncIterable<string> | Iterable<string>
  /** A commit that was not signed by who has made it. */
  readonly unverified: () => Promise<string | undefined>
}

export class Protection {
  readonly #ctx: Context
  readonly #repo: Repository
  readonly #pusher: Pusher
  readonly #rules: Rules

  constructor(ctx: Context, repo: Repository, pusher: Pusher, rules: Rules) {
    this.#ctx = ctx
    this.#repo = repo
    this.#pusher = pusher
    this.#rules = rules
  }

  ruleOf(branch: string): BranchRule | undefined {
    return findRule(this.#rules.branchRules, branch)
  }

  canPush(rule: BranchRule): boolean {
    return canPush(rule, this.#pusher)
  }

  canMerge(rule: BranchRule): boolean {
    return canMerge(rule, this.#pusher)
  }

  /**
   * Whether the caller may merge although the rule is not kept; without a list nobody may by it.
   */
  bypasses({ settings }: BranchRule): boolean {
    const { bypass } = settings.lists
    return bypass.isEnabled && isLetThrough(bypass, this.#pusher)
  }

  canChangeTag(tag: string): boolean {
    return canChangeTag(this.#rules.tagRules, tag, this.#pusher)
  }

  /** Whether a rule has a say about this ref at all. */
  covers(ref: string): boolean {
    const branch = branchOf(ref)
    if (branch !== undefined) return this.ruleOf(branch) !== undefined
    const tag = tagOf(ref)
    return tag !== undefined && isProtectedTag(this.#rules.tagRules, tag)
  }

  /** Git must have the objects of the update. */
  async refusal(update: RefUpdate): Promise<string | undefined> {
    const tag = tagOf(update.ref)
    if (tag !== undefined) return this.#tagRefusal(tag, update)
    const branch = branchOf(update.ref)
    if (branch === undefined) return undefined
    if (update.after !== undefined) return this.#pushRefusal(branch, this.#inGit(update))
    return this.ruleOf(branch) && `branch ${branch} is protected from deletion`
  }

  /** Like `refusal`, for a commit that is not made yet. */
  async refusalOfCommit(commit: PlannedCommit): Promise<string | undefined> {
    const { branch, files, isForce, isNew } = commit
    return this.#pushRefusal(branch, {
      isNew,
      isForce: async () => isForce,
      files: () => files,
      // The server has no key to sign with.
      unverified: async () => 'a commit by the server',
    })
  }

  #tagRefusal(tag: string, { before, after }: RefUpdate): string | undefined {
    if (this.canChangeTag(tag)) return undefined
    const verb = after === undefined ? 'delete' : before === undefined ? 'create' : 'move'
    return `user not allowed to ${verb} protected tag`
  }

  async #pushRefusal(branch: string, push: BranchPush): Promise<string | undefined> {
    const rule = this.ruleOf(branch)
    if (!rule) return undefined
    const { unprotectedFiles, protectedFiles, requiresSignedCommits } = rule.settings
    if (!this.canPush(rule) && !(await changesOnly(push, unprotectedFiles))) {
      return `not allowed to push to protected branch ${branch}`
    }
    if ((await push.isForce()) && !canPush(rule, this.#pusher, { isForce: true })) {
      return `branch ${branch} is protected from force push`
    }
    const unverified = requiresSignedCommits ? await push.unverified() : undefined
    if (unverified !== undefined) {
      return `branch ${branch} is protected from unverified commits: ${unverified}`
    }
    const file = await findChanged(push, protectedFiles)
    return file === undefined ? undefined : `branch ${branch} is protected from changing ${file}`
  }

  #inGit(update: RefUpdate): BranchPush {
    const { git } = this.#ctx
    const { before: base, after: head } = update
    const isForce = async () =>
      base !== undefined &&
      head !== undefined &&
      !(await isAncestor(git, this.#folder, { base, head }))
    const files = () => changedFiles(git, this.#folder, update, this.#repo.defaultBranch)
    const unverified = () => this.#findUnverified(update)
    return { isNew: base === undefined, isForce, files, unverified }
  }

  /**
   * Of a new branch all that the default one does not have: it might come from a branch that takes
   * anything.
   */
  async #findUnverified({ before, after }: RefUpdate): Promise<string | undefined> {
    if (after === undefined) return undefined
    const known = before ?? (await readTip(this.#folder, this.#repo.defaultBranch))
    const without = known === undefined ? [] : [known]
    return findUnverified(this.#ctx, this.#folder, { from: after, without })
  }

  get #folder(): string {
    return folderOf(this.#ctx, this.#repo)
  }
}

/** To make a branch is more than to change files in it. */
async function changesOnly({ isNew, files }: BranchPush, patterns: string): Promise<boolean> {
  if (isNew || patterns.trim() === '') return false
  const matches = readFilePatterns(patterns)
  for await (const path of files()) {
    if (!matches(path)) return false
  }
  return true
}

async function findChanged({ files }: BranchPush, patterns: string): Promise<string | undefined> {
  if (patterns.trim() === '') return undefined
  const matches = readFilePatterns(patterns)
  for await (const path of files()) {
    if (matches(path)) return path
  }
  return undefined
}
