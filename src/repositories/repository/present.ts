import { isIPv6 } from 'node:net'
import type { Config } from '../../platform/config/config.ts'
import { apiUrl, baseHostname, baseUrl } from '../../platform/config/urls.ts'
import { anonymous } from '../../platform/context.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import { presentTeam } from '../../identity/organizations/present.ts'
import { formatTime, UNSET_TIME } from '../../platform/time.ts'
import type { Account } from '../../identity/users/account.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { UserBody } from '../../identity/users/schema.ts'
import { reaches } from '../../platform/access-level.ts'
import { hasAnyAccess, unitLevel } from './access.ts'
import type { MirrorState, PendingTransfer } from './relation-queries.ts'
import type { BaseRepositoryBody, RepositoryBody } from './schema.ts'
import type { PullSettings, Units } from './units.ts'
import type { RepositoryView } from './view.ts'

export interface PresentOptions {
  /** Some answers leave the language out, as in the reference. */
  readonly language?: boolean
}

export function presentRepository(
  config: Config,
  view: RepositoryView,
  options: PresentOptions = {},
): RepositoryBody {
  const body = presentBase(config, view, options)
  const { parent } = view
  // A base that the caller cannot see stays unnamed.
  if (!parent || !hasAnyAccess(parent.access, parent.units)) return body
  return { ...body, parent: presentBase(config, parent, options) }
}

function presentBase(
  config: Config,
  view: RepositoryView,
  { language = false }: PresentOptions,
): BaseRepositoryBody {
  const { repo, owner, units, access } = view
  const path = `${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}`
  const url = `${apiUrl(config)}/repos/${path}`
  const codeLevel = unitLevel(access, view.accessUnits ?? units, 'repo.code')
  return {
    id: repo.id,
    owner: presentOwner(config, view),
    name: repo.name,
    full_name: `${owner.name}/${repo.name}`,
    description: repo.description,
    empty: repo.isEmpty,
    private: repo.isPrivate,
    fork: repo.isFork,
    template: repo.isTemplate,
    mirror: repo.isMirror,
    size: Math.floor(repo.size / 1024),
    language: language ? repo.language : '',
    languages_url: `${url}/languages`,
    html_url: `${baseUrl(config)}/${path}`,
    url,
    link: '',
    ssh_url: sshUrl(config, path),
    clone_url: `${baseUrl(config)}/${path}.git`,
    original_url: repo.originalUrl,
    website: repo.website,
    stars_count: repo.starsCount,
    forks_count: repo.forksCount,
    watchers_count: repo.watchersCount,
    branch_count: repo.branchCount,
    open_issues_count: repo.openIssuesCount,
    open_pr_counter: repo.openPullsCount,
    release_counter: repo.releasesCount,
    default_branch: repo.defaultBranch,
    archived: repo.isArchived,
    created_at: formatTime(repo.createdAt),
    updated_at: formatTime(repo.updatedAt),
    archived_at: formatTime(repo.archivedAt),
    permissions: {
      admin: reaches(access.level, 'admin'),
      push: reaches(codeLevel, 'write'),
      pull: reaches(codeLevel, 'read'),
    },
    ...presentUnits(units),
    ...presentPulls(units.settings('repo.pulls')),
    avatar_url: repo.avatar === '' ? '' : `${baseUrl(config)}/repo-avatars/${repo.avatar}`,
    internal: !repo.isPrivate && owner.visibility === 'private',
    mirror_interval: view.mirror?.interval ?? '',
    object_format_name: repo.objectFormat,
    mirror_updated: view.mirror ? formatTime(view.mirror.updatedAt) : UNSET_TIME,
    mirror_last_sync_at: view.mirror ? formatTime(view.mirror.syncedAt) : UNSET_TIME,
    ...(view.mirror ? { mirror_status: presentMirror(view.mirror, view) } : {}),
    ...(view.transfer ? { repo_transfer: presentTransfer(config, view.transfer) } : {}),
    topics: [...view.topics],
    licenses: [...repo.licenses],
  }
}

/** What the remote said is for those who can do something about it. */
function presentMirror(mirror: MirrorState, { access }: RepositoryView) {
  return {
    state: stateOf(mirror),
    last_error: reaches(access.level, 'admin') ? mirror.lastError : '',
    failures: mirror.failures,
    next_attempt: mirror.nextAt === 0 ? null : formatTime(mirror.nextAt),
    paused: mirror.isPaused,
  }
}

function stateOf(mirror: MirrorState): 'syncing' | 'queued' | 'failing' | 'ok' {
  if (mirror.isWorking()) return 'syncing'
  if (mirror.isQueued) return 'queued'
  return mirror.failures > 0 ? 'failing' : 'ok'
}

/** Both as an anonymous reader sees them. */
function presentTransfer(config: Config, { offeredBy, recipient, teams }: PendingTransfer) {
  return {
    doer: presentUser(config, anonymous, offeredBy),
    recipient: presentUser(config, anonymous, recipient),
    teams: teams.map((team) => presentTeam(team)),
  }
}

/** As anybody sees the account, but with its address for whoever reads the repository. */
function presentOwner(config: Config, { owner, access }: RepositoryView): UserBody {
  const isReadable = reaches(access.level, 'read')
  return isReadable && !owner.hideEmail
    ? withAddress(config)(owner)
    : presentUser(config, anonymous, owner)
}

const withAddress = keptBy((config: Config) =>
  keptBy((owner: Account): UserBody =>
    Object.freeze({ ...presentUser(config, anonymous, owner), email: owner.email }),
  ),
)

/** Both addresses are always there, whether or not the protocol is served. */
export function sshUrl(config: Config, path: string): string {
  const { user, port, host: configured } = config.ssh
  const named = configured || baseHostname(config)
  const host = isIPv6(named) ? `[${named}]` : named
  return port === 22 ? `${user}@${host}:${path}.git` : `ssh://${user}@${host}:${port}/${path}.git`
}

function presentUnits(units: Units) {
  const tracker = units.settings('repo.issues')
  const external = tracker ? undefined : units.settings('repo.ext_issues')
  const wiki = units.has('repo.wiki') ? undefined : units.settings('repo.ext_wiki')
  return {
    has_code: units.has('repo.code'),
    has_issues: tracker !== undefined || external !== undefined,
    ...(tracker
      ? {
          internal_tracker: {
            enable_time_tracker: tracker.timeTracker,
            allow_only_contributors_to_track_time: tracker.onlyContributorsTrackTime,
            enable_issue_dependencies: tracker.dependencies,
          },
        }
      : {}),
    ...(external
      ? {
          external_tracker: {
            external_tracker_url: external.url,
            external_tracker_format: external.format,
            external_tracker_style: external.style,
            external_tracker_regexp_pattern: external.pattern,
          },
        }
      : {}),
    has_wiki: units.has('repo.wiki') || wiki !== undefined,
    ...(wiki ? { external_wiki: { external_wiki_url: wiki.url } } : {}),
    has_pull_requests: units.has('repo.pulls'),
    has_projects: units.has('repo.projects'),
    projects_mode: units.settings('repo.projects')?.mode ?? 'all',
    has_releases: units.has('repo.releases'),
    has_packages: units.has('repo.packages'),
    has_actions: units.has('repo.actions'),
  }
}

/** While the unit is off the contract shows these values. */
const pullsOff: PullSettings = {
  ignoreWhitespaceConflicts: false,
  allowMerge: false,
  allowRebase: false,
  allowRebaseMerge: false,
  allowSquash: false,
  allowFastForwardOnly: false,
  allowManualMerge: true,
  autodetectManualMerge: false,
  allowMergeUpdate: false,
  allowRebaseUpdate: false,
  deleteBranchAfterMerge: false,
  defaultMergeStyle: 'merge',
  defaultUpdateStyle: 'merge',
  allowMaintainerEdit: false,
}

function presentPulls(settings: PullSettings = pullsOff) {
  return {
    ignore_whitespace_conflicts: settings.ignoreWhitespaceConflicts,
    allow_merge_commits: settings.allowMerge,
    allow_rebase: settings.allowRebase,
    allow_rebase_explicit: settings.allowRebaseMerge,
    allow_squash_merge: settings.allowSquash,
    allow_fast_forward_only_merge: settings.allowFastForwardOnly,
    allow_merge_update: settings.allowMergeUpdate,
    allow_rebase_update: settings.allowRebaseUpdate,
    allow_manual_merge: settings.allowManualMerge,
    autodetect_manual_merge: settings.autodetectManualMerge,
    default_delete_branch_after_merge: settings.deleteBranchAfterMerge,
    default_merge_style: settings.defaultMergeStyle,
    default_update_style: settings.defaultUpdateStyle,
    default_allow_maintainer_edit: settings.allowMaintainerEdit,
  }
}
