import {
  applicationsOf,
  changeSettings,
  createApplication,
  loadApplication,
  removeApplication,
  renewSecret,
} from '../../identity/oauth2-applications/applications.ts'
import type { Application } from '../../identity/oauth2-applications/queries.ts'
import { readInteger } from '../../platform/http/query.ts'
import type { Account } from '../../identity/users/account.ts'
import { timeAgo } from '../figures.ts'
import type { FormState } from '../forms/fields.ts'
import { problemOf } from '../forms/problem.ts'
import { renderSecret } from '../forms/secret.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { explanations, formOf, renderForm, settingsIn } from './form.ts'

const all = { number: 1, limit: 1000, offset: 0 }

/**
 * Where programs are registered that others let act for them: by a person, or by those who own an
 * organization.
 */
export interface ApplicationSection {
  readonly owner: Account
  /** The address of the list, and of what is below it. */
  readonly path: (...parts: readonly string[]) => string
  /** The page around the content. */
  readonly frame: (content: Html) => Page
  /** What stands above the list. */
  readonly renderAbove: () => Promise<Html>
}

/** How pages and forms get into such places, below their lists. */
export interface ApplicationPages {
  readonly show: (path: string, page: (look: SignedInLook) => Promise<Shown>) => void
  readonly take: (path: string, act: (submitted: Submitted) => Promise<Shown>) => void
  readonly enter: (look: SignedInLook) => Promise<ApplicationSection>
}

type Place = SignedInLook & ApplicationSection
type Sent = Submitted & ApplicationSection

export function addApplicationPages({ show, take, enter }: ApplicationPages): void {
  const showIn = (path: string, render: (place: Place) => Promise<Page>) =>
    show(path, async (look) => render({ ...look, ...(await enter(look)) }))
  const takeIn = (path: string, act: (sent: Sent) => Promise<Shown>) =>
    take(path, async (submitted) => act({ ...submitted, ...(await enter(submitted)) }))

  showIn('', (place) => showList(place))
  takeIn('', register)
  showIn('/:id', (place) => showOne(place))
  takeIn('/:id', save)
  takeIn('/:id/secret', giveNewSecret)
  takeIn('/:id/delete', remove)
}

async function showList(place: Place, state?: FormState): Promise<Page> {
  const { ctx, owner, path, frame } = place
  const { items } = await applicationsOf(ctx, owner, all)
  const rows = items.map(({ id, name, clientId, createdAt }) => ({
    title: html`<a href="${path(String(id))}">${name}</a>`,
    about: html`<code>${clientId}</code> · registered ${timeAgo(ctx.now(), createdAt)}`,
  }))
  return frame(html`
${await place.renderAbove()}
${renderRows(rows, 'There is none.')}
<h2>New application</h2>
${renderForm(path(), state ?? { form: new URLSearchParams({ confidential_client: 'true' }) }, 'Register')}`)
}

async function register(sent: Sent): Promise<Shown> {
  const { ctx, owner, form } = sent
  try {
    const made = await createApplication(ctx, owner, settingsIn(form))
    return renderOne(sent, made.application, { secret: made.secret })
  } catch (error) {
    return again(await showList(sent, { form, problem: problemOf(error, explanations) }))
  }
}

async function showOne(place: Place, state?: FormState): Promise<Page> {
  const application = await loadApplication(place.ctx, place.owner, idOf(place))
  return renderOne(place, application, state ? { state } : {})
}

interface OneState {
  readonly state?: FormState
  /** Made just now: it is shown here and never again. */
  readonly secret?: string
}

function renderOne({ path, frame }: Place, application: Application, { state, secret }: OneState) {
  const own = path(String(application.id))
  return frame(html`
<h2>${application.name}</h2>
${renderSecret(secret, 'client secret')}
<p class="sheet notice">Client id: <code>${application.clientId}</code> <copy-button value="${application.clientId}" label="Copy the client id"></copy-button></p>
${renderForm(own, state ?? { form: formOf(application) }, 'Save')}
<h2>Secret</h2>
${renderLoss(`${own}/secret`, { label: 'New secret', sure: 'Make a new secret', name: application.name, warning: 'With a new one, the one that is in use now ends.' })}
<h2>Delete</h2>
${renderLoss(`${own}/delete`, { label: 'Delete', name: application.name, warning: 'Nobody lets it act for them any more, from that moment.' })}`)
}

async function save(sent: Sent): Promise<Shown> {
  const { ctx, owner, form } = sent
  try {
    await changeSettings(ctx, owner, idOf(sent), settingsIn(form))
  } catch (error) {
    return again(await showOne(sent, { form, problem: problemOf(error, explanations) }))
  }
  return saved(sent)
}

async function giveNewSecret(sent: Sent): Promise<Shown> {
  const { application, secret } = await renewSecret(sent.ctx, sent.owner, idOf(sent))
  return renderOne(sent, application, { secret })
}

async function remove(sent: Sent): Promise<Shown> {
  await removeApplication(sent.ctx, sent.owner, idOf(sent))
  return saved(sent)
}

function saved({ path }: ApplicationSection): Shown {
  return { leadsTo: `${path()}?saved=yes` }
}

function again(page: Page): Shown {
  return { page, status: 422 }
}

function idOf({ param }: SignedInLook): number {
  return readInteger(param('id'))
}
