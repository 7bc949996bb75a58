import { AppError } from '../../platform/errors.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { prunesMirror } from '../../code/mirrors/edit.ts'
import { parseDuration, secondsIn } from '../../code/mirrors/duration.ts'
import { defaultInterval } from '../../code/mirrors/interval.ts'
import { readNewPushMirror } from '../../code/mirrors/present.ts'
import { addPushMirror, pushMirrorsOf, removePushMirror } from '../../code/mirrors/push-mirrors.ts'
import { queuePushes, queueSync } from '../../code/mirrors/queue.ts'
import { CreatePushMirrorOption } from '../../code/mirrors/schema.ts'
import { editRepository } from '../../repositories/repository/edit.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { readEdit } from '../../repositories/repository/read-edit.ts'
import { EditRepoOption } from '../../repositories/repository/schema.ts'
import { everyText, lengthText, timeAgo } from '../figures.ts'
import { FormFields, formOfValues, withChecks, type FormState } from '../forms/fields.ts'
import { problemOf, type FormProblem } from '../forms/problem.ts'
import { renderAction, renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { outsideLink } from '../outside-link.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { inSection, saved } from './section.ts'

const all = { number: 1, limit: 100, offset: 0 }

interface MirrorsState {
  readonly pull?: FormState
  readonly push?: FormState
}

/** Where the repository comes from by itself, and where it goes. */
export async function showMirrors(visit: Visit, state: MirrorsState = {}): Promise<InShell> {
  const { ctx, view } = visit
  return inSection(
    visit,
    'mirrors',
    html`
${view.repo.isMirror && (await renderPull(visit, state.pull))}
<h2>Pushed to</h2>
<p class="lede">Remotes that get all branches and tags of this repository, again and again.</p>
${await renderRemotes(visit)}
${ctx.config.mirror.enabled && renderNewRemote(visit, state.push)}`,
  )
}

async function renderPull(visit: Visit, state?: FormState): Promise<Html> {
  const { ctx, view } = visit
  const interval = view.mirror?.interval ?? ''
  const enable_prune = await prunesMirror(ctx, view.repo)
  const fields = new FormFields(
    state ?? { form: formOfValues({ mirror_interval: shortened(interval), enable_prune }) },
  )
  const isAsked = ['mirror_username', 'mirror_password'].some((name) => fields.isForgotten(name))
  const path = pathTo(visit, 'settings/mirrors')
  return html`
<h2>Mirror of</h2>
<p class="lede">${outsideLink(view.repo.originalUrl)} ${renderState(visit)}</p>
${renderAction(`${path}/sync`, 'Synchronise now')}
<form class="sheet form" method="post" action="${path}">
${fields.complaint}
${fields.text('mirror_interval', 'Every', { hint: 'Such as 8h or 90m; 0 for never by itself.' })}
${fields.check('enable_prune', 'Branches that are gone there go here, too')}
<details${isAsked && html` open`}><summary>Other credentials</summary>
${fields.text('mirror_username', 'Name', { optional: true, secret: true })}
${fields.text('mirror_password', 'Password or token', { optional: true, type: 'password', autocomplete: 'new-password' })}
</details>
<button class="button main" type="submit">Save</button>
</form>`
}

function renderState({ ctx, view: { mirror } }: Visit): Part {
  if (!mirror) return undefined
  if (mirror.isWorking() || mirror.isQueued) return 'is being synchronised.'
  const when = mirror.updatedAt > 0 && html`Synchronised ${timeAgo(ctx.now(), mirror.updatedAt)}.`
  return html`${when} ${mirror.lastError !== '' && html`<span class="problem">${mirror.lastError}</span>`}`
}

const warning =
  'Nothing is pushed there any more. What is there stays; the password for it is lost here.'

async function renderRemotes(visit: Visit): Promise<Html> {
  const { ctx, view } = visit
  const path = pathTo(visit, 'settings/mirrors/push')
  const { items } = await pushMirrorsOf(ctx, view.repo, all)
  const rows = items.map((mirror) => ({
    title: mirror.address,
    about: html`${intervalText(mirror.interval)}${mirror.sync_on_commit === 1 && ' and with each push'} · ${mirror.updated_at > 0 ? html`last ${timeAgo(ctx.now(), mirror.updated_at)}` : 'not pushed yet'}${mirror.last_error !== '' && html` · <span class="problem">${mirror.last_error}</span>`}`,
    action: renderLoss(
      `${path}/delete`,
      { name: mirror.address, warning },
      { name: mirror.remote_name },
    ),
  }))
  return html`${renderRows(rows, 'There is none.')}${items.length > 0 && renderAction(`${path}/sync`, 'Push now')}`
}

function intervalText(interval: string): string {
  const seconds = secondsOf(interval)
  return seconds === 0 ? 'never by itself' : everyText(seconds)
}

function secondsOf(interval: string): number {
  return secondsIn(parseDuration(interval))
}

/** `8h` for `8h0m0s`, as one would write it. */
function shortened(interval: string): string {
  return interval.replace(/(?<=[hm])0s$/, '').replace(/(?<=h)0m$/, '')
}

function renderNewRemote(visit: Visit, state?: FormState): Html {
  const interval = shortened(defaultInterval(visit.ctx.config).text)
  const fields = new FormFields(state ?? { form: formOfValues({ interval, sync_on_commit: true }) })
  return html`
<form class="sheet form" method="post" action="${pathTo(visit, 'settings/mirrors/push')}">
${fields.complaint}
${fields.text('remote_address', 'Address', { type: 'url' })}
${fields.text('remote_username', 'Name', { optional: true })}
${fields.text('remote_password', 'Password or token', { optional: true, type: 'password', autocomplete: 'new-password' })}
${fields.text('interval', 'Every', { hint: 'Such as 8h or 90m; 0 for never by itself.' })}
${fields.check('sync_on_commit', 'With each push')}
<button class="button main" type="submit">Add</button>
</form>`
}

export async function saveMirror(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  try {
    const body = bindForm(EditRepoOption, onlyMirror(withChecks(form, ['enable_prune'])))
    await editRepository(ctx, viewer, view, readEdit(body))
  } catch (error) {
    return showMirrors(submitted, {
      pull: { form, problem: mirrorProblem(error, 'mirror_interval') },
    })
  }
  return saved(submitted, 'mirrors')
}

/** Credentials that are left empty stay as they are. */
function onlyMirror(form: URLSearchParams): URLSearchParams {
  const secrets = ['mirror_username', 'mirror_password']
  const isMeant = ([name, value]: [string, string]) =>
    name === 'mirror_interval' ||
    name === 'enable_prune' ||
    (secrets.includes(name) && value !== '')
  return new URLSearchParams([...form].filter(isMeant))
}

function mirrorProblem(error: unknown, field: string): FormProblem {
  const isLocal = error instanceof AppError && error.code === 'unauthenticated'
  const address = { field: 'remote_address', message: 'This server pushes nothing there.' }
  if (isLocal) return address
  return problemOf(error, {
    interval_too_short: ({ subject }) => ({
      field,
      message: `At least ${lengthText(secondsOf(subject))}.`,
    }),
    interval_invalid: { field, message: 'Write it like 8h or 90m, up to a year.' },
    address_invalid: address,
    host_disallowed: address,
  })
}

export async function syncMirror(submitted: Submitted): Promise<Done> {
  assertNotArchived(submitted.view)
  await queueSync(submitted.ctx, submitted.view.repo)
  return saved(submitted, 'mirrors', 'synchronising')
}

export async function addRemote(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  assertNotArchived(view)
  try {
    const body = bindForm(CreatePushMirrorOption, withChecks(form, ['sync_on_commit']))
    await addPushMirror(ctx, view.repo, readNewPushMirror(body))
  } catch (error) {
    return showMirrors(submitted, { push: { form, problem: mirrorProblem(error, 'interval') } })
  }
  return saved(submitted, 'mirrors')
}

export async function dropRemote(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  assertNotArchived(view)
  await removePushMirror(ctx, view.repo, form.get('name') ?? '')
  return saved(submitted, 'mirrors')
}

export async function pushNow(submitted: Submitted): Promise<Done> {
  assertNotArchived(submitted.view)
  await queuePushes(submitted.ctx, submitted.view.repo)
  return saved(submitted, 'mirrors', 'pushing')
}
