import { beginningOf } from '../../platform/parsing/beginning.ts'
import { findAuthorsFor, type Authors } from '../../code/commits/authors.ts'
import { loadCommit, tallyOf } from '../../code/commits/list.ts'
import { loadPatch } from '../../code/commits/patch.ts'
import { verifyCommits, type Verification } from '../../code/commits/verification.ts'
import { notFound } from '../../platform/errors.ts'
import type { Commit } from '../../platform/git/parse.ts'
import type { Refer } from '../../platform/markup/references.ts'
import { countText, counted, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderChecks } from './checks.ts'
import { authorOf, idLink, pictureOf, subjectOf } from './commit-line.ts'
import { verifiedTag } from './commits.ts'
import { renderPatch } from './patch.ts'
import { whitespaceOf } from './patch-style.ts'
import { linkReferences, loadReferencesHere } from './references.ts'
import { assertReadsCode } from './source.ts'
import { pathTo, type Show, type Visit } from './visit.ts'

const MAX_BODY = 64 * 1024

/** One commit: what it says, and what it changed. */
export const showCommit: Show = async (visit) => {
  const { ctx, view, param } = visit
  assertReadsCode(visit)
  const id = param('sha')
  if (!/^[0-9a-f]{4,64}$/i.test(id)) throw notFound()
  const commit = await loadCommit(ctx, view.repo, id)
  const known = await findAuthorsFor(ctx, visit.viewer, [commit])
  const { authors } = known
  const verification = (await verifyCommits(ctx, [commit], known))(commit.id)
  const { files, additions, deletions } = await tallyOf(ctx, view.repo, commit)
  const checks = await renderChecks(visit, commit.id)
  const refer = await loadReferencesHere(visit, subjectOf(commit), bodyOf(commit).body)
  const patch = await loadPatch(ctx, view.repo, commit, whitespaceOf(visit))
  return {
    tab: 'code',
    title: subjectOf(commit),
    content: html`${renderHead(visit, commit, { authors, verification, refer })}
${checks && html`<section class="sheet merge-box" aria-label="Checks">${checks}</section>`}
<p class="changes">${counted(files, 'file')} changed, <span class="plus">${countText(additions)} added</span> and <span class="minus">${countText(deletions)} removed</span> ${additions + deletions === 1 ? 'line' : 'lines'}</p>
${await renderPatch(visit, patch, { page: pathTo(visit, 'commit', commit.id), after: { kind: 'commit', name: commit.id } })}`,
  }
}

/** What belongs to a commit, and does not stand in it. */
interface Known {
  readonly authors: Authors
  readonly verification: Verification
  readonly refer: Refer
}

function renderHead(visit: Visit, commit: Commit, { authors, verification, refer }: Known): Html {
  const { body, isCut } = bodyOf(commit)
  return html`<section class="sheet commit" aria-label="Commit">
<header><h2>${linkReferences(subjectOf(commit), refer)}</h2>
<span class="end"><a class="button" href="${pathTo(visit, 'src', 'commit', commit.id)}">Browse files</a></span></header>
${body !== '' && html`<pre class="text" tabindex="0">${linkReferences(body, refer)}</pre>`}
${isCut && html`<p class="more">This is the beginning of a long message. The rest is in <a href="${pathTo(visit, 'commit', `${commit.id}.patch`)}">the patch</a>.</p>`}
<footer>${pictureOf(visit, commit, authors)}
<span>${authorOf(visit, commit, authors)} <span class="mute">authored ${timeAgo(visit.ctx.now(), commit.author.at)}${committed(visit, commit, authors)}</span></span>
${verifiedTag(verification.isVerified)}
<span class="end mute">${renderParents(visit, commit)} commit <code>${commit.id}</code> · <a href="${pathTo(visit, 'commit', `${commit.id}.diff`)}">diff</a> · <a href="${pathTo(visit, 'commit', `${commit.id}.patch`)}">patch</a></span>
</footer>
</section>`
}

/** What is said below the first line, or all of it where that is longer than a line. */
function bodyOf(commit: Commit): { readonly body: string; readonly isCut: boolean } {
  const message = commit.message.trim()
  const [first = ''] = message.split('\n', 1)
  const rest = first.trim() === subjectOf(commit) ? message.slice(first.length).trim() : message
  return { body: beginningOf(rest, MAX_BODY), isCut: rest.length > MAX_BODY }
}

/** Who else had a hand in it. */
function committed(visit: Visit, { author, committer }: Commit, authors: Authors): Part {
  if (committer.email === author.email) return undefined
  return html`, ${authorOf(visit, { author: committer }, authors)} committed ${timeAgo(visit.ctx.now(), committer.at)}`
}

function renderParents(visit: Visit, { parents }: Commit): Part {
  if (parents.length === 0) return undefined
  const links = parents.map((id, index) => [index > 0 && ', ', idLink(visit, id)])
  return html`${parents.length === 1 ? 'parent' : 'parents'} ${links} ·`
}
