import {
  listCompared,
  loadCompared,
  splitComparison,
  type Compared,
  type ComparedCommits,
} from '../../code/commits/compare.ts'
import { loadComparedPatch } from '../../code/commits/patch.ts'
import { loadRefNames } from '../../code/commits/ref-names.ts'
import { findForkOf } from '../../code/forks/find.ts'
import { findProspect } from '../../collaboration/pulls/prospect.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { viewRepository } from '../../repositories/repository/view.ts'
import { counted } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderNewPull, suggestedBy, type NewPullState } from '../pulls/new-form.ts'
import { renderCommits } from './commits.ts'
import { renderPatch } from './patch.ts'
import { whitespaceOf } from './patch-style.ts'
import { branchOfFork } from './offered-branch.ts'
import { loadRefs, MAX_LISTED } from './ref-menu.ts'
import type { InShell } from './shell.ts'
import { assertReadsCode, type NamedRef } from './source.ts'
import { pathTo, restOf, type Show, type Visit } from './visit.ts'

const MAX_COMMITS = 100

/** What one ref has and another lacks: `base...head`, where the head may be in a fork. */
export const showComparison: Show = async (visit) => {
  assertReadsCode(visit)
  return visit.view.repo.isEmpty ? { leadsTo: visit.home } : renderComparison(visit)
}

export async function renderComparison(visit: Visit, state?: NewPullState): Promise<InShell> {
  const { ctx, viewer, view } = visit
  const text = restOf(visit)
  const compared = await loadCompared(ctx, viewer, view, text)
  const found = await listCompared(ctx, view.repo, compared, MAX_COMMITS)
  const { commits, total } = found
  const patch = await loadComparedPatch(ctx, view.repo, compared, whitespaceOf(visit))
  return {
    tab: 'code',
    title: `Comparing ${text}`,
    content: html`<h2 class="compared">Comparing <code>${text}</code></h2>
<p><a href="${pathTo(visit, 'compare')}">Compare others</a></p>
${
  total === 0
    ? renderSame()
    : html`${await renderOffer(visit, text, found, state)}
<p>${counted(total, 'commit')}</p>
<section class="sheet" aria-label="Commits">${await renderCommits(visit, commits.slice(0, MAX_COMMITS))}</section>
<h2>Changes</h2>
<p class="changes">${!patch.isCut && html`${counted(patch.files.length, 'file')} changed · `}${renderTextLinks(visit, text)}</p>`
}
${await renderPatch(visit, patch, { page: pathTo(visit, 'compare', text), after: shownAfter(compared) })}`,
  }
}

/** Branches that can be pulled are offered for it. */
async function renderOffer(
  visit: Visit,
  text: string,
  { commits }: ComparedCommits,
  state?: NewPullState,
): Promise<Part> {
  const { ctx, viewer, view } = visit
  const { base, headText, head, dots } = splitComparison(view.repo, text)
  if (dots !== '...') return undefined
  const prospect = await findProspect(ctx, viewer, view, { base, head: headText })
  const allowsEdit = view.units.settings('repo.pulls')?.allowMaintainerEdit ?? false
  const initial = { ...suggestedBy(commits, head.name), allowsEdit }
  return prospect && renderNewPull(visit, prospect, text, state ?? initial)
}

function renderTextLinks(visit: Visit, text: string): Html {
  const path = pathTo(visit, 'compare', text)
  return html`<a href="${path}.diff">diff</a> · <a href="${path}.patch">patch</a>`
}

function renderSame(): Html {
  return html`<p class="mute">There is no commit here that is not there.</p>`
}

/** What a fork has is no file of this repository. */
function shownAfter({ head, environment }: Compared): NamedRef | undefined {
  return Object.keys(environment).length === 0 ? { kind: 'commit', name: head } : undefined
}

/** A choice of two refs; once they are chosen, what they differ in. */
export const showCompareChoice: Show = async (visit) => {
  const { view, query } = visit
  assertReadsCode(visit)
  if (view.repo.isEmpty) return { leadsTo: visit.home }
  const base = (query.text('base') ?? '').trim() || view.repo.defaultBranch
  const head = (query.text('head') ?? '').trim()
  if (head !== '')
    return { leadsTo: `${pathTo(visit, 'compare', `${base}...${head}`)}?expand=true` }
  const { branches } = await loadRefs(visit)
  const names = [...branches.names, ...(await branchesOfOwnFork(visit))]
  return { tab: 'code', title: 'Compare', content: renderChoice(visit, base, names) }
}

/** Of the viewer's fork, as they are called here. */
async function branchesOfOwnFork({ ctx, viewer, view }: Visit): Promise<readonly string[]> {
  const fork = viewer.account && (await findForkOf(ctx, view.repo, viewer.account))
  if (!fork || fork.isEmpty) return []
  const found = await viewRepository(ctx, viewer, fork)
  if (!readsUnit(found, 'repo.code')) return []
  const { branches } = await loadRefNames(ctx, fork, MAX_LISTED)
  return branches.names.map((name) => branchOfFork(view, found, name))
}

function renderChoice(visit: Visit, base: string, names: readonly string[]): Html {
  return html`
<h2>Compare two branches</h2>
<p class="mute">What one has and the other lacks is shown, and can be made a pull request. Branches of a fork are called <code>owner:branch</code>.</p>
<form class="filter" action="${pathTo(visit, 'compare')}">
<label>Into <input name="base" value="${base}" list="branches" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<label>From <input name="head" list="branches" required autofocus autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<datalist id="branches">${names.map((name) => html`<option value="${name}">`)}</datalist>
<button class="button main">Compare</button>
</form>`
}
