import { CreateAccessTokenOption } from '../../identity/auth/schema.ts'
import { scopeCategories, scopeNames } from '../../identity/auth/scopes.ts'
import { createToken, listTokens, removeToken, scopeMissing } from '../../identity/auth/tokens.ts'
import { bind } from '../../platform/http/binding.ts'
import { readPage } from '../../platform/http/paging.ts'
import { timeAgo } from '../figures.ts'
import { FormFields, type Choice, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations } from '../forms/problem.ts'
import { renderSecondFactor } from '../forms/second-factor.ts'
import { renderSecret } from '../forms/secret.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import { traceIn, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { scopeLabels } from '../scope-labels.ts'
import { confirmFactors, confirmProblems, keyQuestionPath, renderOwnPassword } from './confirm.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

const levels: readonly Choice[] = [
  { value: '', label: 'No' },
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Read and write' },
]

const explanations: Explanations = {
  ...confirmProblems,
  name_taken: { field: 'name', message: 'You have a token of this name.' },
  scope_missing: { message: 'Choose at least one thing that it may be used for.' },
}

interface TokensState extends FormState {
  /** Of a token that was made just now: it is shown here and never again. */
  readonly secret?: string
}

/** What programs call with in place of a password. */
export async function showTokens(look: SignedInLook, state?: TokensState): Promise<Page> {
  return inSection(
    look,
    'tokens',
    html`
<h2>Access tokens</h2>
<p class="lede">Programs call with a token instead of your password. It may be used for what you choose, until you remove it.</p>
${renderSecret(state?.secret, 'token')}
${await renderTokens(look)}
${renderNew(look, state ?? { form: new URLSearchParams() })}`,
  )
}

const warning = 'Programs that call with it are no longer let in, from that moment.'

async function renderTokens(look: SignedInLook): Promise<Html> {
  const { ctx, viewer, query, request } = look
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await listTokens(ctx, viewer.account, page)
  const rows = items.map(({ id, name, lastEight, scopes, createdAt, lastUsedAt }) => ({
    title: name,
    about: html`<code>…${lastEight}</code> · ${scopeNames(scopes).join(', ')} · made ${timeAgo(ctx.now(), createdAt)} · ${lastUsedAt > 0 ? html`used ${timeAgo(ctx.now(), lastUsedAt)}` : 'not used yet'}`,
    action: renderLoss(settingsPath(look, 'tokens/delete'), { name, warning }, { id }),
  }))
  return html`${renderRows(rows, 'You have none.')}${renderPager(ctx.config, request, page, total)}`
}

function renderNew(look: SignedInLook, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>New token</h2>
<form class="sheet form" method="post" action="${settingsPath(look, 'tokens')}">
${fields.complaint}
${fields.text('name', 'Name', { hint: 'What it is for.' })}
<fieldset class="scopes"><legend>What it may be used for</legend>
${scopeCategories.map((category) => fields.select(`scope-${category}`, scopeLabels[category], levels))}
</fieldset>
${fields.check('public-only', 'Only what is public', { hint: 'It reaches nothing that is private or limited, whatever you may see.' })}
${look.viewer.credential.kind !== 'proxy' && renderConfirmation(look, fields)}
<button class="button main" type="submit">Make token</button>
</form>`
}

function renderConfirmation(look: SignedInLook, fields: FormFields): Html {
  return html`
${renderOwnPassword(look, fields, { hint: 'Nobody else shall make one in your browser.' })}
${renderSecondFactor(look, fields, { question: keyQuestionPath(look) })}`
}

/**
 * As the API has it, whoever makes a token has just shown the password, or a proxy vouches for
 * them.
 */
export async function makeToken(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  try {
    const body = { name: form.get('name') ?? '', scopes: scopesIn(form) }
    const { name, scopes = [] } = bind(CreateAccessTokenOption, body)
    if (scopes.every((scope) => scope === 'public-only')) throw scopeMissing()
    if (viewer.credential.kind !== 'proxy') await confirmFactors(submitted)
    const wanted = { name, scopes }
    const { account, credential } = viewer
    const { secret } = await createToken(ctx, account, wanted, credential, traceIn(submitted))
    return await showTokens(submitted, { form: new URLSearchParams(), secret })
  } catch (error) {
    return again(await showTokens(submitted, { form, problem: problemOf(error, explanations) }))
  }
}

function scopesIn(form: URLSearchParams): readonly string[] {
  const named = scopeCategories.map((category) => [form.get(`scope-${category}`) ?? '', category])
  return [
    ...named.filter(([level]) => level !== '').map((words) => words.join(':')),
    ...(form.get('public-only') === 'true' ? ['public-only'] : []),
  ]
}

export async function dropToken(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  await removeToken(ctx, viewer.account, form.get('id') ?? '', traceIn(submitted))
  return saved(submitted, 'tokens')
}
