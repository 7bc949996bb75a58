import type { SignedInCaller } from '../../platform/context.ts'
import { readPage } from '../../platform/http/paging.ts'
import { readInteger } from '../../platform/http/query.ts'
import { createHook, editHook, type NewHook } from '../../outbound/webhooks/change.ts'
import type { HookHome, Webhook } from '../../events/webhooks/hook.ts'
import {
  deliveriesOf,
  hooksOf,
  loadDeliveryOf,
  loadHookOf,
  removeHook,
  testHook,
} from '../../outbound/webhooks/manage.ts'
import { redeliver } from '../../events/webhooks/redeliver.ts'
import { counted } from '../figures.ts'
import type { FormState } from '../forms/fields.ts'
import { problemOf } from '../forms/problem.ts'
import { renderAction, renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Look } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { aboutDelivery, renderDelivery } from './delivery.ts'
import {
  formOfHook,
  hearsOfAll,
  hookEditIn,
  hookProblem,
  newHookIn,
  reachOf,
  renderHookForm,
} from './form.ts'

const LATEST = { number: 1, limit: 20, offset: 0 }

/**
 * Where webhooks are set up by those who may: a repository, an organization, an account, the
 * server.
 */
export interface HookSection<Page> {
  readonly home: HookHome
  /** What its webhooks tell of. */
  readonly about: string
  /** The address of the list, and of what is below it. */
  readonly path: (...parts: readonly string[]) => string
  /** The page around the content. */
  readonly frame: (content: Html) => Page
}

type HookLook = Pick<Look, 'ctx' | 'viewer' | 'request' | 'query' | 'param'>

interface Sent {
  readonly viewer: SignedInCaller
  readonly form: URLSearchParams
}

/** What a page of webhooks is made from. */
export type HookPlace = HookLook & Omit<HookSection<unknown>, 'frame'>
type HookForm = HookPlace & Sent

/** Where a form leads, or what is shown again with what is wrong. */
type HookDone = Destination | { readonly again: Html }
interface Destination {
  readonly leadsTo: string
}

/** How pages and forms get into such places, below their lists. */
export interface HookPages<Entered extends HookLook, Page, Again> {
  readonly show: (path: string, page: (look: Entered) => Promise<Page>) => void
  readonly take: (
    path: string,
    act: (submitted: Entered & Sent) => Promise<Again | Destination>,
  ) => void
  readonly enter: (look: Entered) => Promise<HookSection<Page>>
  /** A form again, with what is wrong. */
  readonly again: (page: Page) => Again
}

export function addHookPages<Entered extends HookLook, Page, Again>(
  pages: HookPages<Entered, Page, Again>,
): void {
  const show = (path: string, render: (place: HookPlace) => Promise<Html>) =>
    pages.show(path, async (look) => {
      const section = await pages.enter(look)
      return section.frame(await render({ ...look, ...section }))
    })
  const take = (path: string, act: (sent: HookForm) => Promise<HookDone>) =>
    pages.take(path, async (submitted) => {
      const section = await pages.enter(submitted)
      const done = await act({ ...submitted, ...section })
      return 'leadsTo' in done ? done : pages.again(section.frame(done.again))
    })

  show('', renderHooks)
  take('', addHook)
  show('/new', async (place) => renderNewHook(place))
  show('/:id', (place) => renderHook(place))
  show('/:id/deliveries/:delivery', async (place) => renderDelivery(place, await loadHook(place)))
  take('/:id', saveHook)
  take('/:id/delete', dropHook)
  take('/:id/test', tryHook)
  take('/:id/redeliver', sendAgain)
}

const warning = 'Nothing is sent there any more. Its secret and its deliveries are lost.'

/** Who hears of what happens. */
async function renderHooks({ ctx, request, query, home, about, path }: HookPlace): Promise<Html> {
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  const { items, total } = await hooksOf(ctx, home, page, 'all')
  const rows = items.map((hook) => ({
    title: hook.url,
    about: aboutHook(hook),
    action: html`<a class="button" href="${path(String(hook.id))}">Edit</a>${renderLoss(path(String(hook.id), 'delete'), { name: hook.url, warning })}`,
  }))
  return html`
<h2>Webhooks</h2>
<p class="lede">${about}</p>
${renderRows(rows, 'Nobody is told yet.')}
${renderPager(ctx.config, request, page, total)}
<p><a class="button main" href="${path('new')}">New webhook</a></p>`
}

function aboutHook(hook: Webhook): string {
  const { type, events, isActive } = hook
  const reach = reachOf(hook)
  const parts = [type, counted(events.length, 'event')]
  return [...parts, ...(reach ? [reach] : []), ...(isActive ? [] : ['off'])].join(' · ')
}

function renderNewHook({ path, home }: HookPlace, state?: FormState): Html {
  return html`<h2>New webhook</h2>${renderHookForm(path(), state ?? { form: formOfHook() }, { home })}`
}

async function renderHook(place: HookPlace, state?: FormState): Promise<Html> {
  const hook = await loadHook(place)
  const path = place.path(String(hook.id))
  return html`
<h2>Webhook</h2>
<p class="lede">${aboutHook(hook)}</p>
${renderHookForm(path, state ?? { form: formOfHook(hook) }, { hook, home: place.home })}
<h2 id="deliveries">Latest deliveries</h2>
${place.query.text('sent') !== undefined && html`<p class="sheet notice" role="status">It is being sent. Load the page again to see what came back.</p>`}
${await renderDeliveries(place, hook)}
${renderAction(`${path}/test`, 'Send a test')}`
}

async function renderDeliveries(place: HookPlace, hook: Webhook): Promise<Html> {
  const { ctx, path } = place
  const { items } = await deliveriesOf(ctx, place.viewer, hook, LATEST)
  const one = String(hook.id)
  const rows = items.map((delivery) => ({
    title: html`<a href="${path(one, 'deliveries', String(delivery.id))}">${delivery.kind.replaceAll('_', ' ')}</a>`,
    about: aboutDelivery(place, hook, delivery),
    action: renderAction(path(one, 'redeliver'), 'Send again', { delivery: delivery.id }),
  }))
  return renderRows(rows, 'Nothing was sent yet.')
}

async function loadHook({ ctx, home, param }: HookPlace): Promise<Webhook> {
  return loadHookOf(ctx, home, readInteger(param('id')))
}

function saved({ path }: HookPlace): HookDone {
  return { leadsTo: `${path()}?saved=yes` }
}

async function addHook(sent: HookForm): Promise<HookDone> {
  const { ctx, home, form } = sent
  try {
    await createHook(ctx, home, newHookFor(sent))
  } catch (error) {
    return { again: renderNewHook(sent, { form, problem: hookProblem(error) }) }
  }
  return saved(sent)
}

function newHookFor({ home, form }: HookForm): NewHook {
  const hook = newHookIn(form)
  if (home.kind !== 'system') return hook
  return { ...hook, config: { ...hook.config, is_system_webhook: String(hearsOfAll(form)) } }
}

async function saveHook(sent: HookForm): Promise<HookDone> {
  const { ctx, form } = sent
  const hook = await loadHook(sent)
  try {
    await editHook(ctx, hook, hookEditIn(form))
  } catch (error) {
    return { again: await renderHook(sent, { form, problem: hookProblem(error) }) }
  }
  return saved(sent)
}

async function dropHook(sent: HookForm): Promise<HookDone> {
  await removeHook(sent.ctx, await loadHook(sent))
  return saved(sent)
}

/** Where there is no repository, there is nothing to tell of. */
async function tryHook(sent: HookForm): Promise<HookDone> {
  const { ctx, viewer, home } = sent
  const hook = await loadHook(sent)
  try {
    await testHook(ctx, viewer, home, hook)
  } catch (error) {
    return { again: await renderHook(sent, { form: formOfHook(hook), problem: problemOf(error) }) }
  }
  return toDeliveries(sent, hook)
}

async function sendAgain(sent: HookForm): Promise<HookDone> {
  const { ctx, form } = sent
  const hook = await loadHook(sent)
  const delivery = await loadDeliveryOf(
    ctx,
    sent.viewer,
    hook,
    readInteger(form.get('delivery') ?? ''),
  )
  await redeliver(ctx, hook, delivery)
  return toDeliveries(sent, hook)
}

/** Below a long form. */
function toDeliveries({ path }: HookPlace, { id }: Webhook): HookDone {
  return { leadsTo: `${path(String(id))}?sent=yes#deliveries` }
}
