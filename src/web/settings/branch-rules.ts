import { bind } from '../../platform/http/binding.ts'
import { readInteger } from '../../platform/http/query.ts'
import {
  createBranchRule,
  editBranchRule,
  loadBranchRule,
  loadBranchRules,
  orderBranchRules,
  removeBranchRule,
} from '../../code/protection/branch-rules.ts'
import { presentBranchRules, readBranchRuleEdit } from '../../code/protection/present.ts'
import type { BranchRule } from '../../code/protection/rule.ts'
import { CreateBranchProtectionOption } from '../../code/protection/schema.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { counted } from '../figures.ts'
import { FormFields, linesIn, wordsIn, type FormState } from '../forms/fields.ts'
import { renderMoves } from '../forms/moves.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { ruleProblem } from './protection.ts'
import { inSection, saved } from './section.ts'

const reviewChecks = {
  dismiss_stale_approvals: 'New commits take approvals away',
  ignore_stale_approvals: 'Approvals of older commits do not count',
  block_on_rejected_reviews: 'Not while somebody asks for changes',
  block_on_official_review_requests: 'Not while a review is asked for',
  block_on_codeowner_reviews: 'Not without the owners of the code',
} as const

const otherChecks = {
  block_on_outdated_branch: 'Only branches that have the latest commits',
  require_signed_commits: 'Only signed commits',
  block_admin_merge_override: 'Administrators are held to this too',
} as const

/** Lists of who may, by the name of their switch; not all of them know deploy keys. */
const lists = [
  {
    name: 'enable_push_whitelist',
    label: 'Only these push',
    people: 'push_whitelist_usernames',
    teams: 'push_whitelist_teams',
    keys: 'push_whitelist_deploy_keys',
  },
  {
    name: 'enable_force_push_allowlist',
    label: 'Only these force-push',
    people: 'force_push_allowlist_usernames',
    teams: 'force_push_allowlist_teams',
    keys: 'force_push_allowlist_deploy_keys',
  },
  {
    name: 'enable_merge_whitelist',
    label: 'Only these merge',
    people: 'merge_whitelist_usernames',
    teams: 'merge_whitelist_teams',
  },
  {
    name: 'enable_approvals_whitelist',
    label: 'Only approvals of these count',
    people: 'approvals_whitelist_username',
    teams: 'approvals_whitelist_teams',
  },
  {
    name: 'enable_bypass_allowlist',
    label: 'These are not held to the rule',
    people: 'bypass_allowlist_usernames',
    teams: 'bypass_allowlist_teams',
  },
] as const

const checks: readonly string[] = [
  'enable_push',
  'enable_force_push',
  'enable_status_check',
  ...Object.keys(reviewChecks),
  ...Object.keys(otherChecks),
  ...lists.flatMap((list) => ('keys' in list ? [list.name, list.keys] : [list.name])),
]

const warning = 'Branches that only this rule protects are then open to everybody who may write.'

/** Which branches are protected, and how. */
export async function showBranchRules(visit: Visit): Promise<InShell> {
  const rules = await loadBranchRules(visit.ctx, visit.view.repo)
  const path = pathTo(visit, 'settings/branches')
  const hasOrder = rules.length > 1 && !visit.view.repo.isArchived
  const rows = rules.map((rule, index) => ({
    title: rule.name,
    about: describeRule(rule),
    action: html`${hasOrder && renderRuleMoves(path, rule, index + 1, rules.length)}<a class="button" href="${path}/edit?name=${encodeURIComponent(rule.name)}">Edit</a>${renderLoss(`${path}/delete`, { name: rule.name, warning }, { rule: rule.name })}`,
  }))
  return inSection(
    visit,
    'branches',
    html`
<h2>Protected branches</h2>
<p class="lede">A rule says who may push to a branch and what has to be so before something is merged into it. One that names a branch counts before patterns; of these, the first that fits.</p>
${renderRows(rows, 'No branch is protected: whoever may write pushes to all of them.')}
<p><a class="button main" href="${path}/new">New rule</a></p>`,
  )
}

function renderRuleMoves(
  path: string,
  { name }: BranchRule,
  position: number,
  count: number,
): Html {
  return renderMoves({ action: `${path}/order`, name, position, count, values: { rule: name } })
}

function describeRule({ settings }: BranchRule): string {
  const { canPush, lists: allowed, requiredApprovals, checksStatus } = settings
  const pushes = canPush ? (allowed.push.isEnabled ? 'some push' : 'writers push') : 'nobody pushes'
  return [
    pushes,
    ...(requiredApprovals > 0 ? [counted(requiredApprovals, 'approval')] : []),
    ...(checksStatus ? ['checks have to succeed'] : []),
  ].join(' · ')
}

export async function showNewRule(visit: Visit): Promise<InShell> {
  return renderRule(visit, '', { form: new URLSearchParams({ required_approvals: '0' }) })
}

export async function showRule(visit: Visit): Promise<InShell> {
  const { ctx, view, query } = visit
  const rule = await loadBranchRule(ctx, view.repo, query.text('name') ?? '')
  const [body = {}] = await presentBranchRules(ctx, view.repo, [rule])
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) {
    const separator = name === 'status_check_contexts' ? '\n' : ' '
    form.set(name, Array.isArray(value) ? value.join(separator) : String(value))
  }
  return renderRule(visit, rule.name, { form })
}

/** `rule` is the name of the one that is edited, empty for a new one. */
function renderRule(visit: Visit, rule: string, state: FormState): InShell {
  const fields = new FormFields(state)
  const what = rule === '' ? 'New rule' : `Rule for ${rule}`
  return inSection(
    visit,
    'branches',
    html`
<h2>${what}</h2>
${fields.complaint}
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/branches')}">
<input type="hidden" name="rule" value="${rule}">
${rule === '' && fields.text('rule_name', 'Branch', { hint: 'Its name, or a pattern such as release/*.' })}
<fieldset><legend>Pushing</legend>
${fields.check('enable_push', 'Whoever may write pushes', { hint: 'Otherwise changes come by pull requests alone.' })}
${renderList(visit, fields, lists[0])}
${fields.check('enable_force_push', 'They may force-push')}
${renderList(visit, fields, lists[1])}
</fieldset>
<fieldset><legend>Merging</legend>
${renderList(visit, fields, lists[2])}
${fields.text('required_approvals', 'Approvals that are needed', { type: 'number' })}
${renderList(visit, fields, lists[3])}
${renderChecks(fields, reviewChecks)}
${fields.check('enable_status_check', 'Checks have to succeed')}
${fields.area('status_check_contexts', 'Names of these checks', { hint: 'One on each line; patterns are allowed.' })}
</fieldset>
<fieldset><legend>More</legend>
${renderChecks(fields, otherChecks)}
${renderList(visit, fields, lists[4])}
${fields.text('protected_file_patterns', 'Files that nobody changes', { optional: true, hint: 'Patterns, parted by semicolons.' })}
${fields.text('unprotected_file_patterns', 'Files that everybody who may write changes', { optional: true, hint: 'Patterns, parted by semicolons.' })}
</fieldset>
<button class="button main" type="submit">Save</button>
</form>`,
    what,
  )
}

function renderChecks(fields: FormFields, named: Readonly<Record<string, string>>): Html {
  return html`${Object.entries(named).map(([name, label]) => fields.check(name, label))}`
}

function renderList({ view }: Visit, fields: FormFields, list: (typeof lists)[number]): Html {
  const isOpen = fields.value(list.name) === 'true'
  return html`
<details${isOpen && html` open`}><summary>${list.label}</summary>
${fields.check(list.name, 'This list counts')}
${fields.text(list.people, 'People', { optional: true, hint: 'Their names, with blanks between them.' })}
${view.owner.kind === 'organization' && fields.text(list.teams, 'Teams', { optional: true })}
${'keys' in list && fields.check(list.keys, 'Deploy keys that write')}
</details>`
}

export async function saveRule(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  assertNotArchived(view)
  const rule = form.get('rule') ?? ''
  try {
    const body = bind(CreateBranchProtectionOption, bodyOf(form))
    const edit = readBranchRuleEdit(body)
    if (rule === '') await createBranchRule(ctx, view.repo, body.rule_name ?? '', edit)
    else await editBranchRule(ctx, view.repo, await loadBranchRule(ctx, view.repo, rule), edit)
  } catch (error) {
    return renderRule(submitted, rule, { form, problem: ruleProblem(error, 'rule_name') })
  }
  return saved(submitted, 'branches')
}

/** What the form says, as the API has it. */
function bodyOf(form: URLSearchParams): Record<string, unknown> {
  const isOn = (name: string) => [name, form.get(name) === 'true'] as const
  const textOf = (name: string) => [name, form.get(name) ?? ''] as const
  const namesIn = (name: string) => [name, wordsIn(form, name)] as const
  return {
    ...Object.fromEntries(checks.map(isOn)),
    ...Object.fromEntries(lists.flatMap(({ people, teams }) => [namesIn(people), namesIn(teams)])),
    ...Object.fromEntries(texts.map(textOf)),
    status_check_contexts: linesIn(form, 'status_check_contexts'),
    required_approvals: Number(form.get('required_approvals') || 0),
  }
}

const texts = ['rule_name', 'protected_file_patterns', 'unprotected_file_patterns']

/** A rule of an archive can be removed, too, as in the API. */
export async function dropRule(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  await removeBranchRule(ctx, view.repo, form.get('rule') ?? '')
  return saved(submitted, 'branches')
}

export async function moveRule(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  assertNotArchived(view)
  const moved = await loadBranchRule(ctx, view.repo, form.get('rule') ?? '')
  const others = (await loadBranchRules(ctx, view.repo)).filter(({ id }) => id !== moved.id)
  const index = Math.max(0, readInteger(form.get('position') ?? '') - 1)
  const ids = others.map(({ id }) => id).toSpliced(index, 0, moved.id)
  await orderBranchRules(ctx, view.repo, ids)
  return saved(submitted, 'branches')
}
