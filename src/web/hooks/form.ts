import { bind } from '../../platform/http/binding.ts'
import type { HookEdit, NewHook } from '../../outbound/webhooks/change.ts'
import { eventKinds, type EventKind } from '../../events/webhooks/events.ts'
import { hookTypes, type HookHome, type Webhook } from '../../events/webhooks/hook.ts'
import { readHookEdit, readNewHook } from '../../outbound/webhooks/present.ts'
import { CreateHookOption, EditHookOption } from '../../outbound/webhooks/schema.ts'
import { asChoices, FormFields, type Choice, type FormState } from '../forms/fields.ts'
import { problemOf, type FormProblem } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'

const contentTypes: readonly Choice[] = [
  { value: 'json', label: 'JSON' },
  { value: 'form', label: 'A form' },
]

const slackFields = {
  channel: 'Channel',
  username: 'Name to write under',
  icon_url: 'Address of a picture',
  color: 'Colour',
} as const

/** Of a new webhook, or of `hook` as it is. */
export function formOfHook(hook?: Webhook): URLSearchParams {
  const form = new URLSearchParams({
    type: hook?.type ?? 'gitea',
    url: hook?.url ?? '',
    content_type: hook?.contentType ?? 'json',
    branch_filter: hook?.branchFilter ?? '',
    active: String(hook?.isActive ?? true),
    ...hook?.settings,
  })
  const events: readonly EventKind[] = hook?.events ?? ['push']
  for (const kind of events) form.append('events', valueOf(kind))
  return form
}

/** The names of groups stand for all in them: a box stands for one. */
function valueOf(kind: EventKind): string {
  return kind === 'issues' || kind === 'pull_request' ? `${kind}_only` : kind
}

function labelOf(kind: EventKind): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
}

/**
 * Of webhooks of the server: whether they hear of everything, or are copied into what is made
 * later.
 */
const reaches: readonly Choice[] = [
  { value: 'system', label: 'All repositories' },
  { value: 'default', label: 'New repositories' },
]

const REACH_HINT = 'New repositories get a copy of their own, which their owners may change.'

/** What a webhook of the server hears of. */
export function reachOf({ isSystem, isDefault }: Webhook): string | undefined {
  if (isSystem) return 'all repositories'
  return isDefault ? 'copied into new repositories' : undefined
}

/** As the form of a new one says it. */
export function hearsOfAll(form: URLSearchParams): boolean {
  return form.get('reach') !== 'default'
}

export interface HookFormOptions {
  /** The one that is edited. */
  readonly hook?: Webhook
  readonly home: HookHome
}

export function renderHookForm(
  action: string,
  state: FormState,
  { hook, home }: HookFormOptions,
): Html {
  const fields = new FormFields(state)
  const isSlack = fields.value('type') === 'slack'
  const keeps = hook && hook.secret !== ''
  const keepsHeader = hook && hook.authorizationHeader !== ''
  return html`
${fields.complaint}
<form class="sheet form" method="post" action="${action}">
${!hook && fields.select('type', 'For', asChoices(hookTypes))}
${!hook && home.kind === 'system' && fields.select('reach', 'Of', reaches, REACH_HINT)}
${fields.text('url', 'Address', { type: 'url', hint: 'Where what happens is sent to.' })}
${fields.select('content_type', 'Sent as', contentTypes)}
${fields.text('secret', 'Secret', { optional: true, type: 'password', autocomplete: 'new-password', hint: keeps ? 'Left empty, it stays as it is.' : 'With which what is sent is signed.' })}
${keeps && fields.check('no_secret', 'Sign no longer')}
${fields.text('authorization_header', 'Authorization header', { optional: true, type: 'password', autocomplete: 'new-password', hint: keepsHeader ? 'Left empty, it stays as it is.' : 'It is not shown again. Left empty, none is sent.' })}
${keepsHeader && fields.check('no_authorization_header', 'Send no Authorization header')}
${fields.text('branch_filter', 'Branches', { optional: true, hint: 'A pattern; empty for all of them.' })}
<fieldset class="events"><legend>What it hears of</legend>
${eventKinds.map((kind) => fields.check('events', labelOf(kind), { value: valueOf(kind) }))}
</fieldset>
${(!hook || hook.type === 'slack') && renderSlack(fields, isSlack)}
${fields.check('active', 'Active')}
<button class="button main" type="submit">Save</button>
</form>`
}

function renderSlack(fields: FormFields, isOpen: boolean): Html {
  const names = Object.entries(slackFields)
  return html`
<details${isOpen && html` open`}><summary>For Slack</summary>
${names.map(([name, label]) => fields.text(name, label, { optional: true }))}
</details>`
}

export function newHookIn(form: URLSearchParams): NewHook {
  return readNewHook(bind(CreateHookOption, { ...bodyOf(form), type: form.get('type') ?? '' }))
}

export function hookEditIn(form: URLSearchParams): HookEdit {
  const edit = readHookEdit(bind(EditHookOption, bodyOf(form)))
  const keepsHeader =
    edit.authorizationHeader === '' && form.get('no_authorization_header') !== 'true'
  return keepsHeader ? { ...edit, authorizationHeader: undefined } : edit
}

function bodyOf(form: URLSearchParams): Record<string, unknown> {
  return {
    config: configIn(form),
    events: form.getAll('events'),
    branch_filter: form.get('branch_filter') ?? '',
    authorization_header: form.get('authorization_header') ?? '',
    active: form.get('active') === 'true',
  }
}

function configIn(form: URLSearchParams): Readonly<Record<string, string>> {
  const names = ['url', 'content_type', ...Object.keys(slackFields)]
  const given = names.map((name): [string, string] => [name, form.get(name) ?? ''])
  const secret = form.get('secret') ?? ''
  const changesSecret = secret !== '' || form.get('no_secret') === 'true'
  return { ...Object.fromEntries(given), ...(changesSecret ? { secret } : {}) }
}

/** What the API keeps in one field has several here. */
export function hookProblem(error: unknown): FormProblem {
  const problem = explain(error)
  return problem.field === 'config' ? { message: 'Something of this is too long.' } : problem
}

function explain(error: unknown): FormProblem {
  const message = 'Choose one of those that are offered.'
  const unreachable = { field: 'url', message: 'This server sends nothing there.' }
  return problemOf(error, {
    channel_invalid: { field: 'channel', message: 'Name a channel of Slack.' },
    hook_type_unknown: { field: 'type', message },
    content_type_invalid: { field: 'content_type', message },
    address_missing: { field: 'url', message: 'This is needed.' },
    too_many: { message: 'There are as many webhooks as this server allows.' },
    address_invalid: unreachable,
    host_disallowed: unreachable,
  })
}
