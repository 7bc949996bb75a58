import { addDeployKey } from '../../repositories/deploy-keys/add.ts'
import { deployKeysOf, removeDeployKey } from '../../repositories/deploy-keys/manage.ts'
import { readNewDeployKey } from '../../repositories/deploy-keys/present.ts'
import { CreateDeployKeyOption } from '../../repositories/deploy-keys/schema.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { readPage } from '../../platform/http/paging.ts'
import { readInteger } from '../../platform/http/query.ts'
import { timeAgo } from '../figures.ts'
import { FormFields, formOfValues, withChecks, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations } from '../forms/problem.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { inSection, saved } from './section.ts'

const explanations: Explanations = {
  title_taken: { field: 'title', message: 'There is a key of this title.' },
  key_taken: { field: 'key', message: 'This repository has this key already.' },
  key_of_person: { field: 'key', message: 'This key is that of a person.' },
  key_invalid: { field: 'key', message: 'This is no public key as ssh-keygen writes it.' },
}

/** Keys that open this repository over SSH, and nothing else. */
export async function showDeployKeys(visit: Visit, state?: FormState): Promise<InShell> {
  const fields = new FormFields(state ?? { form: formOfValues({ read_only: true }) })
  return inSection(
    visit,
    'keys',
    html`
<h2>Deploy keys</h2>
<p class="lede">A machine with one of these keys reaches this repository over SSH, and nothing else.</p>
${await renderKeys(visit)}
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/keys')}">
${fields.complaint}
${fields.text('title', 'Title', { hint: 'Such as the name of the machine.' })}
${fields.area('key', 'Public key', { hint: 'One line, such as that of ~/.ssh/id_ed25519.pub.' })}
${fields.check('read_only', 'Only to read', { hint: 'Otherwise it pushes, too.' })}
<button class="button main" type="submit">Add key</button>
</form>`,
  )
}

async function renderKeys(visit: Visit): Promise<Html> {
  const { ctx, view, query, request } = visit
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await deployKeysOf(ctx, view.repo, {}, page)
  const rows = items.map(({ id, title, fingerprint, isReadOnly, createdAt }) => ({
    title,
    about: html`<code>${fingerprint}</code> · ${isReadOnly ? 'reads' : 'reads and writes'} · added ${timeAgo(ctx.now(), createdAt)}`,
    action: renderLoss(
      pathTo(visit, 'settings/keys/delete'),
      { name: title, warning: 'Machines with this key no longer reach the repository.' },
      { id },
    ),
  }))
  return html`${renderRows(rows, 'There is none yet.')}${renderPager(ctx.config, request, page, total)}`
}

export async function addKey(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  try {
    const body = bindForm(CreateDeployKeyOption, withChecks(form, ['read_only']))
    await addDeployKey(ctx, view.repo, readNewDeployKey(body))
  } catch (error) {
    return showDeployKeys(submitted, { form, problem: problemOf(error, explanations) })
  }
  return saved(submitted, 'keys')
}

export async function removeKey(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  await removeDeployKey(ctx, view.repo, readInteger(form.get('id') ?? ''))
  return saved(submitted, 'keys')
}
