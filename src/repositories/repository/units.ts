import type { Config } from '../../platform/config/config.ts'
import { unitKeys, type UnitKey } from '../../platform/units.ts'

export interface TrackerSettings {
  readonly timeTracker: boolean
  readonly onlyContributorsTrackTime: boolean
  readonly dependencies: boolean
}

export interface ExternalTracker {
  readonly url: string
  readonly format: string
  readonly style: string
  readonly pattern: string
}

interface ExternalWiki {
  readonly url: string
}

export interface PullSettings {
  readonly ignoreWhitespaceConflicts: boolean
  readonly allowMerge: boolean
  readonly allowRebase: boolean
  readonly allowRebaseMerge: boolean
  readonly allowSquash: boolean
  readonly allowFastForwardOnly: boolean
  readonly allowManualMerge: boolean
  readonly autodetectManualMerge: boolean
  readonly allowMergeUpdate: boolean
  readonly allowRebaseUpdate: boolean
  readonly deleteBranchAfterMerge: boolean
  readonly defaultMergeStyle: string
  readonly defaultUpdateStyle: string
  readonly allowMaintainerEdit: boolean
}

interface ProjectsSettings {
  readonly mode: string
}

export interface UnitSettings {
  'repo.code': object
  'repo.issues': TrackerSettings
  'repo.pulls': PullSettings
  'repo.releases': object
  'repo.wiki': object
  'repo.ext_wiki': ExternalWiki
  'repo.ext_issues': ExternalTracker
  'repo.projects': ProjectsSettings
  'repo.packages': object
  'repo.actions': object
}

/** The units that are on, with their settings. */
export class Units {
  readonly #settings: ReadonlyMap<UnitKey, unknown>

  constructor(settings: ReadonlyMap<UnitKey, unknown>) {
    this.#settings = settings
  }

  has(unit: UnitKey): boolean {
    return this.#settings.has(unit)
  }

  settings<Unit extends UnitKey>(unit: Unit): UnitSettings[Unit] | undefined {
    return this.#settings.get(unit) as UnitSettings[Unit] | undefined
  }

  entries(): Iterable<[UnitKey, unknown]> {
    return this.#settings
  }
}

/** A new repository's pull requests. */
function newPullSettings({ repositories }: Config): PullSettings {
  return {
    ...pullDefaults,
    deleteBranchAfterMerge: repositories.delete_branch_after_merge,
    defaultMergeStyle: repositories.default_merge_style,
  }
}

const pullDefaults: PullSettings = {
  ignoreWhitespaceConflicts: false,
  allowMerge: true,
  allowRebase: true,
  allowRebaseMerge: true,
  allowSquash: true,
  allowFastForwardOnly: true,
  allowManualMerge: false,
  autodetectManualMerge: false,
  allowMergeUpdate: true,
  allowRebaseUpdate: true,
  deleteBranchAfterMerge: false,
  defaultMergeStyle: 'merge',
  defaultUpdateStyle: 'merge',
  allowMaintainerEdit: true,
}

/** What the contract starts from when the unit is switched on again by an edit. */
export const reenabledPullSettings: PullSettings = {
  ...pullDefaults,
  allowManualMerge: true,
  allowMaintainerEdit: false,
}

/**
 * What the contract starts from when the tracker is switched on again, whatever new repositories
 * begin with.
 */
export const reenabledTracker: TrackerSettings = {
  timeTracker: true,
  onlyContributorsTrackTime: true,
  dependencies: true,
}

function newTrackerSettings({ repositories }: Config): TrackerSettings {
  return {
    timeTracker: repositories.time_tracking,
    onlyContributorsTrackTime: repositories.only_contributors_track_time,
    dependencies: repositories.issue_dependencies,
  }
}

/** The units of a new repository: those of `names` that the server has. */
export function newUnits(config: Config, names: readonly string[]): Units {
  const settings = new Map<UnitKey, unknown>()
  for (const unit of unitKeys) {
    if (names.includes(unit) && isUnitAvailable(config, unit))
      settings.set(unit, settingsOfNew(config, unit))
  }
  return new Units(settings)
}

export function isUnitAvailable({ repositories }: Config, unit: UnitKey): boolean {
  return !repositories.disabled_units.includes(unit)
}

/** What is stored of a unit that the server does not have stays there, in case it has it again. */
export function availableUnits(config: Config, units: Units): Units {
  if (config.repositories.disabled_units.length === 0) return units
  return new Units(new Map([...units.entries()].filter(([unit]) => isUnitAvailable(config, unit))))
}

function settingsOfNew(config: Config, unit: UnitKey): unknown {
  if (unit === 'repo.issues') return newTrackerSettings(config)
  if (unit === 'repo.pulls') return newPullSettings(config)
  if (unit === 'repo.projects') return { mode: 'all' } satisfies ProjectsSettings
  return {}
}
