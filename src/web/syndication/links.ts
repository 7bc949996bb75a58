import { html, type Html } from '../../platform/html.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import type { Format } from './document.ts'

/** To the news of what stands at a path, for programs that collect them. */
export function renderNewsLinks(path: string): Html {
  return renderLinks((format) => `${path}.${format}`)
}

export function renderBranchNewsLinks(visit: Visit, branch: string, path: string): Html {
  return renderLinks((format) => pathTo(visit, format, 'branch', branch, path))
}

function renderLinks(addressOf: (format: Format) => string): Html {
  return html`<p class="mute">Follow this with a news reader: <a href="${addressOf('atom')}">Atom</a> or <a href="${addressOf('rss')}">RSS</a></p>`
}
