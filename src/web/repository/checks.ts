import { lastStates, type ContextState } from '../../collaboration/statuses/load.ts'
import { combine } from '../../collaboration/statuses/status.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { siteUrl } from '../outside-link.ts'
import type { Visit } from './visit.ts'

const said = {
  success: 'All checks have passed.',
  pending: 'Checks are still running.',
  failure: 'Some checks have failed.',
}

/** What programs say of a commit. */
export async function renderChecks({ ctx, view }: Visit, commitId: string): Promise<Part> {
  const states = await lastStates(ctx, { repositoryId: view.repo.id, commitId })
  if (states.length === 0) return undefined
  const combined = combine(states.map(({ state }) => state))
  return html`<details class="checks"${combined !== 'success' && html` open`}><summary>${said[combined]}</summary><ul class="plain">${states.map(renderCheck)}</ul></details>`
}

const moods = {
  success: { name: 'good', icon: 'check' },
  failure: { name: 'bad', icon: 'cross' },
  pending: { name: 'waiting', icon: 'clock' },
} as const

function renderCheck({ context, state, description, targetUrl }: ContextState): Html {
  const mood = moods[combine([state])]
  const details = siteUrl(targetUrl)
  return html`<li><span class="mood-${mood.name}">${icon(mood.icon)}</span> ${context} <span class="mute">${state}${description !== '' && ` · ${description}`}</span>${details && html` <a href="${details.href}" rel="nofollow noopener">Details<span class="unseen"> of ${context}</span></a>`}</li>`
}
