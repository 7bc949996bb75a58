import { compileGlob, isGlob, type Matches } from '../../platform/parsing/glob.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import { inEffect, type Allowlist, type BranchRule, type TagRule } from './rule.ts'
import { compileTagPattern } from './tag-pattern.ts'

/** Who moves a ref, as far as rules ask. That they may write at all is settled before. */
export interface Pusher {
  readonly accountId: number | undefined
  readonly teamIds: readonly number[]
  readonly isDeployKey: boolean
}

export interface Push {
  readonly isForce?: boolean
  readonly isDeletion?: boolean
}

/**
 * The rule of a branch: one that names it before one that matches it, then by priority, then the
 * older.
 */
export function findRule(rules: readonly BranchRule[], branch: string): BranchRule | undefined {
  const matching = rules.filter((rule) => matcherOf(rule)(branch))
  const [first] = matching.toSorted(
    (a, b) =>
      Number(isGlob(a.name)) - Number(isGlob(b.name)) || a.priority - b.priority || a.id - b.id,
  )
  return first
}

const none: Matches = () => false

/** Compiled once, however many branches are asked about. */
const matcherOf = keptBy(({ name }: BranchRule): Matches => {
  return isGlob(name) ? (compileGlob(name) ?? none) : (branch) => name === branch
})

const tagMatcherOf = keptBy(({ pattern }: TagRule) => compileTagPattern(pattern) ?? none)

/** Nobody deletes a branch under a rule. */
export function canPush(
  rule: BranchRule,
  pusher: Pusher,
  { isForce = false, isDeletion = false }: Push = {},
): boolean {
  if (isDeletion) return false
  const { canPush: allowed, canForcePush, lists } = inEffect(rule.settings)
  if (!allowed || !isLetThrough(lists.push, pusher)) return false
  return !isForce || (canForcePush && isLetThrough(lists.forcePush, pusher))
}

export function canMerge({ settings }: BranchRule, pusher: Pusher): boolean {
  return !pusher.isDeployKey && isLetThrough(settings.lists.merge, pusher)
}

/** Of several rules that match a tag, one that lists the caller is enough. */
export function canChangeTag(rules: readonly TagRule[], tag: string, pusher: Pusher): boolean {
  const matching = rulesOfTag(rules, tag)
  return matching.length === 0 || matching.some((rule) => isListed(rule, pusher))
}

export function isProtectedTag(rules: readonly TagRule[], tag: string): boolean {
  return rulesOfTag(rules, tag).length > 0
}

function rulesOfTag(rules: readonly TagRule[], tag: string): readonly TagRule[] {
  return rules.filter((rule) => tagMatcherOf(rule)(tag))
}

export function isLetThrough(list: Allowlist, pusher: Pusher): boolean {
  if (!list.isEnabled) return true
  return pusher.isDeployKey ? list.deployKeys : isListed(list, pusher)
}

function isListed(
  { accountIds, teamIds }: Pick<Allowlist, 'accountIds' | 'teamIds'>,
  pusher: Pusher,
): boolean {
  if (pusher.isDeployKey) return false
  const isNamed = pusher.accountId !== undefined && accountIds.includes(pusher.accountId)
  return isNamed || teamIds.some((id) => pusher.teamIds.includes(id))
}
