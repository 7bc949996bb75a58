import { countHistory } from '../../code/commits/list.ts'
import { loadSeen, type Seen } from '../../code/content/browse.ts'
import { loadPlace, nearestFolder } from '../../code/content/find.ts'
import type { RefKind } from '../../code/content/places.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { renderAddMenu } from '../files/menu.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderEmpty } from './empty.ts'
import { renderFacts } from './facts.ts'
import { renderFile } from './file-view.ts'
import { renderFolder } from './file-table.ts'
import { renderFinderLink } from './find.ts'
import { missing, unlessChosen } from './nearest.ts'
import { renderDistance, renderNewPullLink } from './offered-branch.ts'
import { markRepositorySeen } from '../notifications/seen.ts'
import { renderReadme } from './readme.ts'
import { loadRefs, renderRefCounts, renderRefMenu } from './ref-menu.ts'
import { renderSearchLink } from './search.ts'
import { assertReadsCode, refLabel, renderEmptyNote, renderPath } from './source.ts'
import { restOf, type Show, type Shown, type Visit } from './visit.ts'

/** The first page of a repository: the files of its default branch. */
export const showHome: Show = async (visit) => {
  await markRepositorySeen(visit, visit.view.repo)
  const { ctx, view } = visit
  const { repo } = view
  if (!readsUnit(view, 'repo.code')) return withoutCode(visit)
  if (repo.isEmpty) return { tab: 'code', title: '', content: renderEmpty(visit) }
  const seen = await loadSeen(ctx, repo, 'branch', repo.defaultBranch).catch(missing)
  if (!seen) return { tab: 'code', title: '', content: await renderNoBranch(visit) }
  const content = html`<div class="split">
<div>${await renderDistance(visit, seen)}
${await renderSeen(visit, seen)}</div>
${await renderFacts(visit, seen)}
</div>`
  return { tab: 'code', title: '', content }
}

/** A folder or a file at a ref. */
export function showSource(kind: RefKind): Show {
  return async (visit) => {
    assertReadsCode(visit)
    const { ctx, view } = visit
    const seen = await unlessChosen(visit, loadSeen(ctx, view.repo, kind, restOf(visit)))
    if (!seen) return showNearest(visit, kind)
    const place = seen.path === '' ? refLabel(seen) : `${seen.path} at ${refLabel(seen)}`
    return { tab: 'code', title: place, content: await renderSeen(visit, seen) }
  }
}

/** The closest folder, in place of what was looked for. */
async function showNearest(visit: Visit, kind: RefKind): Promise<Shown> {
  const { ctx, view } = visit
  const { revision, path } = await loadPlace(ctx, view.repo, kind, restOf(visit))
  const folder = await nearestFolder(ctx, view.repo, revision.commitId, path)
  const seen = await loadSeen(ctx, view.repo, kind, `${revision.name}/${folder}`)
  const content = html`<p class="sheet notice" role="status">There is no <code>${path}</code> at ${refLabel(seen)}. This is the closest folder.</p>
${await renderSeen(visit, seen)}`
  return { tab: 'code', title: `${folder || view.repo.name} at ${refLabel(seen)}`, content }
}

/** Whoever may see something else of it starts there. */
function withoutCode({ view, home }: Visit): Shown {
  if (readsUnit(view, 'repo.issues')) return { leadsTo: `${home}/issues` }
  if (readsUnit(view, 'repo.releases')) return { leadsTo: `${home}/releases` }
  return { leadsTo: `${home}/activity` }
}

async function renderSeen(visit: Visit, seen: Seen): Promise<Html> {
  const refs = await loadRefs(visit)
  return html`<div class="row">
${renderRefMenu(visit, 'src', seen, refs)}
${seen.path === '' ? renderRefCounts(visit, refs) : renderPath(visit, seen)}
<span class="end row-end">${renderFinderLink(visit, seen)}
${renderSearchLink(visit, seen)}
${seen.found.type === 'folder' && renderAddMenu(visit, seen)}
${seen.path === '' && renderNewPullLink(visit, seen)}</span>
</div>
${await renderFound(visit, seen)}`
}

async function renderFound(visit: Visit, seen: Seen): Promise<Part> {
  const { found } = seen
  if (found.type === 'file') return renderFile(visit, seen, found)
  // Of a folder, counting takes a walk of its own.
  const commits =
    seen.path === '' ? await countHistory(visit.ctx, visit.view.repo, seen.commit) : undefined
  return [await renderFolder(visit, seen, found, commits), await renderReadme(visit, seen, found)]
}

async function renderNoBranch(visit: Visit): Promise<Html> {
  const name = visit.view.repo.defaultBranch
  return html`<div class="row">${renderRefCounts(visit, await loadRefs(visit))}</div>
${renderEmptyNote(`There is no branch ${name}, which is the default branch.`)}`
}
