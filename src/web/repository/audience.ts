import { star, unstar, unwatch, watch } from '../../audience/audience.ts'
import { basePath } from '../../config/urls.ts'
import { notFound } from '../../errors.ts'
import { readsUnit } from '../../repositories/load.ts'
import { countText } from '../figures.ts'
import { html, type Html } from '../html.ts'
import { icon, type IconName } from '../icons.ts'
import { localPath } from '../local-path.ts'
import type { Done, Submitted } from './form.ts'
import type { Visit } from './visit.ts'

interface Figure {
  readonly icon: IconName
  readonly count: number
  readonly label: string
}

/** How many star, watch and fork it; who is signed in does so from here. */
export function renderAudience({ ctx, view, marks, home, request }: Visit): Html {
  const { repo } = view
  const stars = { icon: 'star', count: repo.starsCount } as const
  const watchers = { icon: 'eye', count: repo.watchersCount } as const
  // A form that was not taken has an address of its own, which shows nothing.
  const back = request.method === 'POST' ? home : basePath(ctx.config) + request.url
  const button = (action: keyof typeof actions, figure: Figure) => html`<li>
<form method="post" action="${home}/action/${action}"><input type="hidden" name="redirect_to" value="${back}">
<button class="button">${renderFigure(figure)}</button></form></li>`
  const starring = marks?.isStarred
    ? button('unstar', { ...stars, label: 'Starred' })
    : button('star', { ...stars, label: 'Star' })
  const watching = marks?.isWatched
    ? button('unwatch', { ...watchers, label: 'Watching' })
    : button('watch', { ...watchers, label: 'Watch' })
  const forks = {
    icon: 'fork',
    count: repo.forksCount,
    label: plural(repo.forksCount, 'fork'),
  } as const
  const mayFork = marks && readsUnit(view, 'repo.code')
  return html`<ul class="audience end">
${marks && ctx.config.repositories.stars ? starring : html`<li>${renderFigure({ ...stars, label: plural(repo.starsCount, 'star') })}</li>`}
${marks ? watching : html`<li>${renderFigure({ ...watchers, label: 'watching' })}</li>`}
<li>${mayFork ? html`<a class="button" href="${home}/fork">${renderFigure({ ...forks, label: 'Fork' })}</a>` : renderFigure(forks)}</li>
${mayFork && repo.isTemplate && html`<li><a class="button main" href="${home}/generate">Use this template</a></li>`}
</ul>`
}

function renderFigure({ icon: name, count, label }: Figure): Html {
  return html`${icon(name)} <b>${countText(count)}</b> ${label}`
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`
}

const actions = {
  star: ({ ctx, viewer, view }) => star(ctx, viewer, view.repo),
  unstar: ({ ctx, viewer, view }) => unstar(ctx, viewer, view.repo),
  watch: ({ ctx, viewer, view }) => watch(ctx, view.repo, viewer.account.id),
  unwatch: ({ ctx, viewer, view }) => unwatch(ctx, view.repo.id, viewer.account.id),
} satisfies Record<string, (submitted: Submitted) => Promise<void>>

/** What somebody does with one of the buttons; back to where they were. */
export async function takeMark(submitted: Submitted): Promise<Done> {
  const { ctx, form, param } = submitted
  const name = param('action')
  if (!Object.hasOwn(actions, name)) throw notFound()
  await actions[name as keyof typeof actions](submitted)
  return { leadsTo: localPath(ctx.config, form.get('redirect_to')) }
}
