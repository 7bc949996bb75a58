import { basePath } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { asChoices, FormFields } from '../forms/fields.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import { renderImport, type ShownImport } from './import-progress.ts'
import type { NewRepositoryState } from './new-repository.ts'

interface ImportState extends NewRepositoryState {
  /** Those that the viewer has begun, and that are not there yet. */
  readonly begun: readonly ShownImport[]
}

export function importRepositoryPage(ctx: Context, state: ImportState): Page {
  const { config } = ctx
  const isForced = config.repositories.force_private
  const form = new URLSearchParams(state.form)
  if (isForced) form.set('private', 'true')
  const fields = new FormFields({ ...state, form })
  return {
    title: 'Import a repository',
    narrow: true,
    content: html`
<h1>Import a repository</h1>
<p class="lede">Brings branches and tags with their whole history from another server. That takes as long as there is much of it; you need not wait for it.</p>
${fields.complaint}
<form class="sheet form" method="post" action="${basePath(config)}/repo/migrate">
${fields.text('clone_addr', 'Clone address', { type: 'url', hint: 'As for git clone, beginning with https.' })}
<details${(fields.isWrong('auth_username') || fields.value('auth_username') !== '') && html` open`}><summary>It is not open to everybody</summary>
${fields.text('auth_username', 'Name there', { optional: true })}
${fields.text('auth_password', 'Password or token', { optional: true, type: 'password', autocomplete: 'new-password' })}
</details>
${fields.select('owner', 'Owner', asChoices(state.owners.map(({ name }) => name)))}
${fields.text('repo_name', 'Name', { optional: true, hint: 'As it is called there, if you leave it empty.' })}
${fields.text('description', 'Description', { optional: true })}
${fields.check('private', 'Private', { hint: 'Seen only by you and by those whom you let in.', isFixed: isForced })}
${config.mirror.enabled && fields.check('mirror', 'Stay a mirror', { hint: 'What is new there comes by itself from then on. Nothing can be pushed here.' })}
${fields.check('wiki', 'With its wiki')}
${config.lfs.enabled && fields.check('lfs', 'With its files in Git LFS')}
<button class="button main" type="submit">Import</button>
</form>
${state.begun.length > 0 && html`<h2>Not there yet</h2>${state.begun.map((one) => renderImport(ctx, one))}`}`,
  }
}
