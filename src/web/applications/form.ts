import type { ApplicationSettings } from '../../identity/oauth2-applications/applications.ts'
import { readSettings } from '../../identity/oauth2-applications/present.ts'
import type { Application } from '../../identity/oauth2-applications/queries.ts'
import { CreateApplicationOptions } from '../../identity/oauth2-applications/schema.ts'
import { bind } from '../../platform/http/binding.ts'
import { FormFields, linesIn, type FormState } from '../forms/fields.ts'
import type { Explanations } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'

export const explanations: Explanations = {
  redirect_invalid: ({ subject }) => ({
    field: 'redirect_uris',
    message: `Nobody can be led to ${subject}.`,
  }),
}

export function renderForm(action: string, state: FormState, label: string): Html {
  const fields = new FormFields(state)
  return html`
<form class="sheet form" method="post" action="${action}">
${fields.complaint}
${fields.text('name', 'Name', { hint: 'As those see it who are asked.' })}
${fields.area('redirect_uris', 'Redirect URIs', { hint: 'Where people are led back to; one in each line.' })}
${fields.check('confidential_client', 'It can keep a secret', { hint: 'A service on a server can; what is installed by its users, or runs in their browsers, cannot.' })}
${fields.check('skip_secondary_authorization', 'Ask each person once', { hint: 'Others that cannot keep a secret ask each time.' })}
<button class="button main" type="submit">${label}</button>
</form>`
}

export function settingsIn(form: URLSearchParams): ApplicationSettings {
  return readSettings(
    bind(CreateApplicationOptions, {
      name: form.get('name') ?? '',
      redirect_uris: [...linesIn(form, 'redirect_uris')],
      confidential_client: form.get('confidential_client') === 'true',
      skip_secondary_authorization: form.get('skip_secondary_authorization') === 'true',
    }),
  )
}

export function formOf(application: Application): URLSearchParams {
  return new URLSearchParams({
    name: application.name,
    redirect_uris: application.redirectUris.join('\n'),
    confidential_client: String(application.isConfidential),
    skip_secondary_authorization: String(application.skipsSecondaryAuthorization),
  })
}
