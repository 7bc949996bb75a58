import { readsPulls } from '../../collaboration/pulls/load.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { html, type Html } from '../../platform/html.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

const places = {
  issues: 'Issues',
  pulls: 'Pull requests',
  labels: 'Labels',
  milestones: 'Milestones',
} as const

/** From one of the lists to the others that the viewer reads. */
export function renderTrackerSwitch(visit: Visit, current: keyof typeof places): Html {
  const { view } = visit
  const hidden = new Set([
    ...(readsUnit(view, 'repo.issues') ? [] : ['issues']),
    ...(readsPulls(view) ? [] : ['pulls']),
  ])
  const links = Object.entries(places)
    .filter(([path]) => !hidden.has(path))
    .map(
      ([path, label]) =>
        html`<a href="${pathTo(visit, path)}"${path === current && html` aria-current="page"`}>${label}</a> `,
    )
  return html`<nav class="switch" aria-label="Lists">${links}</nav>`
}
