import { bind } from '../../platform/http/binding.ts'
import { readInteger } from '../../platform/http/query.ts'
import { presentTagRules, readTagRuleEdit } from '../../code/protection/present.ts'
import { CreateTagProtectionOption } from '../../code/protection/schema.ts'
import {
  createTagRule,
  editTagRule,
  loadTagRule,
  loadTagRules,
  removeTagRule,
} from '../../code/protection/tag-rules.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { FormFields, formOfValues, wordsIn, type FormState } from '../forms/fields.ts'
import type { Explanations } from '../forms/problem.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { ruleProblem } from './protection.ts'
import { inSection, saved } from './section.ts'

const explanations: Explanations = {
  nobody_named: { field: 'whitelist_usernames', message: 'Name somebody who may make them.' },
}

const warning =
  'Tags that only this rule protects are then made, moved and deleted by everybody who may write.'

/** Which tags are left to some. */
export async function showTagRules(visit: Visit, state?: FormState): Promise<InShell> {
  const { ctx, view } = visit
  const path = pathTo(visit, 'settings/tags')
  const rules = await presentTagRules(ctx, view.repo, await loadTagRules(ctx, view.repo))
  const rows = rules.map((rule) => ({
    title: rule.name_pattern,
    about: [...rule.whitelist_usernames, ...rule.whitelist_teams].join(', ') || 'Nobody',
    action: html`<a class="button" href="${path}/${rule.id}">Edit</a>${renderLoss(`${path}/delete`, { name: rule.name_pattern, warning }, { id: rule.id })}`,
  }))
  return inSection(
    visit,
    'tags',
    html`
<h2>Protected tags</h2>
<p class="lede">Tags that fit a pattern are made, moved and deleted by some alone.</p>
${renderRows(rows, 'No tag is protected.')}
<h2>New rule</h2>
${renderForm(visit, path, state ?? { form: new URLSearchParams() })}`,
  )
}

export async function showTagRule(visit: Visit): Promise<InShell> {
  const { ctx, view } = visit
  const rule = await loadTagRule(ctx, view.repo, idOf(visit))
  const [shown] = await presentTagRules(ctx, view.repo, [rule])
  const form = formOfValues({
    name_pattern: rule.pattern,
    whitelist_usernames: shown?.whitelist_usernames.join(' ') ?? '',
    whitelist_teams: shown?.whitelist_teams.join(' ') ?? '',
  })
  return renderEdit(visit, { form })
}

function idOf({ param }: Visit): number {
  return readInteger(param('id'))
}

function renderEdit(visit: Visit, state: FormState): InShell {
  const path = pathTo(visit, 'settings/tags', String(idOf(visit)))
  const what = 'Rule for tags'
  return inSection(visit, 'tags', html`<h2>${what}</h2>${renderForm(visit, path, state)}`, what)
}

function renderForm({ view }: Visit, path: string, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<form class="sheet form" method="post" action="${path}">
${fields.complaint}
${fields.text('name_pattern', 'Tags', { hint: 'A pattern such as v*, or a regular expression in slashes.' })}
${fields.text('whitelist_usernames', 'People who may', { optional: true, hint: 'Their names, with blanks between them.' })}
${view.owner.kind === 'organization' && fields.text('whitelist_teams', 'Teams that may', { optional: true })}
<button class="button main" type="submit">Save</button>
</form>`
}

function editIn(form: URLSearchParams) {
  return readTagRuleEdit(
    bind(CreateTagProtectionOption, {
      name_pattern: form.get('name_pattern') ?? '',
      whitelist_usernames: wordsIn(form, 'whitelist_usernames'),
      whitelist_teams: wordsIn(form, 'whitelist_teams'),
    }),
  )
}

export async function addTagRule(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  assertNotArchived(view)
  try {
    await createTagRule(ctx, view.repo, editIn(form))
  } catch (error) {
    const problem = ruleProblem(error, 'name_pattern', explanations)
    return showTagRules(submitted, { form, problem })
  }
  return saved(submitted, 'tags')
}

export async function saveTagRule(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  assertNotArchived(view)
  const rule = await loadTagRule(ctx, view.repo, idOf(submitted))
  try {
    await editTagRule(ctx, view.repo, rule, editIn(form))
  } catch (error) {
    const problem = ruleProblem(error, 'name_pattern', explanations)
    return renderEdit(submitted, { form, problem })
  }
  return saved(submitted, 'tags')
}

/** A rule of an archive can be removed, too, as in the API. */
export async function dropTagRule(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  await removeTagRule(ctx, view.repo, readInteger(form.get('id') ?? ''))
  return saved(submitted, 'tags')
}
