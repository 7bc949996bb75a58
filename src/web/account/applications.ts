import {
  applicationsOf,
  changeSettings,
  createApplication,
  loadApplication,
  removeApplication,
  renewSecret,
  type ApplicationSettings,
} from '../../applications/applications.ts'
import { readSettings } from '../../applications/present.ts'
import type { Application } from '../../applications/queries.ts'
import { CreateApplicationOptions } from '../../applications/schema.ts'
import { endGrant, grantsOf } from '../../grants/grants.ts'
import { bind } from '../../http/binding.ts'
import { readInteger } from '../../http/query.ts'
import { timeAgo } from '../figures.ts'
import { FormFields, linesIn, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations } from '../forms/problem.ts'
import { renderSecret } from '../forms/secret.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { rightsOf } from '../pages/consent.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

const all = { number: 1, limit: 1000, offset: 0 }

const explanations: Explanations = {
  redirect_invalid: ({ subject }) => ({
    field: 'redirect_uris',
    message: `Nobody can be led to ${subject}.`,
  }),
}

/** What acts for the viewer, and what they have registered for others. */
export async function showApplications(look: SignedInLook, state?: FormState): Promise<Page> {
  return inSection(
    look,
    'applications',
    html`
<h2>Authorized applications</h2>
<p class="lede">What you let act for you. Who has used a program to sign in here, or to push, finds it in this list.</p>
${await renderGrants(look)}
<h2>Your OAuth2 applications</h2>
<p class="lede">Programs of yours that others let act for them, or sign in to with their account here.</p>
${await renderApplications(look)}
<h2>New application</h2>
${renderForm(settingsPath(look, 'applications'), state ?? { form: new URLSearchParams({ confidential_client: 'true' }) }, 'Register')}`,
  )
}

async function renderGrants(look: SignedInLook): Promise<Html> {
  const { ctx, viewer } = look
  const rows = (await grantsOf(ctx, viewer.account)).map(
    ({ id, application, scope, createdAt }) => ({
      title: application,
      about: html`${rightsOf(scope).join(' · ')} · since ${timeAgo(ctx.now(), createdAt)}`,
      action: renderLoss(
        settingsPath(look, 'applications/withdraw'),
        {
          label: 'Withdraw',
          name: application,
          warning: 'It is out at once, and has to ask you again before it comes back.',
        },
        { id },
      ),
    }),
  )
  return renderRows(rows, 'There is none.')
}

async function renderApplications(look: SignedInLook): Promise<Html> {
  const { ctx, viewer } = look
  const { items } = await applicationsOf(ctx, viewer.account, all)
  const rows = items.map(({ id, name, clientId, createdAt }) => ({
    title: html`<a href="${settingsPath(look, 'applications', String(id))}">${name}</a>`,
    about: html`<code>${clientId}</code> · registered ${timeAgo(ctx.now(), createdAt)}`,
  }))
  return renderRows(rows, 'You have none.')
}

function renderForm(action: string, state: FormState, label: string): Html {
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

export async function addApplication(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  try {
    const made = await createApplication(ctx, viewer.account, settingsIn(form))
    return renderApplication(submitted, made.application, { secret: made.secret })
  } catch (error) {
    const problem = problemOf(error, explanations)
    return again(await showApplications(submitted, { form, problem }))
  }
}

function settingsIn(form: URLSearchParams): ApplicationSettings {
  return readSettings(
    bind(CreateApplicationOptions, {
      name: form.get('name') ?? '',
      redirect_uris: [...linesIn(form, 'redirect_uris')],
      confidential_client: form.get('confidential_client') === 'true',
      skip_secondary_authorization: form.get('skip_secondary_authorization') === 'true',
    }),
  )
}

interface ApplicationState {
  readonly state?: FormState
  /** Made just now: it is shown here and never again. */
  readonly secret?: string
}

export async function showApplication(look: SignedInLook, state?: FormState): Promise<Page> {
  const application = await loadApplication(look.ctx, look.viewer.account, idOf(look))
  return renderApplication(look, application, state ? { state } : {})
}

function renderApplication(
  look: SignedInLook,
  application: Application,
  { state, secret }: ApplicationState,
): Page {
  const path = settingsPath(look, 'applications', String(application.id))
  return inSection(
    look,
    'applications',
    html`
<h2>${application.name}</h2>
${renderSecret(secret, 'client secret')}
<p class="sheet notice">Client id: <code>${application.clientId}</code> <copy-button value="${application.clientId}" label="Copy the client id"></copy-button></p>
${renderForm(path, state ?? { form: formOf(application) }, 'Save')}
<h2>Secret</h2>
${renderLoss(`${path}/secret`, { label: 'New secret', sure: 'Make a new secret', name: application.name, warning: 'With a new one, the one that is in use now ends.' })}
<h2>Delete</h2>
${renderLoss(`${path}/delete`, { label: 'Delete', name: application.name, warning: 'Nobody lets it act for them any more, from that moment.' })}`,
  )
}

function formOf(application: Application): URLSearchParams {
  return new URLSearchParams({
    name: application.name,
    redirect_uris: application.redirectUris.join('\n'),
    confidential_client: String(application.isConfidential),
    skip_secondary_authorization: String(application.skipsSecondaryAuthorization),
  })
}

export async function saveApplication(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  try {
    await changeSettings(ctx, viewer.account, idOf(submitted), settingsIn(form))
  } catch (error) {
    const problem = problemOf(error, explanations)
    return again(await showApplication(submitted, { form, problem }))
  }
  return saved(submitted, 'applications')
}

export async function giveNewSecret(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer } = submitted
  const { application, secret } = await renewSecret(ctx, viewer.account, idOf(submitted))
  return renderApplication(submitted, application, { secret })
}

export async function dropApplication(submitted: Submitted): Promise<Shown> {
  await removeApplication(submitted.ctx, submitted.viewer.account, idOf(submitted))
  return saved(submitted, 'applications')
}

export async function withdrawGrant(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  await endGrant(ctx, viewer.account, readInteger(form.get('id') ?? ''))
  return saved(submitted, 'applications')
}

function idOf({ param }: SignedInLook): number {
  return readInteger(param('id'))
}
