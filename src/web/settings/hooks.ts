import { readPage } from '../../http/paging.ts'
import { readInteger } from '../../http/query.ts'
import { createHook, editHook } from '../../webhooks/change.ts'
import type { HookHome, Webhook } from '../../webhooks/hook.ts'
import {
  deliveriesOf,
  hooksOf,
  loadDeliveryOf,
  loadHookOf,
  removeHook,
  testHook,
} from '../../webhooks/manage.ts'
import { presentDelivery } from '../../webhooks/present.ts'
import { redeliver } from '../../webhooks/redeliver.ts'
import { counted, timeAgo } from '../figures.ts'
import type { FormState } from '../forms/fields.ts'
import { renderAction, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../html.ts'
import { renderPager } from '../pages/pager.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { formOfHook, hookEditIn, hookProblem, newHookIn, renderHookForm } from './hook-form.ts'
import { inSection, saved } from './section.ts'

const LATEST = { number: 1, limit: 20, offset: 0 }

function homeOf({ view }: Visit): HookHome {
  return { kind: 'repository', id: view.repo.id }
}

function pathOf(visit: Visit, ...parts: readonly string[]): string {
  return pathTo(visit, 'settings/hooks', ...parts)
}

/** Who hears of what happens in the repository. */
export async function showHooks(visit: Visit): Promise<InShell> {
  const { ctx, query, request } = visit
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await hooksOf(ctx, homeOf(visit), page)
  const rows = items.map(({ id, url, type, events, isActive }) => ({
    title: url,
    about: [type, counted(events.length, 'event'), ...(isActive ? [] : ['off'])].join(' · '),
    action: html`<a class="button" href="${pathOf(visit, String(id))}">Edit</a>${renderAction(pathOf(visit, String(id), 'delete'), 'Remove')}`,
  }))
  return inSection(
    visit,
    'hooks',
    html`
<h2>Webhooks</h2>
<p class="lede">Other servers are told what happens here: pushes, issues, releases and more.</p>
${renderRows(rows, 'Nobody is told yet.')}
${renderPager(ctx.config, request, page, total)}
<p><a class="button main" href="${pathOf(visit, 'new')}">New webhook</a></p>`,
  )
}

export async function showNewHook(visit: Visit, state?: FormState): Promise<InShell> {
  const form = renderHookForm(pathOf(visit), state ?? { form: formOfHook() })
  return inSection(visit, 'hooks', html`<h2>New webhook</h2>${form}`)
}

export async function showHook(visit: Visit, state?: FormState): Promise<InShell> {
  const hook = await loadHook(visit)
  const path = pathOf(visit, String(hook.id))
  return inSection(
    visit,
    'hooks',
    html`
<h2>Webhook</h2>
${renderHookForm(path, state ?? { form: formOfHook(hook) }, hook)}
<h2>Latest deliveries</h2>
${await renderDeliveries(visit, hook)}
${renderAction(`${path}/test`, 'Send a test')}`,
  )
}

async function renderDeliveries(visit: Visit, hook: Webhook): Promise<Html> {
  const { ctx } = visit
  const { items } = await deliveriesOf(ctx, hook, LATEST)
  const rows = items.map((delivery) => {
    const shown = presentDelivery(hook, delivery)
    const answer =
      shown.response_status > 0 ? `answered ${shown.response_status}` : shown.last_error
    return {
      title: shown.event_type.replaceAll('_', ' '),
      about: html`${shown.status} · ${timeAgo(ctx.now(), delivery.created_at)}${answer !== '' && html` · ${answer}`}`,
      action: renderAction(pathOf(visit, String(hook.id), 'redeliver'), 'Send again', {
        delivery: delivery.id,
      }),
    }
  })
  return renderRows(rows, 'Nothing was sent yet.')
}

async function loadHook(visit: Visit): Promise<Webhook> {
  return loadHookOf(visit.ctx, homeOf(visit), readInteger(visit.param('id')))
}

export async function addHook(submitted: Submitted): Promise<Done> {
  const { ctx, form } = submitted
  try {
    await createHook(ctx, homeOf(submitted), newHookIn(form))
  } catch (error) {
    return showNewHook(submitted, { form, problem: hookProblem(error) })
  }
  return saved(submitted, 'hooks')
}

export async function saveHook(submitted: Submitted): Promise<Done> {
  const { ctx, form } = submitted
  const hook = await loadHook(submitted)
  try {
    await editHook(ctx, hook, hookEditIn(form))
  } catch (error) {
    return showHook(submitted, { form, problem: hookProblem(error) })
  }
  return saved(submitted, 'hooks')
}

export async function dropHook(submitted: Submitted): Promise<Done> {
  await removeHook(submitted.ctx, await loadHook(submitted))
  return saved(submitted, 'hooks')
}

export async function tryHook(submitted: Submitted): Promise<Done> {
  const { ctx, viewer } = submitted
  const hook = await loadHook(submitted)
  await testHook(ctx, viewer, homeOf(submitted), hook)
  return { leadsTo: pathOf(submitted, String(hook.id)) }
}

export async function sendAgain(submitted: Submitted): Promise<Done> {
  const { ctx, form } = submitted
  const hook = await loadHook(submitted)
  const delivery = await loadDeliveryOf(ctx, hook, readInteger(form.get('delivery') ?? ''))
  await redeliver(ctx, hook, delivery)
  return { leadsTo: pathOf(submitted, String(hook.id)) }
}
