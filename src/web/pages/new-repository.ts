import { gitignores } from '../../catalogue/gitignores.ts'
import { licenses } from '../../catalogue/licenses.ts'
import { basePath } from '../../config/urls.ts'
import type { Context } from '../../context.ts'
import type { AppError } from '../../errors.ts'
import type { Account } from '../../users/account.ts'
import { html, type Html } from '../html.ts'
import type { Page } from '../layout.ts'
import { renderField } from './field.ts'

export interface FormProblem {
  /** Absent: what is wrong is with no single field. */
  readonly field?: string
  readonly message: string
}

/** What keeps a repository from being made, as somebody is told who fills in a form. */
export function creationProblem({ code, message }: AppError): FormProblem {
  if (code === 'conflict') {
    return { field: 'name', message: 'There is a repository of this name already.' }
  }
  const [, label = '', rule = ''] = /^\[(\w+)\]: (\w+)$/.exec(message) ?? []
  const field = fields[label]
  if (field) return { field, message: rules[rule] ?? message }
  if (/^name (is|pattern)/.test(message)) {
    return { field: 'name', message: 'This name is kept for other things. Choose another one.' }
  }
  return { message }
}

const fields: Readonly<Record<string, string>> = {
  Name: 'name',
  Description: 'description',
  DefaultBranch: 'default_branch',
}

const rules: Readonly<Record<string, string>> = {
  Required: 'This is needed.',
  AlphaDashDot: 'Only letters, digits, dashes, dots and underscores.',
  GitRefName: 'Git does not take this as the name of a branch.',
  MaxSize: 'This is too long.',
}

export interface NewRepositoryState {
  readonly owners: readonly Account[]
  /** What was typed before. */
  readonly form: URLSearchParams
  readonly problem?: FormProblem
}

export function newRepositoryPage({ config }: Context, state: NewRepositoryState): Page {
  const { owners, form, problem } = state
  const root = basePath(config)
  const text = (name: string) => form.get(name) ?? ''
  const complaintOf = (name: string) => (problem?.field === name ? problem.message : undefined)
  const isForced = config.repositories.force_private
  return {
    title: 'New repository',
    narrow: true,
    content: html`
<h1>New repository</h1>
<p class="lede">A repository holds code with its history, its issues and its releases.</p>
${problem && problem.field === undefined && html`<p class="problem" role="alert">${problem.message}</p>`}
<form class="sheet form" method="post" action="${root}/repo/create">
${renderSelect(
  'owner',
  'Owner',
  text('owner'),
  owners.map(({ name }) => name),
)}
${renderField({ name: 'name', label: 'Name', type: 'text', autocomplete: 'off', value: text('name'), complaint: complaintOf('name') })}
${renderField({ name: 'description', label: 'Description', type: 'text', autocomplete: 'off', value: text('description'), optional: true, complaint: complaintOf('description') })}
${renderCheck({ name: 'private', label: 'Private', hint: 'Seen only by you and by those whom you let in.', isOn: isForced || text('private') !== '', isFixed: isForced })}
${renderCheck({ name: 'auto_init', label: 'Begin with a first commit', hint: 'A readme, and what is chosen below. Leave it out to push what you have.', isOn: text('auto_init') !== '' })}
${renderSelect('gitignores', '.gitignore', text('gitignores'), gitignores.names, 'None')}
${renderSelect('license', 'License', text('license'), licenses.names, 'None')}
${renderField({ name: 'default_branch', label: 'Default branch', type: 'text', autocomplete: 'off', value: text('default_branch') || config.repositories.default_branch, complaint: complaintOf('default_branch') })}
<button class="button main" type="submit">Create repository</button>
</form>`,
  }
}

function renderSelect(
  name: string,
  label: string,
  chosen: string,
  values: readonly string[],
  none?: string,
): Html {
  const option = (value: string) =>
    html`<option${value === chosen && html` selected`}>${value}</option>`
  return html`
<p class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">${none !== undefined && html`<option value="">${none}</option>`}${values.map(option)}</select>
</p>`
}

interface Check {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly isOn: boolean
  readonly isFixed?: boolean
}

function renderCheck({ name, label, hint, isOn, isFixed = false }: Check): Html {
  return html`
<p class="check">
<input type="checkbox" id="${name}" name="${name}" value="true" aria-describedby="${name}-hint"${isOn && html` checked`}${isFixed && html` disabled`}>
<label for="${name}">${label}</label>
<span class="hint" id="${name}-hint">${hint}</span>
</p>`
}
