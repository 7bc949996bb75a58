import { findAuthors } from '../../commits/authors.ts'
import { listCommits } from '../../commits/list.ts'
import { verifyCommits } from '../../commits/verification.ts'
import { loadPlace } from '../../content/find.ts'
import type { RefKind } from '../../content/places.ts'
import type { Commit } from '../../git/parse.ts'
import { html, type Html, type Part } from '../html.ts'
import { renderPager } from '../pages/pager.ts'
import {
  authorOf,
  commitTime,
  idLink,
  pictureOf,
  referringSubject,
  subjectOf,
} from './commit-line.ts'
import { pageOf } from './page-number.ts'
import { leadToFiles, unlessChosen } from './nearest.ts'
import { loadReferencesHere } from './references.ts'
import { loadRefs, renderRefMenu } from './ref-menu.ts'
import { assertReadsCode, refLabel, renderPath } from './source.ts'
import { restOf, type Show, type Visit } from './visit.ts'

const PER_PAGE = 50

/** Newest first: all commits of a ref, or those that changed something at a path. */
export function showCommits(kind: RefKind): Show {
  return async (visit) => {
    const { ctx, view, query } = visit
    assertReadsCode(visit)
    if (view.repo.isEmpty) return { leadsTo: visit.home }
    const { revision, path } = await loadPlace(ctx, view.repo, kind, restOf(visit))
    const place = { kind, name: revision.name, path }
    const page = pageOf(query, PER_PAGE)
    const filter = {
      revision: revision.commitId,
      path,
      not: undefined,
      since: undefined,
      until: undefined,
    }
    const found = await unlessChosen(visit, listCommits(ctx, view.repo, filter, page))
    if (!found) return leadToFiles(visit, kind)
    return {
      tab: 'code',
      title: `Commits of ${path === '' ? refLabel(place) : `${path} at ${refLabel(place)}`}`,
      content: html`<div class="row">
${renderRefMenu(visit, 'commits', place, await loadRefs(visit))}
${renderPath(visit, place)}
</div>
<section class="sheet" aria-label="Commits">
${await renderCommits(visit, found.items)}
</section>
${renderPager(ctx.config, visit.request, page, found.total)}`,
    }
  }
}

export async function renderCommits(visit: Visit, commits: readonly Commit[]): Promise<Html> {
  if (commits.length === 0) return html`<p class="blank">There are no commits here.</p>`
  const authors = await findAuthors(visit.ctx, commits)
  const verifications = await verifyCommits(visit.ctx, commits, authors)
  const refer = await loadReferencesHere(visit, ...commits.map(subjectOf))
  return html`<ul class="entries">${commits.map(
    (commit) => html`<li>
${pictureOf(visit, commit, authors)}
<div class="about"><b>${referringSubject(visit, commit, refer)}</b>
<p class="mute">${authorOf(visit, commit, authors)} committed ${commitTime(visit, commit)}</p></div>
<span class="end">${verifiedTag(verifications(commit.id).isVerified)} ${idLink(visit, commit.id)}</span>
</li>`,
  )}</ul>`
}

export function verifiedTag(isVerified: boolean): Part {
  return isVerified && html`<span class="tag good">Verified</span>`
}
