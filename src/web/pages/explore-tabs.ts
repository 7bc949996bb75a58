import { basePath } from '../../platform/config/urls.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Look } from '../look.ts'
import { renderTab } from '../organizations/tabs.ts'

const tabs = { repos: 'Repositories', users: 'People', organizations: 'Organizations' } as const

export type ExploreTab = keyof typeof tabs

export function explorePath({ ctx }: Pick<Look, 'ctx'>, tab: ExploreTab): string {
  return `${basePath(ctx.config)}/explore/${tab}`
}

/** Which of the lists it is, and what was looked for in it. */
export function exploreTitle(text: string, tab: ExploreTab): string {
  const title = `${tabs[tab]} · Explore`
  return text === '' ? title : `${text} · ${title}`
}

/** Each leads to what fits the same words there. */
export function renderExploreTabs(look: Look, text: string, current: ExploreTab): Html {
  const words = text === '' ? '' : `?${new URLSearchParams({ q: text }).toString()}`
  const link = ([tab, label]: [string, string]) =>
    renderTab(explorePath(look, tab as ExploreTab) + words, label, tab === current)
  return html`<nav class="tabs" aria-label="Explore">${Object.entries(tabs).map(link)}</nav>`
}
