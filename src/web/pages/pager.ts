import type { FastifyRequest } from 'fastify'
import { basePath } from '../../platform/config/urls.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Page } from '../../platform/db/page.ts'
import { countText } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'

/** The way to the pages before and after this one, where there are more than one. */
export function renderPager(
  config: Config,
  request: Pick<FastifyRequest, 'url'>,
  { number, limit }: Page,
  total: number,
): Part {
  const last = Math.max(1, Math.ceil(total / limit))
  if (last === 1 && number === 1) return undefined
  if (number > last) return renderBeyond(config, request, number)
  const link = (to: number, label: string, rel: string) =>
    to >= 1 && to <= last
      ? html`<a class="button" rel="${rel}" href="${addressOf(config, request, to)}">${label}</a>`
      : html`<span class="button off">${label}</span>`
  return html`
<nav class="pager" aria-label="Pages">
${link(number - 1, 'Previous', 'prev')}
<span class="mute">Page ${countText(number)} of ${countText(last)}</span>
${link(number + 1, 'Next', 'next')}
</nav>`
}

function renderBeyond(config: Config, request: Pick<FastifyRequest, 'url'>, number: number): Html {
  return html`
<nav class="pager" aria-label="Pages">
<span class="mute">There is no page ${countText(number)}.</span>
<a class="button" rel="first" href="${addressOf(config, request, 1)}">To the first page</a>
</nav>`
}

function addressOf(config: Config, { url }: Pick<FastifyRequest, 'url'>, page: number): string {
  const [path = '', query = ''] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set('page', String(page))
  return `${basePath(config)}${path}?${parameters.toString()}`
}
