import { listCompared, loadCompared, type Compared } from '../../commits/compare.ts'
import { loadComparedPatch } from '../../commits/patch.ts'
import { counted } from '../figures.ts'
import { html, type Html } from '../html.ts'
import { renderCommits } from './commits.ts'
import { renderPatch } from './patch.ts'
import { assertReadsCode, type NamedRef } from './source.ts'
import { restOf, type Show } from './visit.ts'

const MAX_COMMITS = 100

/** What one ref has and another lacks: `base...head`, where the head may be in a fork. */
export const showComparison: Show = async (visit) => {
  const { ctx, viewer, view } = visit
  assertReadsCode(visit)
  if (view.repo.isEmpty) return { leadsTo: visit.home }
  const text = restOf(visit)
  const compared = await loadCompared(ctx, viewer, view, text)
  const { commits, total } = await listCompared(ctx, view.repo, compared)
  const patch = await loadComparedPatch(ctx, view.repo, compared)
  return {
    tab: 'code',
    title: `Comparing ${text}`,
    content: html`<h2 class="compared">Comparing <code>${text}</code></h2>
${
  total === 0
    ? renderSame()
    : html`<p>${counted(total, 'commit')}</p>
<section class="sheet" aria-label="Commits">${await renderCommits(visit, commits.slice(0, MAX_COMMITS))}</section>
<h2>Changes</h2>`
}
${renderPatch(visit, shownAfter(compared), patch)}`,
  }
}

function renderSame(): Html {
  return html`<p class="mute">There is no commit here that is not there.</p>`
}

/** What a fork has is no file of this repository. */
function shownAfter({ head, environment }: Compared): NamedRef | undefined {
  return Object.keys(environment).length === 0 ? { kind: 'commit', name: head } : undefined
}
