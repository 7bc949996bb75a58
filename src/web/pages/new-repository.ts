import { gitignores } from '../../repositories/repository-defaults/gitignores.ts'
import { licenses } from '../../repositories/repository-defaults/licenses.ts'
import { basePath } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { Account } from '../../identity/users/account.ts'
import { asChoices, FormFields, type FormState } from '../forms/fields.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

export interface NewRepositoryState extends FormState {
  readonly owners: readonly Account[]
}

const none = { value: '', label: 'None' }

export function newRepositoryPage({ config }: Context, state: NewRepositoryState): Page {
  const { default_branch: branch, force_private: isForced } = config.repositories
  const form = new URLSearchParams(state.form)
  if (!form.get('default_branch')) form.set('default_branch', branch)
  if (isForced) form.set('private', 'true')
  const fields = new FormFields({ ...state, form })
  return {
    title: 'New repository',
    narrow: true,
    content: html`
<h1>New repository</h1>
<p class="lede">A repository holds code with its history, its issues and its releases.${config.repositories.migrations && html` What is elsewhere already can be <a href="${basePath(config)}/repo/migrate">imported</a>.`}</p>
${fields.complaint}
<form class="sheet form" method="post" action="${basePath(config)}/repo/create">
${fields.select('owner', 'Owner', asChoices(state.owners.map(({ name }) => name)))}
${fields.text('name', 'Name')}
${fields.text('description', 'Description', { optional: true })}
${fields.check('private', 'Private', { hint: 'Seen only by you and by those whom you let in.', isFixed: isForced })}
${fields.check('auto_init', 'Begin with a first commit', { hint: 'A readme, and what is chosen below. Leave it out to push what you have.' })}
${fields.select('gitignores', '.gitignore', [none, ...asChoices(gitignores.names)])}
${fields.select('license', 'License', [none, ...asChoices(licenses.names)])}
${fields.text('default_branch', 'Default branch')}
<button class="button main" type="submit">Create repository</button>
</form>`,
  }
}
