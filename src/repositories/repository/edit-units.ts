import { linearEngine } from '../../platform/parsing/expressions.ts'
import type { Config } from '../../platform/config/config.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { invalid } from '../../platform/errors.ts'
import { kindOfAddress } from '../../platform/network/ranges.ts'
import { deleteUnits, findUnits, upsertUnit } from './unit-queries.ts'
import type { Repository } from './repository.ts'
import {
  isUnitAvailable,
  reenabledPullSettings,
  reenabledTracker,
  type ExternalTracker,
  type PullSettings,
  type TrackerSettings,
  type Units,
} from './units.ts'
import { type UnitKey } from '../../platform/units.ts'

/** What an edit says about units; `undefined` says nothing. */
export interface UnitsEdit {
  readonly hasCode?: boolean | undefined
  readonly hasIssues?: boolean | undefined
  readonly internalTracker?: TrackerSettings | undefined
  readonly externalTracker?: ExternalTracker | undefined
  readonly hasWiki?: boolean | undefined
  readonly externalWiki?: { readonly url: string } | undefined
  readonly hasPullRequests?: boolean | undefined
  readonly pulls: { readonly [Key in keyof PullSettings]?: PullSettings[Key] | undefined }
  readonly hasProjects?: boolean | undefined
  readonly projectsMode?: string | undefined
  readonly hasReleases?: boolean | undefined
  readonly hasPackages?: boolean | undefined
  readonly hasActions?: boolean | undefined
}

/** Units to switch on, or to give other settings, and units to switch off. */
interface Plan {
  readonly on: Map<UnitKey, object>
  readonly off: Set<UnitKey>
}

/**
 * Checks everything, then writes all of it, on what is there then: edits of different settings at
 * the same moment are all kept.
 */
export async function editUnits(
  ctx: Context,
  tx: Executor,
  repo: Repository,
  edit: UnitsEdit,
): Promise<void> {
  if (!mentionsUnits(edit)) return
  await lock(ctx.db.dialect, tx, 'repository', repo.id)
  const units = (await findUnits(tx, [repo.id])).get(repo.id)
  if (!units) return
  await applyPlan(ctx, tx, repo, planUnits(ctx.config, units, edit))
  const concerned = { repositoryId: repo.id }
  if (edit.hasActions !== undefined) await ctx.jobs.enqueue(tx, 'detect_schedules', concerned)
  // What contradicted before may not do so any more.
  if (edit.pulls.ignoreWhitespaceConflicts !== undefined) {
    await ctx.jobs.enqueue(tx, 'check_pulls', concerned)
  }
}

export function mentionsUnits({ pulls, ...rest }: UnitsEdit): boolean {
  return isSaid(rest) || isSaid(pulls)
}

function isSaid(fields: object): boolean {
  return Object.values(fields).some((value) => value !== undefined)
}

function planUnits(config: Config, units: Units, edit: UnitsEdit): Plan {
  const plan: Plan = { on: new Map(), off: new Set() }
  planIssues(config, plan, units, edit)
  planWiki(config, plan, edit)
  planPulls(config, plan, units, edit)
  planProjects(plan, units, edit)
  planSwitch(plan, 'repo.code', edit.hasCode)
  planSwitch(plan, 'repo.releases', edit.hasReleases)
  planSwitch(plan, 'repo.packages', edit.hasPackages)
  planSwitch(plan, 'repo.actions', edit.hasActions)
  return plan
}

async function applyPlan(
  ctx: Context,
  tx: Executor,
  repo: Repository,
  { on, off }: Plan,
): Promise<void> {
  await deleteUnits(
    tx,
    repo.id,
    [...off].filter((unit) => isUnitAvailable(ctx.config, unit)),
  )
  for (const [unit, settings] of on) {
    if (isUnitAvailable(ctx.config, unit)) await upsertUnit(tx, repo.id, unit, settings)
  }
}

function planSwitch(plan: Plan, unit: UnitKey, wanted: boolean | undefined): void {
  if (wanted === true) plan.on.set(unit, {})
  if (wanted === false) plan.off.add(unit)
}

function planIssues(config: Config, plan: Plan, units: Units, edit: UnitsEdit): void {
  if (edit.hasIssues === undefined) return
  if (!edit.hasIssues) {
    plan.off.add('repo.issues').add('repo.ext_issues')
    return
  }
  if (edit.externalTracker) {
    if (!isUnitAvailable(config, 'repo.ext_issues')) return
    assertTracker(config, edit.externalTracker)
    plan.on.set('repo.ext_issues', edit.externalTracker)
    plan.off.add('repo.issues')
    return
  }
  if (!isUnitAvailable(config, 'repo.issues')) return
  const settings = edit.internalTracker ?? units.settings('repo.issues') ?? reenabledTracker
  plan.on.set('repo.issues', settings)
  plan.off.add('repo.ext_issues')
}

function planWiki(config: Config, plan: Plan, edit: UnitsEdit): void {
  if (edit.hasWiki === undefined) return
  if (!edit.hasWiki) {
    plan.off.add('repo.wiki').add('repo.ext_wiki')
    return
  }
  if (edit.externalWiki) {
    if (!isUnitAvailable(config, 'repo.ext_wiki')) return
    if (!isExternalUrl(config, edit.externalWiki.url))
      throw invalid('Invalid external wiki URL', { reason: 'wiki_url_invalid' })
    plan.on.set('repo.ext_wiki', edit.externalWiki)
    plan.off.add('repo.wiki')
    return
  }
  if (!isUnitAvailable(config, 'repo.wiki')) return
  plan.on.set('repo.wiki', {})
  plan.off.add('repo.ext_wiki')
}

/** Settings without the unit itself count only while it is on. */
function planPulls(
  config: Config,
  plan: Plan,
  units: Units,
  { hasPullRequests, pulls }: UnitsEdit,
): void {
  if (!isUnitAvailable(config, 'repo.pulls')) return
  if (hasPullRequests === false) {
    plan.off.add('repo.pulls')
    return
  }
  const existing = units.settings('repo.pulls')
  const given = Object.fromEntries(Object.entries(pulls).filter(([, value]) => value !== undefined))
  if (!hasPullRequests && (!existing || Object.keys(given).length === 0)) return
  const settings = { ...(existing ?? reenabledPullSettings), ...(given as Partial<PullSettings>) }
  if (changesUpdateStyles(given)) assertUpdateStyles(settings)
  plan.on.set('repo.pulls', settings)
}

function changesUpdateStyles(given: Partial<PullSettings>): boolean {
  return (['allowMergeUpdate', 'allowRebaseUpdate', 'defaultUpdateStyle'] as const).some(
    (key) => key in given,
  )
}

function assertUpdateStyles(settings: PullSettings): void {
  const allowed: Record<string, boolean> = {
    merge: settings.allowMergeUpdate,
    rebase: settings.allowRebaseUpdate,
  }
  const style = settings.defaultUpdateStyle
  if (!Object.hasOwn(allowed, style))
    throw badUpdateStyle('default update style must be merge or rebase')
  if (!settings.allowMergeUpdate && !settings.allowRebaseUpdate) {
    throw badUpdateStyle('at least one pull request branch update style must be enabled')
  }
  if (!allowed[style]) throw badUpdateStyle('default update style must be enabled')
}

function badUpdateStyle(message: string): Error {
  return invalid(message, { reason: 'update_style_invalid' })
}

function planProjects(plan: Plan, units: Units, { hasProjects, projectsMode }: UnitsEdit): void {
  if (hasProjects === false) plan.off.add('repo.projects')
  if (!hasProjects) return
  const mode = projectsMode || units.settings('repo.projects')?.mode || 'all'
  plan.on.set('repo.projects', { mode })
}

function assertTracker(config: Config, { url, format, pattern }: ExternalTracker): void {
  if (!isExternalUrl(config, url))
    throw invalid('External tracker URL not valid', { reason: 'tracker_url_invalid' })
  if (format !== '' && !isTrackerFormat(config, format)) {
    throw invalid('External tracker URL format not valid', { reason: 'tracker_format_invalid' })
  }
  if (pattern !== '' && !compiles(pattern))
    throw invalid('invalid external tracker regexp pattern', { reason: 'tracker_pattern_invalid' })
}

/** http or https, and really elsewhere: neither this machine nor an address of our own API. */
function isExternalUrl(config: Config, text: string): boolean {
  // A parser would mend blanks, backslashes and a missing host, but the text is stored as it is.
  if (!/^https?:\/\/[^\s/?#\\]+(?:[/?#]|$)/i.test(text) || /\p{Cc}/u.test(text)) return false
  // Any digits are a port by the contract, so the parser does not get to see them.
  const url = URL.parse(text.replace(/^([^/]*\/\/[^/?#]*?):\d+(?=[/?#]|$)/, '$1'))
  if (!url || url.hostname === '') return false
  if (isThisMachine(url.hostname)) return false
  return !text.toLowerCase().startsWith(`${baseUrl(config)}/api`.toLowerCase())
}

function isThisMachine(host: string): boolean {
  return /^localhost\.?$/i.test(host) || kindOfAddress(host.replace(/^\[|\]$/g, '')) === 'loopback'
}

/** Each of the words stands in both braces or in none. */
function isTrackerFormat(config: Config, format: string): boolean {
  if (!isExternalUrl(config, format)) return false
  return [...format.matchAll(/(\{?)(user|repo|index)(\}?)/g)].every(
    ([, open, , close]) => (open === '') === (close === ''),
  )
}

/** Only what a linear-time engine can run is stored. */
function compiles(pattern: string): boolean {
  if (pattern.length > 256) return false
  try {
    linearEngine().compile(pattern)
    return true
  } catch {
    return false
  }
}
