import type { Static } from 'typebox'
import { reaches } from '../../platform/access-level.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { generateRepository, loadInputs, planGeneration } from '../../code/templates/generate.ts'
import type { TemplateInput } from '../../code/templates/inputs.ts'
import { readGeneration } from '../../code/templates/read-generation.ts'
import { GenerateRepoOption } from '../../code/templates/schema.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { signedIn } from '../../platform/http/call.ts'
import { assertReads } from '../../repositories/repository/load.ts'
import { asChoices, FormFields, formOfValues, type FormState } from '../forms/fields.ts'
import { creationProblem, type Explanations, type FormProblem } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'
import { ownersFor } from '../new-owner.ts'
import type { Done, Submitted } from './form.ts'
import type { InShell } from './shell.ts'
import { homeOf, pathTo, type Visit } from './visit.ts'

const items = {
  git_content: 'Files of the default branch',
  topics: 'Topics',
  labels: 'Labels',
  protected_branch: 'Branch protections',
  avatar: 'Avatar',
} as const

const explanations: Explanations = {
  nothing_chosen: { message: 'Choose at least one thing to take.' },
}

/** A new repository that begins with what is in this one. */
export async function showGeneration(visit: Visit, state?: FormState): Promise<InShell> {
  const { ctx, view } = visit
  const viewer = signedIn(visit.viewer)
  assertReads(view, 'repo.code')
  if (!view.repo.isTemplate) throw notFound()
  const asked = await findInputs(visit)
  const fields = new FormFields(
    state ?? { form: firstForm(visit, asked.inputs), problem: asked.problem },
  )
  const owners = await ownersFor(ctx, viewer)
  return {
    tab: 'code',
    title: 'Use this template',
    content: html`
<h2>Use this template</h2>
<p class="lede">A new repository with one commit, which begins with what you take from here.</p>
${fields.complaint}
<form class="sheet form limited" method="post" action="${pathTo(visit, 'generate')}">
${fields.select('owner', 'Owner', asChoices(owners.map(({ name }) => name)))}
${fields.text('name', 'Name')}
${fields.text('description', 'Description', { optional: true })}
${fields.check('private', 'Private', { hint: 'Seen only by you and by those whom you let in.', isFixed: ctx.config.repositories.force_private })}
<fieldset><legend>What to take</legend>
${Object.entries(itemsFor(visit)).map(([name, label]) => fields.check(name, label))}
</fieldset>
${asked.inputs.map((input) => renderInput(fields, input))}
<button class="button main" type="submit">Create repository</button>
</form>`,
  }
}

/** Where a template sends its news is the business of those who administer it. */
function itemsFor({ view }: Visit): Readonly<Record<string, string>> {
  return reaches(view.access.level, 'admin') ? { ...items, webhooks: 'Webhooks' } : items
}

interface Asked {
  readonly inputs: readonly TemplateInput[]
  readonly problem?: FormProblem
}

/** A template that declares them badly is told to be so. */
async function findInputs({ ctx, view }: Visit): Promise<Asked> {
  try {
    return { inputs: await loadInputs(ctx, view) }
  } catch (error) {
    return { inputs: [], problem: creationProblem(error) }
  }
}

function firstForm({ ctx }: Visit, inputs: readonly TemplateInput[]): URLSearchParams {
  return formOfValues({
    git_content: true,
    private: ctx.config.repositories.force_private,
    ...Object.fromEntries(inputs.map(({ name, fallback = '' }) => [fieldOf(name), fallback])),
  })
}

function fieldOf(input: string): string {
  return `input-${input}`
}

function renderInput(fields: FormFields, input: TemplateInput): Html {
  const { name, type, prompt, options, fallback } = input
  const field = fieldOf(name)
  const label = prompt || name
  if (type === 'boolean') return fields.check(field, label)
  if (type === 'choice') return fields.select(field, label, asChoices(options))
  return fields.text(field, label, { optional: fallback !== undefined })
}

export async function generate(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  assertReads(view, 'repo.code')
  if (!view.repo.isTemplate) throw notFound()
  try {
    const wanted = await readGeneration(ctx, viewer, view, await bodyOf(submitted))
    if (!wanted) throw invalid('org does not exist', { reason: 'organization_missing' })
    const plan = await planGeneration(ctx, viewer, view, wanted)
    const repo = await generateRepository(ctx, viewer, view, wanted, plan)
    return { leadsTo: homeOf(ctx, { ...view, owner: wanted.owner, repo }) }
  } catch (error) {
    return showGeneration(submitted, { form, problem: problemIn(error) })
  }
}

async function bodyOf(submitted: Submitted): Promise<Static<typeof GenerateRepoOption>> {
  const { viewer, form } = submitted
  const owner = form.get('owner') || viewer.account.name
  const body = { ...bindForm(GenerateRepoOption, form), owner }
  if (!body.git_content) return body
  const { inputs } = await findInputs(submitted)
  return { ...body, variables: valuesIn(form, inputs) }
}

/** What is left empty is left to the template. */
function valuesIn(
  form: URLSearchParams,
  inputs: readonly TemplateInput[],
): Readonly<Record<string, string>> {
  const values = inputs.map(({ name, type }) => {
    const text = form.get(fieldOf(name)) ?? ''
    return [name, type === 'boolean' ? String(text === 'true') : text] as const
  })
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** Which of the template's own inputs was filled in badly. */
function problemIn(error: unknown): FormProblem {
  const isOfInput = error instanceof AppError && error.reason === 'variable_invalid'
  if (!isOfInput || !error.broken) return creationProblem(error, explanations)
  const { field, rule } = error.broken
  return { field: fieldOf(field), message: `This ${rule}.` }
}
