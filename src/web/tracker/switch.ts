import { html, type Html } from '../html.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

const places = { issues: 'Issues', labels: 'Labels', milestones: 'Milestones' } as const

/** From one of the lists to the others. */
export function renderTrackerSwitch(visit: Visit, current: keyof typeof places): Html {
  const links = Object.entries(places).map(
    ([path, label]) =>
      html`<a href="${pathTo(visit, path)}"${path === current && html` aria-current="page"`}>${label}</a> `,
  )
  return html`<nav class="switch" aria-label="Issues">${links}</nav>`
}
