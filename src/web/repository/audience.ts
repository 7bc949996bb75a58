import {
  star,
  unstar,
  unwatch,
  watch,
} from '../../repositories/stars-and-watches/stars-and-watches.ts'
import { basePath } from '../../platform/config/urls.ts'
import { notFound } from '../../platform/errors.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { countText } from '../figures.ts'
import { html, type Html } from '../../platform/html.ts'
import { icon, type IconName } from '../icons.ts'
import { localPath } from '../local-path.ts'
import type { Done, Submitted } from './form.ts'
import type { Visit } from './visit.ts'

interface Figure {
  readonly icon: IconName
  readonly count: number
  /** The page that lists them; there may be none. */
  readonly path?: string | undefined
  readonly who: string
}

/** How many star, watch and fork it; who is signed in does so from here. */
export function renderAudience({ ctx, view, marks, home, request }: Visit): Html {
  const { repo } = view
  const { stars: hasStars } = ctx.config.repositories
  const stars: Figure = {
    icon: 'star',
    count: repo.starsCount,
    path: hasStars ? `${home}/stars` : undefined,
    who: 'Who has starred it',
  }
  const watchers: Figure = {
    icon: 'eye',
    count: repo.watchersCount,
    path: `${home}/watchers`,
    who: 'Who watches it',
  }
  const forks: Figure = {
    icon: 'fork',
    count: repo.forksCount,
    path: `${home}/forks`,
    who: 'Its forks',
  }
  // A form that was not taken has an address of its own, which shows nothing.
  const back = request.method === 'POST' ? home : basePath(ctx.config) + request.url
  const button = (action: keyof typeof actions, label: string) => html`
<form method="post" action="${home}/action/${action}"><input type="hidden" name="redirect_to" value="${back}">
<button class="button">${label}</button></form>`
  const starring = marks?.isStarred ? button('unstar', 'Starred') : button('star', 'Star')
  const watching = marks?.isWatched ? button('unwatch', 'Watching') : button('watch', 'Watch')
  const mayFork = marks && readsUnit(view, 'repo.code')
  return html`<ul class="audience end">
<li>${renderFigure(stars)} ${marks && hasStars ? starring : plural(repo.starsCount, 'star')}</li>
<li>${renderFigure(watchers)} ${marks ? watching : 'watching'}</li>
<li>${renderFigure(forks)} ${mayFork ? html`<a class="button" href="${home}/fork">Fork</a>` : plural(repo.forksCount, 'fork')}</li>
${mayFork && repo.isTemplate && html`<li><a class="button main" href="${home}/generate">Use this template</a></li>`}
</ul>`
}

function renderFigure({ icon: name, count, path, who }: Figure): Html {
  const figure = html`${icon(name)} <b>${countText(count)}</b>`
  if (path === undefined) return figure
  return html`<a class="count" href="${path}" aria-label="${who}: ${countText(count)}" title="${who}">${figure}</a>`
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`
}

const actions = {
  star: ({ ctx, viewer, view }) => star(ctx, viewer, view.repo),
  unstar: ({ ctx, viewer, view }) => unstar(ctx, viewer, view.repo),
  watch: ({ ctx, viewer, view }) => watch(ctx, viewer, view.repo),
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
