import { bindForm } from '../../platform/http/binding.ts'
import { createPerson } from '../../identity/users/create.ts'
import { readNewPerson } from '../../identity/users/present.ts'
import { CreateUserOption } from '../../identity/users/schema.ts'
import { FormFields, formOfValues, withChecks, type FormState } from '../forms/fields.ts'
import { problemOf } from '../forms/problem.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { accountProblems, nameProblems, visibilities } from './account-form.ts'
import { adminPath, again, inSection, saved } from './section.ts'

export async function showNewPerson(look: SignedInLook, state?: FormState): Promise<Page> {
  const { default_visibility: visibility } = look.ctx.config.users
  const usual = formOfValues({ visibility, must_change_password: true })
  const fields = new FormFields(state ?? { form: usual })
  return inSection(
    look,
    'users',
    html`
<h2>New account</h2>
${fields.complaint}
<form class="sheet form" method="post" action="${adminPath(look, 'users', 'new')}">
${fields.text('username', 'Name', { hint: 'Part of the addresses of their repositories.' })}
${fields.text('full_name', 'Full name', { optional: true })}
${fields.text('email', 'E-mail address', { type: 'email' })}
${fields.text('password', 'Password', { type: 'password', autocomplete: 'new-password' })}
${fields.check('must_change_password', 'They choose their own when they sign in first')}
${fields.select('visibility', 'Who sees them', visibilities)}
<button class="button main" type="submit">Create account</button>
</form>`,
  )
}

export async function createAccount(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  try {
    const body = bindForm(CreateUserOption, withChecks(form, ['must_change_password']))
    const { name } = await createPerson(ctx, readNewPerson(body))
    return saved(submitted, 'users', name)
  } catch (error) {
    const problem = problemOf(error, { ...nameProblems('username'), ...accountProblems })
    return again(await showNewPerson(submitted, { form, problem }))
  }
}
