import type { Static } from 'typebox'
import type { RepositoryEdit } from './edit.ts'
import type { UnitsEdit } from './edit-units.ts'
import type { EditRepoOption } from './schema.ts'
import type { ExternalTracker, TrackerSettings } from './units.ts'

type Body = Static<typeof EditRepoOption>

/** From the wire to what the operation takes. */
export function readEdit(body: Body): RepositoryEdit {
  return {
    basic: {
      name: body.name,
      description: body.description,
      website: body.website,
      isPrivate: body.private,
      isTemplate: body.template,
      defaultBranch: body.default_branch,
    },
    units: readUnits(body),
    archived: body.archived,
    mirror: {
      interval: body.mirror_interval,
      enablePrune: body.enable_prune,
      credentials: {
        username: body.mirror_username,
        password: body.mirror_password,
        token: body.mirror_token,
      },
    },
  }
}

function readUnits(body: Body): UnitsEdit {
  return {
    hasCode: body.has_code,
    hasIssues: body.has_issues,
    internalTracker: body.internal_tracker && readTracker(body.internal_tracker),
    externalTracker: body.external_tracker && readExternalTracker(body.external_tracker),
    hasWiki: body.has_wiki,
    externalWiki: body.external_wiki && { url: body.external_wiki.external_wiki_url ?? '' },
    hasPullRequests: body.has_pull_requests,
    pulls: readPulls(body),
    hasProjects: body.has_projects,
    projectsMode: body.projects_mode,
    hasReleases: body.has_releases,
    hasPackages: body.has_packages,
    hasActions: body.has_actions,
  }
}

/** What is missing inside the object is false. */
function readTracker(tracker: NonNullable<Body['internal_tracker']>): TrackerSettings {
  return {
    timeTracker: tracker.enable_time_tracker ?? false,
    onlyContributorsTrackTime: tracker.allow_only_contributors_to_track_time ?? false,
    dependencies: tracker.enable_issue_dependencies ?? false,
  }
}

function readExternalTracker(tracker: NonNullable<Body['external_tracker']>): ExternalTracker {
  return {
    url: tracker.external_tracker_url ?? '',
    format: tracker.external_tracker_format ?? '',
    style: tracker.external_tracker_style ?? '',
    pattern: tracker.external_tracker_regexp_pattern ?? '',
  }
}

function readPulls(body: Body): UnitsEdit['pulls'] {
  return {
    ignoreWhitespaceConflicts: body.ignore_whitespace_conflicts,
    allowMerge: body.allow_merge_commits,
    allowRebase: body.allow_rebase,
    allowRebaseMerge: body.allow_rebase_explicit,
    allowSquash: body.allow_squash_merge,
    allowFastForwardOnly: body.allow_fast_forward_only_merge,
    allowManualMerge: body.allow_manual_merge,
    autodetectManualMerge: body.autodetect_manual_merge,
    allowMergeUpdate: body.allow_merge_update,
    allowRebaseUpdate: body.allow_rebase_update,
    deleteBranchAfterMerge: body.default_delete_branch_after_merge,
    defaultMergeStyle: body.default_merge_style,
    defaultUpdateStyle: body.default_update_style,
    allowMaintainerEdit: body.default_allow_maintainer_edit,
  }
}
