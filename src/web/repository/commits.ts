import { findAuthorsFor } from '../../code/commits/authors.ts'
import {
  listCommits,
  searchCommits,
  type CommitFilter,
  type FoundCommits,
} from '../../code/commits/list.ts'
import { verifyCommits } from '../../code/commits/verification.ts'
import { loadPlace } from '../../code/content/find.ts'
import type { RefKind } from '../../code/content/places.ts'
import type { Page } from '../../platform/db/page.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { counted } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderPager } from '../pages/pager.ts'
import { renderBranchNewsLinks } from '../syndication/links.ts'
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
import { MAX_LETTERS, searchWords } from './search-words.ts'
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
    const words = searchWords(query)
    const range = { revision: revision.commitId, path }
    const found = await unlessChosen(visit, findCommits(visit, range, words, page))
    if (!found) return leadToFiles(visit, kind)
    return {
      tab: 'code',
      title: `Commits of ${path === '' ? refLabel(place) : `${path} at ${refLabel(place)}`}`,
      content: html`<div class="row">
${renderRefMenu(visit, 'commits', place, await loadRefs(visit))}
${renderPath(visit, place)}
${renderSearch(words)}
</div>
${words !== '' && renderNumber(found)}
<section class="sheet" aria-label="Commits">
${await renderCommits(visit, found.items)}
</section>
${renderPager(ctx.config, visit.request, page, found.total)}
${kind === 'branch' && renderBranchNewsLinks(visit, revision.name, path)}`,
    }
  }
}

/** All, or those whose message holds the words. */
async function findCommits(
  { ctx, view }: Visit,
  range: CommitFilter,
  words: string,
  page: Page,
): Promise<FoundCommits> {
  if (words !== '') return searchCommits(ctx, view.repo, { ...range, words }, page)
  return { ...(await listCommits(ctx, view.repo, range, page)), isCut: false }
}

function renderSearch(words: string): Html {
  return html`<form class="end" role="search" aria-label="Commits"><input type="search" name="q" value="${words}" maxlength="${MAX_LETTERS}" placeholder="Search the messages" aria-label="Search the messages"></form>`
}

function renderNumber({ total, isCut }: FoundCommits): Html {
  const count = counted(total, 'commit')
  return html`<p class="mute">${isCut ? `The first ${count}: there are more, or git takes too long to find them.` : count}</p>`
}

export async function renderCommits(visit: Visit, commits: readonly Commit[]): Promise<Html> {
  if (commits.length === 0) return html`<p class="blank">There are no commits here.</p>`
  const known = await findAuthorsFor(visit.ctx, visit.viewer, commits)
  const { authors } = known
  const verifications = await verifyCommits(visit.ctx, commits, known)
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
