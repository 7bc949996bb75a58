import { bind } from '../../platform/http/binding.ts'
import { mergeStyles } from '../../collaboration/pulls/merge-style.ts'
import { editRepository } from '../../repositories/repository/edit.ts'
import { readEdit } from '../../repositories/repository/read-edit.ts'
import { EditRepoOption } from '../../repositories/repository/schema.ts'
import {
  isUnitAvailable,
  reenabledPullSettings,
  type Units,
} from '../../repositories/repository/units.ts'
import { type UnitKey } from '../../platform/units.ts'
import { FormFields, formOfValues, type Choice, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { inSection, saved } from './section.ts'

/** Units that are on or off, and nothing more. */
const switches = {
  has_code: ['repo.code', 'Code', 'Files, branches and commits.'],
  has_releases: ['repo.releases', 'Releases', 'Versions with notes and files.'],
  has_projects: ['repo.projects', 'Projects', 'Boards that order issues.'],
  has_packages: ['repo.packages', 'Packages', 'What is built from the code.'],
  has_actions: ['repo.actions', 'Actions', 'Workflows that run by themselves.'],
} as const satisfies Readonly<Record<string, readonly [UnitKey, string, string]>>

const trackerChecks = {
  enable_time_tracker: 'Track time',
  allow_only_contributors_to_track_time: 'Only those who write issues track time',
  enable_issue_dependencies: 'Issues may depend on each other',
} as const

const pullChecks = {
  allow_merge_commits: 'Merge with a merge commit',
  allow_rebase: 'Rebase, then fast-forward',
  allow_rebase_explicit: 'Rebase, then a merge commit',
  allow_squash_merge: 'Squash into one commit',
  allow_fast_forward_only_merge: 'Fast-forward only',
  allow_manual_merge: 'Mark as merged by hand',
  autodetect_manual_merge: 'Notice merges made by hand',
  allow_merge_update: 'Update a branch by merging its base',
  allow_rebase_update: 'Update a branch by rebasing it',
  default_delete_branch_after_merge: 'Delete the branch after a merge',
  default_allow_maintainer_edit: 'Let maintainers push to the branch',
  ignore_whitespace_conflicts: 'White space alone is no conflict',
} as const

const styleLabels: Readonly<Record<string, string>> = {
  merge: 'Merge commit',
  rebase: 'Rebase',
  'rebase-merge': 'Rebase with a merge commit',
  squash: 'Squash',
  'fast-forward-only': 'Fast-forward',
  'manually-merged': 'By hand',
}

const places: readonly Choice[] = [
  { value: 'here', label: 'Here' },
  { value: 'elsewhere', label: 'Elsewhere' },
  { value: 'off', label: 'Off' },
]

const trackerStyles: readonly Choice[] = [
  { value: 'numeric', label: 'Numbers' },
  { value: 'alphanumeric', label: 'Letters and numbers' },
  { value: 'regexp', label: 'As an expression says' },
]

const explanations: Explanations = {
  tracker_format_invalid: {
    field: 'external_tracker_format',
    message: 'This is no address with {user}, {repo} and {index}.',
  },
  tracker_url_invalid: {
    field: 'external_tracker_url',
    message: 'This is no address of another server.',
  },
  tracker_pattern_invalid: {
    field: 'external_tracker_regexp_pattern',
    message: 'This is no expression that can be used.',
  },
  wiki_url_invalid: {
    field: 'external_wiki_url',
    message: 'This is no address of another server.',
  },
  update_style_invalid: {
    field: 'default_update_style',
    message: 'Choose a way that is allowed above.',
  },
}

export async function showFeatures(visit: Visit, state?: FormState): Promise<InShell> {
  const { config } = visit.ctx
  const fields = new FormFields(state ?? { form: formOfUnits(visit.view.units) })
  const shown = Object.entries(switches).filter(([, [unit]]) => isUnitAvailable(config, unit))
  return inSection(
    visit,
    'features',
    html`
<h2>Features</h2>
${fields.complaint}
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/features')}">
${shown.map(([name, [, label, hint]]) => fields.check(name, label, { hint }))}
${isUnitAvailable(config, 'repo.issues') && renderIssues(fields)}
${isUnitAvailable(config, 'repo.wiki') && renderWiki(fields)}
${isUnitAvailable(config, 'repo.pulls') && renderPulls(fields)}
<button class="button main" type="submit">Save</button>
</form>`,
  )
}

function renderIssues(fields: FormFields): Html {
  return html`
<fieldset><legend>Issues</legend>
${fields.select('issues', 'Where issues are kept', places)}
${renderChecks(fields, trackerChecks)}
<details${fields.value('issues') === 'elsewhere' && html` open`}><summary>Where they are, if elsewhere</summary>
${fields.text('external_tracker_url', 'Address of the list', { optional: true })}
${fields.text('external_tracker_format', 'Address of one issue', { optional: true, hint: 'With {user}, {repo} and {index} in it.' })}
${fields.select('external_tracker_style', 'How issues are named', trackerStyles)}
${fields.text('external_tracker_regexp_pattern', 'Expression', { optional: true })}
</details>
</fieldset>`
}

function renderWiki(fields: FormFields): Html {
  return html`
<fieldset><legend>Wiki</legend>
${fields.select('wiki', 'Where the wiki is', places)}
<details${fields.value('wiki') === 'elsewhere' && html` open`}><summary>Where it is, if elsewhere</summary>
${fields.text('external_wiki_url', 'Address of the wiki', { optional: true })}
</details>
</fieldset>`
}

function renderPulls(fields: FormFields): Html {
  const styles = mergeStyles.map((value) => ({ value, label: styleLabels[value] ?? value }))
  return html`
<fieldset><legend>Pull requests</legend>
${fields.check('has_pull_requests', 'Pull requests', { hint: 'Changes that are looked at before they are merged.' })}
${renderChecks(fields, pullChecks)}
${fields.select('default_merge_style', 'How one merges unless told otherwise', styles)}
${fields.select(
  'default_update_style',
  'How a branch is updated unless told otherwise',
  styles.slice(0, 2),
)}
</fieldset>`
}

function renderChecks(fields: FormFields, checks: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(checks).map(([name, label]) => fields.check(name, label))}`
}

function formOfUnits(units: Units): URLSearchParams {
  const on = Object.entries(switches).map(([name, [unit]]) => [name, units.has(unit)] as const)
  return formOfValues({
    ...Object.fromEntries(on),
    ...trackerValues(units),
    wiki: placeOf(units, 'repo.wiki', 'repo.ext_wiki'),
    external_wiki_url: units.settings('repo.ext_wiki')?.url ?? '',
    has_pull_requests: units.has('repo.pulls'),
    ...pullValues(units),
  })
}

function placeOf(units: Units, here: UnitKey, elsewhere: UnitKey): string {
  if (units.has(here)) return 'here'
  return units.has(elsewhere) ? 'elsewhere' : 'off'
}

function trackerValues(units: Units): Record<string, string | boolean> {
  const own = units.settings('repo.issues')
  const other = units.settings('repo.ext_issues')
  return {
    issues: placeOf(units, 'repo.issues', 'repo.ext_issues'),
    enable_time_tracker: own?.timeTracker ?? true,
    allow_only_contributors_to_track_time: own?.onlyContributorsTrackTime ?? true,
    enable_issue_dependencies: own?.dependencies ?? true,
    external_tracker_url: other?.url ?? '',
    external_tracker_format: other?.format ?? '',
    external_tracker_style: other?.style ?? '',
    external_tracker_regexp_pattern: other?.pattern ?? '',
  }
}

function pullValues(units: Units): Record<string, string | boolean> {
  const pulls = units.settings('repo.pulls') ?? reenabledPullSettings
  return {
    allow_merge_commits: pulls.allowMerge,
    allow_rebase: pulls.allowRebase,
    allow_rebase_explicit: pulls.allowRebaseMerge,
    allow_squash_merge: pulls.allowSquash,
    allow_fast_forward_only_merge: pulls.allowFastForwardOnly,
    allow_manual_merge: pulls.allowManualMerge,
    autodetect_manual_merge: pulls.autodetectManualMerge,
    allow_merge_update: pulls.allowMergeUpdate,
    allow_rebase_update: pulls.allowRebaseUpdate,
    default_delete_branch_after_merge: pulls.deleteBranchAfterMerge,
    default_allow_maintainer_edit: pulls.allowMaintainerEdit,
    ignore_whitespace_conflicts: pulls.ignoreWhitespaceConflicts,
    default_merge_style: pulls.defaultMergeStyle,
    default_update_style: pulls.defaultUpdateStyle,
  }
}

export async function editFeatures(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  try {
    await editRepository(ctx, viewer, view, readEdit(bind(EditRepoOption, bodyOf(form))))
  } catch (error) {
    return showFeatures(submitted, { form, problem: problemOf(error, explanations) })
  }
  return saved(submitted, 'features')
}

/** What the form says, as the API has it. */
function bodyOf(form: URLSearchParams): Record<string, unknown> {
  const isOn = (name: string) => form.get(name) === 'true'
  const textOf = (name: string) => form.get(name) ?? ''
  const ticked = (names: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, isOn(name)]))
  const texts = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, textOf(name)]))
  return {
    ...ticked(switches),
    has_issues: textOf('issues') !== 'off',
    internal_tracker: ticked(trackerChecks),
    ...(textOf('issues') === 'elsewhere' && { external_tracker: texts(trackerFields) }),
    has_wiki: textOf('wiki') !== 'off',
    ...(textOf('wiki') === 'elsewhere' && { external_wiki: texts(['external_wiki_url']) }),
    has_pull_requests: isOn('has_pull_requests'),
    ...(isOn('has_pull_requests') && {
      ...ticked(pullChecks),
      ...texts(['default_merge_style', 'default_update_style']),
    }),
  }
}

const trackerFields = [
  'external_tracker_url',
  'external_tracker_format',
  'external_tracker_style',
  'external_tracker_regexp_pattern',
]
